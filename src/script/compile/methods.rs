//! Method names that nothing in a program can have.

use crate::collections::Set;
use std::sync::Arc;

use super::visit::{Visit, functions};
use crate::diagnostic::Diagnostic;
use crate::script::ast::{Expr, ExprKind, Module, Name};
use crate::script::vm::METHODS;

/// Refuses calls of methods that neither a part, an array nor an object of this file has.
pub(super) fn check(module: &Module) -> Vec<Diagnostic> {
    let mut names = Names::default();
    functions(module, &mut names);
    let Names { calls, keys, inherited } = names;
    let unknown = calls.into_iter().filter(|name| {
        !METHODS.contains(&&*name.text) && !keys.contains(&name.text) && &*name.text != "all"
    });
    let unknown = unknown.map(|name| match closest(&name.text) {
        Some(near) => Diagnostic::new(name.span, "script-method-near", &*name.text).expecting(near),
        None => Diagnostic::new(name.span, "script-unknown-method", &*name.text),
    });
    let inherited = inherited.into_iter();
    let inherited =
        inherited.map(|name| Diagnostic::new(name.span, "script-inherited", &*name.text));
    unknown.chain(inherited).collect()
}

/// Fields that JavaScript's objects have without being given them.
const INHERITED: [&str; 6] =
    ["__proto__", "constructor", "hasOwnProperty", "toLocaleString", "toString", "valueOf"];

#[derive(Default)]
struct Names {
    calls: Vec<Name>,
    keys: Set<Arc<str>>,
    inherited: Vec<Name>,
}

impl Visit for Names {
    fn expression(&mut self, value: &Expr) {
        match &value.kind {
            ExprKind::Call(callee, _) => {
                if let ExprKind::Member(_, name) = &callee.kind {
                    self.calls.push(name.clone());
                }
            }
            ExprKind::Member(_, name) if INHERITED.contains(&&*name.text) => {
                self.inherited.push(name.clone());
            }
            ExprKind::Object(fields) => {
                self.keys.extend(fields.iter().map(|(name, _)| name.text.clone()));
            }
            _ => {}
        }
    }

    fn target(&mut self, target: &Expr) {
        if let ExprKind::Member(_, name) = &target.kind {
            self.keys.insert(name.text.clone());
        }
    }
}

/// The known method that is at most two slips of the pen away.
fn closest(name: &str) -> Option<&'static str> {
    let distances = METHODS.iter().map(|known| (slips(name, known), *known));
    distances
        .filter(|(slips, known)| *slips <= 2 && *slips * 2 < known.len())
        .min()
        .map(|(_, known)| known)
}

/// Letters to insert, drop, replace or swap with the next one (the optimal string alignment
/// distance).
fn slips(a: &str, b: &str) -> usize {
    let (a, b): (Vec<char>, Vec<char>) = (a.chars().collect(), b.chars().collect());
    let mut rows: Vec<Vec<usize>> = vec![(0..=b.len()).collect()];
    for i in 1..=a.len() {
        let mut row = vec![i];
        for j in 1..=b.len() {
            let replace = rows[i - 1][j - 1] + usize::from(a[i - 1] != b[j - 1]);
            let mut best = replace.min(rows[i - 1][j] + 1).min(row[j - 1] + 1);
            if i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] {
                best = best.min(rows[i - 2][j - 2] + 1);
            }
            row.push(best);
        }
        rows.push(row);
    }
    rows[a.len()][b.len()]
}

#[cfg(test)]
mod tests {
    use super::{closest, slips};

    #[test]
    fn slips_of_the_pen_are_counted() {
        assert_eq!(slips("transactoin", "transaction"), 1);
        assert_eq!(slips("querry", "query"), 1);
        assert_eq!(slips("", "ack"), 3);
        assert_eq!(closest("transactoin"), Some("transaction"));
        assert_eq!(closest("comit"), Some("commit"));
        assert_eq!(closest("filter"), None);
    }
}
