//! What a world is made of before anything happens. Nothing here changes during a run.

use std::sync::Arc;

use crate::script::code::Image;
use crate::script::sql::TableDef;
use crate::sim::part::{api, broker};
use crate::text::LineIndex;

/// A part, by its place in [`Setup::parts`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct PartId(pub u16);

impl PartId {
    /// The customers, who are always the first part.
    pub const CUSTOMERS: PartId = PartId(0);

    /// Its place in a list of all parts.
    pub fn index(self) -> usize {
        usize::from(self.0)
    }
}

/// Everything fixed: parts, programs, workload, delays, seed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Setup {
    /// The compiled programs.
    pub image: Image,
    /// Lines of the scene file, for the places of calls.
    pub lines: LineIndex,
    /// The parts; the first one is the customers.
    pub parts: Vec<PartSetup>,
    /// Who orders, and when.
    pub workload: Workload,
    /// Delays.
    pub delays: Delays,
    /// Turns the jitter of every delay.
    pub seed: u64,
    /// Columns that hold an order's number, as `(table, column)`, besides those that are named so.
    pub order_columns: Vec<(Arc<str>, Arc<str>)>,
}

/// One part.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PartSetup {
    /// Its name in the scene, which is its name in programs.
    pub name: Arc<str>,
    /// What it is.
    pub kind: PartKind,
}

/// What a part is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PartKind {
    /// Where orders come from. It has no power cord.
    Customers,
    /// Runs a function for each request.
    Service {
        /// The function, in the image.
        program: u32,
    },
    /// Runs a function from start to end.
    Worker {
        /// The function, in the image.
        program: u32,
    },
    /// PostgreSQL.
    Database {
        /// Its tables.
        tables: Arc<[TableDef]>,
    },
    /// RabbitMQ.
    Queue {
        /// Its exchanges, queues and bindings.
        config: Arc<broker::Config>,
    },
    /// A mail service.
    Mail {
        /// How it treats idempotency keys.
        config: api::Config,
    },
}

/// The orders of a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Workload {
    /// How many orders come by themselves.
    pub count: u32,
    /// Microseconds between two of them.
    pub every_us: i64,
}

/// Delays in microseconds of virtual time.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Delays {
    /// The least time a message is under way; up to half as much comes on top as jitter.
    pub latency_us: i64,
    /// From taking effect on disk to the answer: the flush of the write-ahead log or the queue.
    pub flush_us: i64,
    /// After which a call is given up.
    pub call_timeout_us: i64,
    /// After which a peer that fell silent is taken for dead.
    pub notice_us: i64,
    /// After which a process that ended by itself starts again.
    pub restart_us: i64,
    /// How long PostgreSQL waits for a lock before it looks for a deadlock: `deadlock_timeout`.
    pub deadlock_us: i64,
}

impl Default for Delays {
    fn default() -> Self {
        Self {
            latency_us: 40_000,
            flush_us: 10_000,
            call_timeout_us: 2_000_000,
            notice_us: 3_000_000,
            restart_us: 1_000_000,
            deadlock_us: 1_000_000,
        }
    }
}

impl Setup {
    /// A part by its name.
    pub fn part_named(&self, name: &str) -> Option<PartId> {
        let index = self.parts.iter().position(|part| &*part.name == name)?;
        u16::try_from(index).ok().map(PartId)
    }

    /// All parts in order.
    pub fn part_ids(&self) -> impl Iterator<Item = PartId> + use<> {
        (0..self.parts.len() as u16).map(PartId)
    }

    /// A part's declaration.
    pub fn part(&self, id: PartId) -> &PartSetup {
        &self.parts[id.index()]
    }

    /// Whether a part has a power cord.
    pub fn has_cord(&self, id: PartId) -> bool {
        !matches!(self.part(id).kind, PartKind::Customers)
    }

    /// The function that a part runs.
    pub fn program(&self, id: PartId) -> Option<u32> {
        match self.part(id).kind {
            PartKind::Service { program } | PartKind::Worker { program } => Some(program),
            _ => None,
        }
    }
}
