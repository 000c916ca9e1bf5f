//! Why an order has its verdict: the chain of events behind it, read from the log alone.

use crate::collections::Set;
use std::sync::Arc;

use super::{Account, Verdict};
use crate::scene::{Claim, Scene, Source};
use crate::script::sql::Statement;
use crate::sim::{Event, What};

/// Fills in [`Account::evidence`] from the log of the run that was judged.
pub fn explain(scene: &Scene, accounts: &mut [Account], events: &[Event]) {
    let effects = Effects::of(scene);
    for account in accounts {
        let chain = Chain { events, effects: &effects, account };
        account.evidence = chain.indices().into_iter().map(|index| index as u32).collect();
    }
}

/// How the effects of a scene's claims look in the log.
struct Effects {
    letters: Vec<Arc<str>>,
    tables: Vec<Arc<str>>,
}

impl Effects {
    fn of(scene: &Scene) -> Self {
        let mut effects = Self { letters: Vec::new(), tables: Vec::new() };
        for claim in &scene.claims {
            let query = match claim {
                Claim::Exactly { effect, source: Source::Records, .. } => {
                    effects.letters.push(effect.clone());
                    continue;
                }
                Claim::Exactly { source: Source::Query(query), .. }
                | Claim::InOrder { query, .. }
                | Claim::Never { query, .. } => query,
            };
            if let Statement::Select(select) = &*query.statement {
                effects.tables.extend(select.from.iter().map(|from| from.table.text.clone()));
            }
        }
        effects
    }

    fn has(&self, what: &What) -> bool {
        match what {
            What::LetterSent { kind, .. } => self.letters.contains(kind),
            What::Executed { ask, rows, .. } => {
                *rows != Some(0) && &*ask.verb != "SELECT" && self.tables.contains(&ask.object)
            }
            _ => false,
        }
    }
}

struct Chain<'a> {
    events: &'a [Event],
    effects: &'a Effects,
    account: &'a Account,
}

impl Chain<'_> {
    fn indices(&self) -> Set<usize> {
        let mut chain: Set<usize> = self.first(|what| *what == What::Ordered).collect();
        chain.extend(self.placing().filter(|_| self.account.placed));
        match self.account.verdict {
            Verdict::Once => chain.extend(self.effects()),
            Verdict::NotPlaced | Verdict::Lost => chain.extend(self.losses()),
            Verdict::Doubled => {
                chain.extend(self.effects());
                chain.extend(self.repeats());
            }
            Verdict::Phantom | Verdict::OutOfOrder | Verdict::Inconsistent => {
                chain.extend(self.effects());
                chain.extend(self.losses());
            }
            Verdict::InFlight | Verdict::Stuck | Verdict::Undecided => {
                chain.extend(self.effects());
                chain.extend(self.all(|what| matches!(what, What::Waits { .. })).last());
                chain.extend(self.all(|_| true).last());
            }
        }
        chain
    }

    /// Events about the order that fit.
    fn all(&self, fits: impl Fn(&What) -> bool) -> impl Iterator<Item = usize> {
        let own = self.events.iter().enumerate();
        let own = own.filter(|(_, event)| event.order == Some(self.account.order));
        own.filter(move |(_, event)| fits(&event.what)).map(|(index, _)| index)
    }

    fn first(&self, fits: impl Fn(&What) -> bool) -> impl Iterator<Item = usize> {
        self.all(fits).take(1)
    }

    fn effects(&self) -> impl Iterator<Item = usize> {
        self.all(|what| self.effects.has(what))
    }

    /// The COMMIT that placed it, or the statement that was its own transaction.
    fn placing(&self) -> impl Iterator<Item = usize> {
        let verb = |what: &What, verb: &str| match what {
            What::Executed { ask, .. } => &*ask.verb == verb,
            _ => false,
        };
        let commit = self.first(|what| verb(what, "COMMIT")).next();
        commit.or_else(|| self.first(|what| verb(what, "INSERT")).next()).into_iter()
    }

    /// What went missing on its way, or was refused, with the failures that did it.
    fn losses(&self) -> Set<usize> {
        let bad = |what: &What| {
            matches!(what, What::Lost { .. } | What::Refused { .. } | What::TimedOut { .. })
                || matches!(what, What::OrderAnswered(false) | What::CustomerUnsure)
        };
        let losses: Vec<usize> = self.all(bad).collect();
        let failures =
            losses.iter().filter_map(|loss| self.failure_before(*loss)).collect::<Vec<_>>();
        losses.into_iter().chain(failures).collect()
    }

    /// Why something came twice: what was stored again, handed over again, or forgotten.
    fn repeats(&self) -> Set<usize> {
        let stored = self.all(|what| matches!(what, What::Stored(_))).skip(1);
        let again = self
            .all(|what| matches!(what, What::Requeued(_) | What::Received { redelivered: true }));
        let calls = self.all(|what| matches!(what, What::Answered { code: Some(_), .. }));
        stored.chain(again).chain(calls).chain(self.losses()).collect()
    }

    /// The failure that took something along: the nearest one before it in the same step, else
    /// the latest that hit the part where it was lost.
    fn failure_before(&self, loss: usize) -> Option<usize> {
        let lost = self.events.get(loss)?;
        let fails = |what: &What| {
            matches!(what, What::Unplugged | What::Killed | What::Crashed { .. } | What::Cut(_))
        };
        let before = (0..loss).rev().filter(|index| fails(&self.events[*index].what));
        let mut before = before.peekable();
        let nearest = before.peek().copied().filter(|index| self.events[*index].step == lost.step);
        nearest.or_else(|| before.find(|index| self.events[*index].part == lost.part))
    }
}
