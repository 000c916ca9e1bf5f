//! A part at one moment: its power, its machine, what it has set going.

use crate::collections::Map;
use std::sync::Arc;

use crate::sim::message::Asked;
use crate::sim::part::{api, broker, database};
use crate::sim::process::Process;

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
    /// The waits that its program came to since the last change of the world, and how often.
    pub(super) laps: Vec<(u64, u32)>,
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
}

impl Station {
    pub(super) fn new(machine: Machine, power: Power) -> Self {
        Self { power, machine, named: 0, starts: 0, laps: Vec::new() }
    }

    /// The process, if the part runs a program and is up.
    pub fn process(&self) -> Option<&Process> {
        match &self.machine {
            Machine::Worker(process) => process.as_deref(),
            _ => None,
        }
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

    /// Whether its program came back twice to a wait with nothing changed in between.
    pub(super) fn goes_in_circles(&self) -> bool {
        self.laps.iter().any(|(_, count)| *count >= 3)
    }
}
