//! What each order was owed and what it got. The audit reads committed rows and the records of
//! external services, never programs, so that the same questions can be asked of real systems.

mod evidence;
#[cfg(test)]
mod tests;
mod trace;

use crate::collections::Set;
use std::sync::Arc;

pub use evidence::explain;

use crate::datum::Datum;
use crate::scene::{Query, Scene};
use crate::sim::identity::order_of;
use crate::sim::part::database::{ChangeView, Database};
use crate::sim::{Body, Machine, PartId, Setup, World, order_of_row};
use trace::Trace;

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
    let traces: Vec<Trace> = scene.claims.iter().map(|claim| Trace::of(world, claim)).collect();
    let waiting = waiting(scene, world);
    let mut orders = placed.clone();
    orders.extend(traces.iter().flat_map(Trace::orders));
    if let Machine::Customers { ordered } = world.station(PartId::CUSTOMERS).machine {
        orders.extend(1..=i64::from(ordered));
    }
    let judged = orders.into_iter().map(|order| {
        let placed = placed.contains(&order);
        let claims = || scene.claims.iter().zip(&traces);
        let effects: Vec<Effect> =
            claims().filter_map(|(claim, trace)| trace.effect(claim, order, placed)).collect();
        let findings = Findings {
            placed,
            traces: claims().any(|(_, trace)| trace.has_effect(order)),
            short: effects.iter().any(|effect| effect.got < effect.owed),
            over: effects.iter().any(|effect| effect.got > effect.owed),
            unordered: claims().any(|(_, trace)| trace.is_unordered(order)),
            forbidden: claims().any(|(_, trace)| trace.is_forbidden(order)),
            waits: waiting.contains(&order),
        };
        let verdict = findings.verdict(moment);
        Account { order, verdict, placed, effects, evidence: Vec::new() }
    });
    judged.collect()
}

/// What an order's claims say together.
struct Findings {
    placed: bool,
    /// Some effect was seen.
    traces: bool,
    short: bool,
    over: bool,
    unordered: bool,
    forbidden: bool,
    waits: bool,
}

impl Findings {
    /// One order gets one verdict, though several claims may be broken. What contradicts itself
    /// comes first: a state that must never be, or too much of one effect and too little of
    /// another. Then effects without an order; then too many, too few, and those in the wrong
    /// order, which no later event undoes; last what only waits.
    fn verdict(&self, moment: Moment) -> Verdict {
        match moment {
            Moment::Limit => Verdict::Undecided,
            Moment::Running if !self.placed || self.short || self.forbidden => Verdict::InFlight,
            _ if self.forbidden => Verdict::Inconsistent,
            _ if !self.placed && self.traces => Verdict::Phantom,
            _ if !self.placed => Verdict::NotPlaced,
            _ if self.short && self.over => Verdict::Inconsistent,
            _ if self.over => Verdict::Doubled,
            _ if self.short && !self.waits => Verdict::Lost,
            _ if self.unordered => Verdict::OutOfOrder,
            _ if self.short => Verdict::Stuck,
            _ => Verdict::Once,
        }
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
