//! What each order was owed and what it got. The audit reads committed rows and the records of
//! external services, never programs, so that the same questions can be asked of real systems.

mod evidence;
#[cfg(test)]
mod tests;

use crate::collections::{Map, Set};
use std::sync::Arc;

pub use evidence::explain;

use crate::datum::Datum;
use crate::scene::{Claim, Query, Scene, Source};
use crate::sim::identity::order_of;
use crate::sim::part::database::{ChangeView, Database};
use crate::sim::{Body, Machine, PartId, Setup, World, order_of_row};

/// What became of an order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Verdict {
    /// It got exactly what it is owed.
    Once,
    /// It was never placed, and nothing happened: correct.
    NotPlaced,
    /// Something is still on its way.
    InFlight,
    /// It was placed and gets less than it is owed, with nothing left that could change that.
    Lost,
    /// It got more than it is owed.
    Doubled,
    /// Effects of an order that was never placed.
    Phantom,
    /// Effects in the wrong order.
    OutOfOrder,
    /// It gets less than it is owed, and something waits for ever.
    Stuck,
    /// Its parts contradict each other.
    Inconsistent,
    /// The limit came before rest.
    Undecided,
}

impl Verdict {
    /// All verdicts, in the order of the words list.
    pub const ALL: [Verdict; 10] = [
        Verdict::Once,
        Verdict::NotPlaced,
        Verdict::InFlight,
        Verdict::Lost,
        Verdict::Doubled,
        Verdict::Phantom,
        Verdict::OutOfOrder,
        Verdict::Stuck,
        Verdict::Inconsistent,
        Verdict::Undecided,
    ];

    /// Its name in JSON and in links.
    pub fn id(self) -> &'static str {
        match self {
            Self::Once => "once",
            Self::NotPlaced => "not-placed",
            Self::InFlight => "in-flight",
            Self::Lost => "lost",
            Self::Doubled => "doubled",
            Self::Phantom => "phantom",
            Self::OutOfOrder => "out-of-order",
            Self::Stuck => "stuck",
            Self::Inconsistent => "inconsistent",
            Self::Undecided => "undecided",
        }
    }

    /// Whether nothing is wrong.
    pub fn is_fine(self) -> bool {
        matches!(self, Self::Once | Self::NotPlaced | Self::InFlight)
    }
}

/// The account of one order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Account {
    /// Its number.
    pub order: i64,
    /// The verdict.
    pub verdict: Verdict,
    /// It was placed: committed data says so.
    pub placed: bool,
    /// What it is owed and what it got, claim by claim.
    pub effects: Vec<Effect>,
    /// The events behind the verdict, as places in the log of the run, in order; empty until
    /// [`explain`] has read the log.
    pub evidence: Vec<u32>,
}

/// One effect of one order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Effect {
    /// Its name.
    pub name: Arc<str>,
    /// How many are owed, if the order is placed.
    pub owed: i64,
    /// How many there are.
    pub got: i64,
}

/// When the world is judged.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Moment {
    /// Between two steps: what is missing may still come.
    Running,
    /// At rest: what is missing stays missing.
    Rest,
    /// At a limit.
    Limit,
}

/// Judges all orders that were sent or that left a trace, by number.
pub fn judge(scene: &Scene, world: &World, moment: Moment) -> Vec<Account> {
    let placed: Set<i64> = numbers(world, &scene.placed).into_iter().collect();
    let got: Vec<Map<i64, i64>> = scene.claims.iter().map(|claim| count(world, claim)).collect();
    let waiting = waiting(scene, world);
    let mut orders = placed.clone();
    orders.extend(got.iter().flat_map(Map::keys).copied());
    if let Machine::Customers { ordered } = world.station(PartId::CUSTOMERS).machine {
        orders.extend(1..=i64::from(ordered));
    }
    let judged = orders.into_iter().map(|order| {
        let placed = placed.contains(&order);
        let effects = scene.claims.iter().zip(&got).map(|(claim, got)| Effect {
            name: claim.effect.clone(),
            owed: if placed { claim.count } else { 0 },
            got: got.get(&order).copied().unwrap_or_default(),
        });
        let effects: Vec<Effect> = effects.collect();
        let verdict = verdict(placed, &effects, moment, waiting.contains(&order));
        Account { order, verdict, placed, effects, evidence: Vec::new() }
    });
    judged.collect()
}

fn verdict(placed: bool, effects: &[Effect], moment: Moment, waits: bool) -> Verdict {
    let got_any = effects.iter().any(|effect| effect.got > 0);
    let short = effects.iter().any(|effect| effect.got < effect.owed);
    let over = effects.iter().any(|effect| effect.got > effect.owed);
    match moment {
        Moment::Limit => Verdict::Undecided,
        Moment::Running if !placed || short => Verdict::InFlight,
        _ if !placed && got_any => Verdict::Phantom,
        _ if !placed => Verdict::NotPlaced,
        _ if short && over => Verdict::Inconsistent,
        _ if over => Verdict::Doubled,
        _ if short && waits => Verdict::Stuck,
        _ if short => Verdict::Lost,
        _ => Verdict::Once,
    }
}

/// How many of each verdict.
pub fn tally(accounts: &[Account]) -> [u32; Verdict::ALL.len()] {
    let mut counts = [0; Verdict::ALL.len()];
    for account in accounts {
        counts[account.verdict as usize] += 1;
    }
    counts
}

fn count(world: &World, claim: &Claim) -> Map<i64, i64> {
    let mut counts = Map::new();
    match &claim.source {
        Source::Records => {
            for part in world.setup().part_ids() {
                let Machine::Mail(mail) = &world.station(part).machine else { continue };
                for (_, order, kind) in mail.records() {
                    if let (Some(order), true) = (order.as_int(), *kind == *claim.effect) {
                        *counts.entry(order).or_default() += 1;
                    }
                }
            }
        }
        Source::Query(query) => {
            for row in rows(world, query) {
                let mut columns = columns(&row);
                let order = columns.next().and_then(number);
                let amount = columns.next().and_then(number);
                if let (Some(order), Some(amount)) = (order, amount) {
                    *counts.entry(order).or_default() += amount;
                }
            }
        }
    }
    counts
}

/// Orders that something still waits for: a row of the backlog, a queue entry, an open
/// transaction's row, a message held by a cut link.
fn waiting(scene: &Scene, world: &World) -> Set<i64> {
    let mut waiting: Set<i64> =
        scene.backlog.iter().flat_map(|query| numbers(world, query)).collect();
    for part in world.setup().part_ids() {
        match &world.station(part).machine {
            Machine::Queue(state) => {
                let queues = state.broker.queues();
                let entries = queues.flat_map(|queue| queue.entries.iter());
                waiting.extend(entries.filter_map(|entry| order_of(&entry.message.body)));
            }
            Machine::Database(state) => {
                waiting.extend(uncommitted(world.setup(), &state.database));
                waiting.extend(state.waiting.values().filter_map(|asked| asked.order));
            }
            _ => {}
        }
    }
    let held = world.in_flight().filter(|(_, at)| at.is_none());
    waiting.extend(held.filter_map(|(message, _)| match message.body {
        Body::Reset => None,
        _ => message.order,
    }));
    waiting
}

/// Orders of rows that an open or a prepared transaction has changed.
fn uncommitted(setup: &Setup, database: &Database) -> Vec<i64> {
    let mut orders = Vec::new();
    for table in database.tables() {
        let changed = table.rows.iter().filter_map(|row| match (&row.change, &row.committed) {
            (Some(ChangeView::Inserted(row) | ChangeView::Updated(row)), _)
            | (Some(ChangeView::Deleted), Some(row)) => Some(row),
            _ => None,
        });
        orders.extend(changed.filter_map(|row| order_of_row(setup, &table.name, row)));
    }
    orders
}

fn rows(world: &World, query: &Query) -> Vec<Datum> {
    let Machine::Database(state) = &world.station(query.part).machine else { return Vec::new() };
    // A query that fails on committed data counts nothing; the scene's check refuses such queries.
    state.database.query_committed(&query.statement, world.now_us()).unwrap_or_default()
}

fn numbers(world: &World, query: &Query) -> Vec<i64> {
    rows(world, query).iter().filter_map(|row| columns(row).next().and_then(number)).collect()
}

fn columns(row: &Datum) -> impl Iterator<Item = &Datum> {
    let fields = match row {
        Datum::Object(fields) => &fields[..],
        _ => &[],
    };
    fields.iter().map(|(_, value)| value)
}

/// `payload->>'orderId'` gives text.
fn number(datum: &Datum) -> Option<i64> {
    match datum {
        Datum::Int(number) => Some(*number),
        Datum::Text(text) => text.parse().ok(),
        _ => None,
    }
}
