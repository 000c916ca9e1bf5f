//! The stage: boxes with what they hold, links, and what flies between them.

mod build;
mod datum_text;
mod flights;
mod graves;
mod role;
mod shelves;

use std::sync::Arc;

pub use build::of;
pub use datum_text::text as datum_text;
pub use role::{is_subscription, line_of, role_of};

/// Everything on the stage at one moment.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Stage {
    /// Boxes in the order of reading: from the customers to the mailbox.
    pub parts: Vec<PartBox>,
    /// Pairs of boxes (indices into `parts`) that talk.
    pub links: Vec<Link>,
    /// Messages on their way.
    pub flights: Vec<Flight>,
    /// What was lost, counted by cause.
    pub graves: Vec<Grave>,
    /// Virtual time in microseconds.
    pub now_us: i64,
}

/// One box.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PartBox {
    /// The part's name in the scene: `relay`.
    pub key: Arc<str>,
    /// What it is.
    pub role: Role,
    /// Whether it has a power cord; customers and their mailbox have none.
    pub has_cord: bool,
    /// Its power.
    pub power: Power,
    /// The line of its program that it stands on, from 1 in the scene file.
    pub line: Option<u32>,
    /// What is in volatile memory: empty for parts that run no program.
    pub memory: Vec<Chip>,
    /// What is in durable or broker-held storage.
    pub shelves: Vec<Shelf>,
}

/// What a box is; names it where the scene does not.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Role {
    /// Those who order: the source of requests, without a cord.
    Customers,
    /// Runs a handler per request.
    Service,
    /// Runs a program that polls a database and publishes.
    Relay,
    /// Runs a program that consumes from a broker.
    Consumer,
    /// Runs any other program.
    Worker,
    /// PostgreSQL.
    Database,
    /// RabbitMQ.
    Queue,
    /// The mail service.
    Mail,
    /// The customers' mailbox, without a cord.
    Mailbox,
}

/// A box's power.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Power {
    /// Running.
    On,
    /// The cord is out.
    Unplugged,
    /// The process was killed and stays down.
    Killed,
    /// The process ended by itself and starts again at this virtual time.
    Restarting {
        /// Microseconds.
        at_us: i64,
    },
}

/// A table, a queue or a pile of letters.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Shelf {
    /// Its name: `outbox`, `order.created`.
    pub name: Arc<str>,
    /// What it is.
    pub kind: ShelfKind,
    /// Whether it survives a power cut.
    pub durable: bool,
    /// What lies on it, oldest first.
    pub chips: Vec<Chip>,
}

/// Kinds of shelf.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ShelfKind {
    /// A table of rows.
    Table,
    /// A queue of entries.
    Queue,
    /// Letters.
    Letters,
}

/// One row, queue entry, message or letter. A chip of an order keeps the order's identity
/// (number, colour, glyph) everywhere.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Chip {
    /// The order it is about, if any.
    pub order: Option<u32>,
    /// 1 for the first, 2 for the second copy of the same thing, and so on.
    pub copy: u32,
    /// What to write on a chip without an order, and beside the number otherwise (may be empty).
    pub text: Arc<str>,
    /// Its state.
    pub mark: Mark,
    /// The part whose transaction holds its lock.
    pub locked_by: Option<Arc<str>>,
    /// The whole row or message, for a tooltip and the detail list.
    pub detail: Arc<str>,
}

/// The state of a chip.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mark {
    /// Committed, ready, in memory: solid.
    Plain,
    /// Written by a transaction that has not committed: dashed.
    Uncommitted,
    /// Updated by a transaction that has not committed: the old version stays readable.
    Changing,
    /// Deleted by a transaction that has not committed.
    Deleting,
    /// Marked as published or processed.
    Done,
    /// Handed to a consumer and not acknowledged yet.
    Unacked,
    /// Ready again after it was handed out before.
    Redelivered,
}

/// A line between two boxes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Link {
    /// Index of the box that asks.
    pub from: u32,
    /// Index of the box that answers.
    pub to: u32,
    /// Whether the link is cut.
    pub cut: bool,
}

/// A message on its way.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Flight {
    /// Its name in the run: `relay.8`.
    pub name: Arc<str>,
    /// Index of the box it left.
    pub from: u32,
    /// Index of the box it flies to.
    pub to: u32,
    /// What it carries.
    pub chip: Chip,
    /// What kind of message it is.
    pub kind: FlightKind,
    /// When it left, microseconds.
    pub depart_us: i64,
    /// When it arrives, microseconds.
    pub arrive_us: i64,
}

/// Kinds of message.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FlightKind {
    /// A request: a statement, a call, an order.
    Request,
    /// An answer.
    Answer,
    /// An event published to a broker.
    Publish,
    /// A broker's confirm.
    Confirm,
    /// A delivery to a consumer.
    Delivery,
    /// A consumer's acknowledgement.
    Ack,
    /// A letter to the mailbox.
    Letter,
    /// The end of a connection.
    Reset,
}

/// Lost things of one cause.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Grave {
    /// Index of the box where they died.
    pub part: u32,
    /// Why.
    pub cause: Cause,
    /// What died, oldest first.
    pub chips: Vec<Chip>,
}

/// Why something was lost.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Cause {
    /// It was in memory when the power went or the process died.
    Memory,
    /// It was written by a transaction that rolled back.
    RolledBack,
    /// It was on its way to a box without power, or over a cut link.
    Undeliverable,
    /// A learner's or the network's drop.
    Dropped,
    /// No queue was bound.
    Unroutable,
    /// It was in the broker's memory only.
    NotOnDisk,
    /// Its queue rejected, expired or over-delivered it.
    Discarded,
}
