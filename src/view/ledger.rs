//! The ledger: per order, what it is owed, what it got, and how it will end.

use crate::audit::{Account, Effect, Moment, Verdict, judge};
use crate::run::Lab;

/// One order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Line {
    /// Its number.
    pub order: i64,
    /// How it stands now: what is missing may still come.
    pub now: Verdict,
    /// How it will end if nothing more fails; `None` if the forecast does not know the order.
    pub forecast: Option<Verdict>,
    /// What it is owed and has got so far, claim by claim.
    pub effects: Vec<Effect>,
}

/// The ledger at the cursor, by order.
pub fn of(lab: &mut Lab) -> Vec<Line> {
    let forecast = lab.forecast();
    let accounts = judge(lab.scene(), lab.world(), Moment::Running);
    let line = |account: Account| {
        let end = forecast.accounts.iter().find(|end| end.order == account.order);
        Line {
            order: account.order,
            now: account.verdict,
            forecast: end.map(|end| end.verdict),
            effects: account.effects,
        }
    };
    accounts.into_iter().map(line).collect()
}
