//! A part at one moment: its power, its machine, what it has set going.

use crate::collections::{Map, Set};
use std::sync::Arc;

use crate::sim::event::Name;
use crate::sim::message::Asked;
use crate::sim::part::{api, broker, database};
use crate::sim::process::{CallKind, Process};

/// A part's power.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Power {
    /// Running.
    On,
    /// The cord is out.
    Unplugged,
    /// Killed, and not started again.
    Killed,
    /// Ended by itself; starts again at this time.
    Crashed {
        /// Microseconds.
        until_us: i64,
    },
    /// With power, and about to start.
    Starting,
}

/// A part at one moment.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Station {
    /// Its power.
    pub power: Power,
    /// What it is and holds.
    pub machine: Machine,
    /// How many messages and timers it has set going.
    pub(super) named: u32,
    /// How often it has started.
    pub(super) starts: u32,
}

/// What a part is and holds.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Machine {
    /// The customers.
    Customers {
        /// Orders sent so far.
        ordered: u32,
    },
    /// A program; without power there is no process.
    Worker(Option<Arc<Process>>),
    /// A database.
    Database(Box<DatabaseState>),
    /// A broker.
    Queue(Box<QueueState>),
    /// A mail service.
    Mail(Box<api::MailApi>),
}

/// A database and what the world knows of its clients.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct DatabaseState {
    /// The database itself.
    pub database: database::Database,
    /// Statements that wait for a lock, by session.
    pub waiting: Map<u32, Asked>,
    /// Orders whose rows an open transaction has changed, by session.
    pub(super) orders: Map<u32, Set<i64>>,
    /// When each of those waits began, in microseconds.
    pub(super) since_us: Map<u32, i64>,
    /// Sessions whose answer waits for the disk.
    pub(super) answering: Set<u32>,
    /// Requests that have arrived and are not read yet, by session, in order of arrival.
    pub(super) unread: Vec<(u32, Asked, database::Request)>,
    /// Sessions that have been told to go on and have not yet.
    pub(super) resuming: Vec<u32>,
    /// The next COMMIT is to fail.
    pub refuse_commit: bool,
}

/// A broker and which of its next steps are already on the way.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct QueueState {
    /// The broker itself.
    pub broker: broker::QueueBroker,
    pub(super) scheduled: Vec<broker::Step>,
    /// The calls of clients that wait for a confirm, by connection and token.
    pub(super) asked: Map<(u32, u64), Asked>,
    /// When the next message expires, and the timer for it.
    pub(super) expiry: Option<(i64, Name)>,
}

impl Station {
    pub(super) fn new(machine: Machine, power: Power) -> Self {
        Self { power, machine, named: 0, starts: 0 }
    }

    /// The process, if the part runs a program and is up.
    pub fn process(&self) -> Option<&Process> {
        match &self.machine {
            Machine::Worker(process) => process.as_deref(),
            _ => None,
        }
    }

    /// The place in the scene file where its program waits: its eldest call without an answer,
    /// a subscription, which is never answered, only if nothing else is open.
    pub fn waits_at(&self) -> Option<u32> {
        let process = self.process()?;
        let subscribes =
            |id: u32| process.calls.get(&id).is_some_and(|call| call.kind == CallKind::Subscribe);
        let (idle, busy): (Vec<_>, Vec<_>) =
            process.vm.waits_at().partition(|(id, _)| subscribes(*id));
        busy.first().or(idle.first()).map(|(_, at)| *at)
    }

    pub(super) fn process_mut(&mut self) -> Option<&mut Process> {
        match &mut self.machine {
            Machine::Worker(Some(process)) => Some(Arc::make_mut(process)),
            _ => None,
        }
    }

    /// Whether it runs, so that messages reach it.
    pub fn is_up(&self) -> bool {
        self.power == Power::On
    }
}
