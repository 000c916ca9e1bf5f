//! What one claim finds in the world, order by order.

use crate::collections::{Map, Set};

use super::{Effect, columns, number, numbers, rows};
use crate::scene::{Claim, Query, Source};
use crate::sim::{Machine, World};

/// What was found for a claim.
pub(super) enum Trace {
    /// How many effects each order got.
    Counts(Map<i64, i64>),
    /// Orders with versions, and whether a lower version came after a higher one. The same
    /// version again is no matter of order.
    Versions(Map<i64, bool>),
    /// Orders for which it is as it must never be.
    Forbidden(Set<i64>),
}

impl Trace {
    pub(super) fn of(world: &World, claim: &Claim) -> Self {
        match claim {
            Claim::Exactly { effect, source: Source::Records, .. } => {
                Self::Counts(count_records(world, effect))
            }
            Claim::Exactly { source: Source::Query(query), .. } => {
                let mut counts = Map::new();
                for (order, amount) in pairs(world, query) {
                    *counts.entry(order).or_default() += amount;
                }
                Self::Counts(counts)
            }
            Claim::InOrder { query, .. } => Self::Versions(descents(world, query)),
            Claim::Never { query, .. } => {
                Self::Forbidden(numbers(world, query).into_iter().collect())
            }
        }
    }

    /// All orders that it knows of.
    pub(super) fn orders(&self) -> Vec<i64> {
        match self {
            Self::Counts(counts) => counts.keys().copied().collect(),
            Self::Versions(versions) => versions.keys().copied().collect(),
            Self::Forbidden(orders) => orders.iter().copied().collect(),
        }
    }

    /// The account of a claim that counts.
    pub(super) fn effect(&self, claim: &Claim, order: i64, placed: bool) -> Option<Effect> {
        let (Self::Counts(counts), Claim::Exactly { effect, count, .. }) = (self, claim) else {
            return None;
        };
        Some(Effect {
            name: effect.clone(),
            owed: if placed { *count } else { 0 },
            got: counts.get(&order).copied().unwrap_or_default(),
        })
    }

    pub(super) fn has_effect(&self, order: i64) -> bool {
        match self {
            Self::Counts(counts) => counts.get(&order).is_some_and(|count| *count > 0),
            Self::Versions(versions) => versions.contains_key(&order),
            Self::Forbidden(_) => false,
        }
    }

    pub(super) fn is_unordered(&self, order: i64) -> bool {
        matches!(self, Self::Versions(versions) if versions.get(&order) == Some(&true))
    }

    pub(super) fn is_forbidden(&self, order: i64) -> bool {
        matches!(self, Self::Forbidden(orders) if orders.contains(&order))
    }
}

fn count_records(world: &World, effect: &str) -> Map<i64, i64> {
    let mut counts = Map::new();
    for part in world.setup().part_ids() {
        let Machine::Mail(mail) = &world.station(part).machine else { continue };
        for (_, order, kind) in mail.records() {
            if let (Some(order), true) = (order.as_int(), *kind == *effect) {
                *counts.entry(order).or_default() += 1;
            }
        }
    }
    counts
}

fn descents(world: &World, query: &Query) -> Map<i64, bool> {
    let mut highest: Map<i64, i64> = Map::new();
    let mut descents: Map<i64, bool> = Map::new();
    for (order, version) in pairs(world, query) {
        let before = highest.entry(order).or_insert(version);
        *descents.entry(order).or_default() |= version < *before;
        *before = version.max(*before);
    }
    descents
}

/// The two columns of a query, row by row; rows without numbers there are left out.
fn pairs(world: &World, query: &Query) -> Vec<(i64, i64)> {
    let pair = |row| {
        let mut columns = columns(row);
        Some((columns.next().and_then(number)?, columns.next().and_then(number)?))
    };
    rows(world, query).iter().filter_map(pair).collect()
}
