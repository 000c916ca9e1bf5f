//! How results look in JSON.

use pull_the_plug::audit::{Account, Verdict};
use serde_json::{Map, Value, json};

/// `{"once": 2, "lost": 1, …}`, zeros included.
pub(crate) fn counts(counts: &[u32]) -> Value {
    let named = Verdict::ALL.iter().zip(counts);
    let named = named.map(|(verdict, count)| (verdict.id().to_owned(), json!(count)));
    Value::Object(named.collect())
}

pub(crate) fn account(account: &Account) -> Value {
    let by_name = |value: fn(&pull_the_plug::audit::Effect) -> i64| {
        let effects = account.effects.iter();
        effects.map(|e| (e.name.as_ref().to_owned(), json!(value(e)))).collect::<Map<_, _>>()
    };
    json!({
        "order": account.order,
        "verdict": account.verdict.id(),
        "owed": by_name(|effect| effect.owed),
        "got": by_name(|effect| effect.got),
    })
}
