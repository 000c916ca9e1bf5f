//! All that can come next in a world: an event, something that comes back, a fault.
//!
//! With whole calls, an event takes along what follows from it: the server executes a call, the
//! answer leaves and arrives, the program runs to its next call. That loses no outcome: what
//! follows touches nobody but this client and this server, so it can as well come before
//! whatever else might have come in between, unless that is a fault at one of the two, and
//! such faults are tried before each part of the step. `BEGIN`, and the end of a transaction that
//! touched nothing, can be told by nobody from nothing, so they follow, too.

use super::Kind;
use super::model::Model;
use crate::sim::{Body, Chance, Fault, Machine, Name, PartId, Pending, Power, World};

/// One thing that is done to a world.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Move {
    /// The event of this name comes next.
    Event(Name),
    /// Something is done from outside: a fault, or its repair.
    Fault(Fault),
}

/// One choice of what comes next.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Choice {
    /// What is done, in order.
    pub moves: Vec<Move>,
    /// How many faults are among it. Repairs are none.
    pub faults: u8,
}

/// What may follow in one step; a program that never calls for anything else is cut here.
const FOLLOWING_MAX: usize = 200;
/// How late a late message is, in microseconds: longer than anybody waits for an answer.
const LATE_US: i64 = 5_000_000;

pub(super) fn next(model: &Model, world: &World, budget: u8) -> Vec<(Choice, World)> {
    let mut maker = Maker { model, budget, made: Vec::new() };
    let mut ordered = false;
    for pending in world.chances() {
        let is_next = match pending.chance {
            Chance::Impatience { .. } => false,
            Chance::Order => !std::mem::replace(&mut ordered, true),
            Chance::Any | Chance::Commit | Chance::FollowUp => true,
        };
        if is_next {
            maker.make(world, &Choice::default(), &[Move::Event(pending.name)], 0);
        }
    }
    for repair in world.repairs() {
        maker.make(world, &Choice::default(), &[Move::Fault(repair)], 0);
    }
    maker.faults(world, &Choice::default(), None);
    maker.made
}

struct Maker<'a> {
    model: &'a Model,
    budget: u8,
    made: Vec<(Choice, World)>,
}

impl Maker<'_> {
    /// Does some moves more, and what follows from them.
    fn make(&mut self, world: &World, before: &Choice, moves: &[Move], faults: u8) {
        let mut world = world.clone();
        let mut choice = before.clone();
        for step in moves {
            if !perform(&mut world, *step) {
                return;
            }
            choice.moves.push(*step);
        }
        choice.faults += faults;
        if self.model.reductions.whole_calls {
            self.follow(world, choice);
        } else {
            self.made.push((choice, world));
        }
    }

    /// Does what follows, one after the other, and tries faults before each.
    fn follow(&mut self, mut world: World, mut choice: Choice) {
        while choice.moves.len() < FOLLOWING_MAX {
            let mut chances = world.chances().into_iter();
            let follows = chances.find(|pending| pending.chance == Chance::FollowUp);
            let Some(Pending { name, parts, .. }) = follows else { break };
            self.faults(&world, &choice, Some(parts));
            if !perform(&mut world, Move::Event(name)) {
                break;
            }
            choice.moves.push(Move::Event(name));
        }
        self.made.push((choice, world));
    }

    /// All faults now, or only those that touch these parts.
    fn faults(&mut self, world: &World, before: &Choice, only: Option<(PartId, PartId)>) {
        if before.faults >= self.budget {
            return;
        }
        let touches = |part: PartId| only.is_none_or(|(a, b)| part == a || part == b);
        for kind in &self.model.kinds {
            for moves in faults(self.model, world, *kind) {
                let hits = match moves.first() {
                    Some(Move::Fault(fault)) => hit(world, *fault).into_iter().any(touches),
                    _ => false,
                };
                if hits {
                    self.make(world, before, &moves, 1);
                }
            }
        }
    }
}

/// The parts that a fault touches.
fn hit(world: &World, fault: Fault) -> Vec<PartId> {
    match fault {
        Fault::Cut(a, b) | Fault::Mend(a, b) => vec![a, b],
        Fault::Drop(name) | Fault::Delay(name, _) => {
            let message = world.in_flight().find(|(message, _)| message.name == name);
            message.map_or_else(Vec::new, |(message, _)| vec![message.from, message.to])
        }
        Fault::Unplug(part)
        | Fault::Plug(part)
        | Fault::Kill(part)
        | Fault::Restart(part)
        | Fault::Refuse(part) => vec![part],
        Fault::Order => Vec::new(),
    }
}

/// Does one move; `false` if it makes no sense.
pub(super) fn perform(world: &mut World, step: Move) -> bool {
    let mut events = Vec::new();
    match step {
        Move::Event(name) => world.step_named(name, &mut events),
        Move::Fault(fault) => world.apply(fault, &mut events).is_ok(),
    }
}

/// The faults of one kind that can happen now.
fn faults(model: &Model, world: &World, kind: Kind) -> Vec<Vec<Move>> {
    match kind {
        Kind::Crash => one_each(up(world).map(Fault::Unplug)),
        Kind::Kill => one_each(up(world).map(Fault::Kill)),
        Kind::Cut => {
            let cuts = |a: PartId, b: PartId| world.cuts().any(|cut| cut == (a.min(b), a.max(b)));
            let whole = model.links.iter().filter(|(a, b)| !cuts(*a, *b));
            one_each(whole.map(|(a, b)| Fault::Cut(*a, *b)))
        }
        Kind::Drop => one_each(droppable(world).into_iter().map(Fault::Drop)),
        Kind::Delay => late(world),
        Kind::Refuse => refused(world),
    }
}

fn one_each(faults: impl Iterator<Item = Fault>) -> Vec<Vec<Move>> {
    faults.map(|fault| vec![Move::Fault(fault)]).collect()
}

/// Parts that can fail: to fail once more before being up again changes nothing.
fn up(world: &World) -> impl Iterator<Item = PartId> {
    let setup = world.setup();
    let corded = setup.part_ids().filter(|part| setup.has_cord(*part));
    corded.filter(|part| world.station(*part).power == Power::On)
}

/// The first message in each direction of each connection: those behind it are lost with it.
/// A reset that is lost tells a peer nothing that it would not notice by itself.
fn droppable(world: &World) -> Vec<Name> {
    let mut seen = crate::collections::Set::new();
    let flying = world.in_flight().map(|(message, _)| message);
    let first = flying.filter(|message| seen.insert((message.conn, message.to)));
    first.filter(|message| message.body != Body::Reset).map(|message| message.name).collect()
}

/// A message is late, and its call is given up. That can be done at once: until a call is given
/// up, a late message is like any other.
fn late(world: &World) -> Vec<Vec<Move>> {
    let calls = world.chances().into_iter().filter_map(|pending| match pending.chance {
        Chance::Impatience { late: Some(late) } => {
            Some(vec![Move::Fault(Fault::Delay(late, LATE_US)), Move::Event(pending.name)])
        }
        _ => None,
    });
    calls.collect()
}

/// A COMMIT is refused as it arrives: to arm that earlier changes nothing.
fn refused(world: &World) -> Vec<Vec<Move>> {
    let commits = world.chances().into_iter().filter(|pending| pending.chance == Chance::Commit);
    let refused = commits.filter_map(|pending| {
        let (_, server) = pending.parts;
        let database = matches!(world.station(server).machine, Machine::Database(_));
        database.then(|| vec![Move::Fault(Fault::Refuse(server)), Move::Event(pending.name)])
    });
    refused.collect()
}
