//! What happened: the one record that the audit, the log, the stage and the digest read.

use std::fmt;
use std::hash::{Hash, Hasher};
use std::sync::Arc;

use siphasher::sip::SipHasher13;
use siphasher::sip128::{self, Hasher128 as _};

use crate::datum::Datum;
use crate::sim::setup::{PartId, Setup};

/// The name of a message or of a timer: the n-th thing that a part set going. Written
/// `relay.8`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Name {
    /// Who set it going.
    pub part: PartId,
    /// Counted from 1 over the whole run, restarts included.
    pub n: u32,
}

impl Name {
    /// The written form.
    pub fn text(self, setup: &Setup) -> String {
        format!("{}.{}", setup.part(self.part).name, self.n)
    }

    /// One number for it, unique in a run.
    pub fn number(self) -> u64 {
        u64::from(self.part.0) << 32 | u64::from(self.n)
    }
}

/// One call of a program: which part made it, on which line, for which time.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Site {
    /// The caller.
    pub part: PartId,
    /// The line in the scene file, from 1.
    pub line: u32,
    /// It is the n-th call of that line by that part, from 1, restarts included.
    pub nth: u32,
}

/// Where in the life of a call an event stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Phase {
    /// The call leaves in this step; `before` is the moment before it.
    Leaves,
    /// The call took effect in this step; `effect` is the moment after it.
    Effect,
    /// The caller has got the answer in this step; `answer` is the moment after it.
    Answer,
}

/// What a call asks for, in the field's words: `INSERT` and `outbox`, `publish` and
/// `order.created`, `send` and `letter`.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Ask {
    /// An SQL verb in capitals, or a method.
    pub verb: Arc<str>,
    /// A table, a queue, a kind of letter; may be empty.
    pub object: Arc<str>,
}

impl fmt::Display for Ask {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.verb)?;
        if !self.object.is_empty() {
            f.write_str(" ")?;
            f.write_str(&self.object)?;
        }
        Ok(())
    }
}

/// One event. Several may stand in one step.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Event {
    /// The step that it belongs to, from 1; a fault carries the number of the step that it
    /// comes before.
    pub step: u64,
    /// Virtual time in microseconds.
    pub time_us: i64,
    /// Where it happened.
    pub part: PartId,
    /// What happened.
    pub what: What,
    /// The order that it is about, if one can be told.
    pub order: Option<i64>,
    /// The call that it belongs to.
    pub call: Option<(Site, Phase)>,
    /// The message or timer that caused it.
    pub cause: Option<Name>,
}

/// Why something will never arrive or come to be.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Loss {
    /// It was in memory.
    Memory,
    /// Its transaction rolled back.
    RolledBack,
    /// The receiver has no power.
    NoPower,
    /// The connection that it came over is gone.
    NoConnection,
    /// Dropped on the way.
    Dropped,
    /// No queue was bound.
    Unroutable,
    /// Its broker went down before it was on disk.
    NotOnDisk,
    /// The queue rejected, expired or over-delivered it.
    Discarded,
}

/// What happened.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum What {
    /// Customers sent an order.
    Ordered,
    /// A service began to handle an order.
    OrderArrived,
    /// A service answered an order: `true` is 200, `false` 500.
    OrderAnswered(bool),
    /// The customer has the answer.
    CustomerTold(bool),
    /// The customer's connection broke before any answer.
    CustomerUnsure,
    /// A call left.
    Called {
        /// For what.
        ask: Ask,
        /// To whom.
        to: PartId,
    },
    /// A server carried a call out.
    Executed {
        /// What it did.
        ask: Ask,
        /// For whom.
        by: PartId,
        /// Rows touched or returned, where that means something.
        rows: Option<u32>,
    },
    /// A server refused a call; nothing changed.
    Refused {
        /// What.
        ask: Ask,
        /// For whom.
        by: PartId,
        /// The error's code.
        code: Arc<str>,
    },
    /// A statement waits for a lock.
    Waits {
        /// What.
        ask: Ask,
        /// Whose.
        by: PartId,
        /// Who holds the lock, if it is a live part's transaction.
        holder: Option<PartId>,
    },
    /// A query passed over rows that others hold.
    Skipped {
        /// For whom.
        by: PartId,
        /// How many.
        rows: u32,
    },
    /// An answer left the server.
    AnswerLeft {
        /// To whom.
        to: PartId,
        /// Of what.
        ask: Ask,
    },
    /// An answer arrived, and the program went on; the code is there if it is an error.
    Answered {
        /// From whom.
        from: PartId,
        /// Of what.
        ask: Ask,
        /// The error.
        code: Option<Arc<str>>,
    },
    /// A queue stored a message.
    Stored(Arc<str>),
    /// A message reached the disk.
    Flushed(Arc<str>),
    /// A confirm left the broker.
    Confirmed(PartId),
    /// A message left the broker for a consumer.
    Delivered {
        /// To whom.
        to: PartId,
        /// It had been handed over before.
        redelivered: bool,
    },
    /// A message reached its consumer, and the handler began.
    Received {
        /// It had been handed over before.
        redelivered: bool,
    },
    /// The broker forgot a message, since its consumer acknowledged it.
    Acked(PartId),
    /// A message is ready again.
    Requeued(Arc<str>),
    /// A letter went out to the customer.
    LetterSent {
        /// The addressee.
        to: Datum,
        /// Its kind.
        kind: Arc<str>,
    },
    /// The program sleeps.
    Sleeps(i64),
    /// The program woke.
    Woke,
    /// A process began: a program from its start, a database after recovery.
    Started,
    /// A program ran to its end.
    Ended,
    /// The cord was pulled.
    Unplugged,
    /// The cord is in again.
    Plugged,
    /// The process was killed.
    Killed,
    /// A killed process may start again.
    Restarted,
    /// The process ended by an uncaught error.
    Crashed {
        /// The error's message.
        message: Arc<str>,
        /// Its code.
        code: Option<Arc<str>>,
    },
    /// A client learnt that its connection is gone.
    Disconnected(PartId),
    /// A server learnt that a client is gone.
    ClientGone {
        /// Who.
        client: PartId,
        /// A transaction of it was rolled back.
        rolled_back: bool,
    },
    /// A call was given up.
    TimedOut {
        /// Whom it went to.
        to: PartId,
        /// What.
        ask: Ask,
    },
    /// Something is gone for good.
    Lost {
        /// What it was.
        what: Arc<str>,
        /// Why.
        loss: Loss,
    },
    /// A link was cut.
    Cut(PartId),
    /// A link was mended.
    Mended(PartId),
    /// A message was made late.
    Delayed {
        /// By how many microseconds.
        by_us: i64,
    },
    /// The next COMMIT will be refused by a constraint.
    RefusalArmed,
}

impl What {
    /// The name of the kind, for logs in JSON.
    pub fn kind(&self) -> &'static str {
        match self {
            Self::Ordered => "ordered",
            Self::OrderArrived => "order-arrived",
            Self::OrderAnswered(_) => "order-answered",
            Self::CustomerTold(_) => "customer-told",
            Self::CustomerUnsure => "customer-unsure",
            Self::Called { .. } => "called",
            Self::Executed { .. } => "executed",
            Self::Refused { .. } => "refused",
            Self::Waits { .. } => "waits",
            Self::Skipped { .. } => "skipped",
            Self::AnswerLeft { .. } => "answer-left",
            Self::Answered { .. } => "answered",
            Self::Stored(_) => "stored",
            Self::Flushed(_) => "flushed",
            Self::Confirmed(_) => "confirmed",
            Self::Delivered { .. } => "delivered",
            Self::Received { .. } => "received",
            Self::Acked(_) => "acked",
            Self::Requeued(_) => "requeued",
            Self::LetterSent { .. } => "letter-sent",
            Self::Sleeps(_) => "sleeps",
            Self::Woke => "woke",
            Self::Started => "started",
            Self::Ended => "ended",
            Self::Unplugged => "unplugged",
            Self::Plugged => "plugged",
            Self::Killed => "killed",
            Self::Restarted => "restarted",
            Self::Crashed { .. } => "crashed",
            Self::Disconnected(_) => "disconnected",
            Self::ClientGone { .. } => "client-gone",
            Self::TimedOut { .. } => "timed-out",
            Self::Lost { .. } => "lost",
            Self::Cut(_) => "cut",
            Self::Mended(_) => "mended",
            Self::Delayed { .. } => "delayed",
            Self::RefusalArmed => "refusal-armed",
        }
    }
}

/// A digest of events that is the same on every machine.
#[derive(Clone, Debug, Default)]
pub struct Digest(PortableHasher);

impl Digest {
    /// Takes one more event in.
    pub fn add(&mut self, event: &Event) {
        event.hash(&mut self.0);
    }

    /// The digest so far, as 16 hexadecimal digits.
    pub fn text(&self) -> String {
        format!("{:016x}", self.0.finish())
    }
}

/// SipHash over a byte stream that does not depend on the width of `usize`.
#[derive(Clone, Debug, Default)]
pub struct Portable<H>(H);

/// The one for digests and fingerprints.
pub type PortableHasher = Portable<SipHasher13>;

impl<H: Hasher> Hasher for Portable<H> {
    fn finish(&self) -> u64 {
        self.0.finish()
    }

    fn write(&mut self, bytes: &[u8]) {
        self.0.write(bytes);
    }

    fn write_u16(&mut self, value: u16) {
        self.0.write(&value.to_le_bytes());
    }

    fn write_u32(&mut self, value: u32) {
        self.0.write(&value.to_le_bytes());
    }

    fn write_u64(&mut self, value: u64) {
        self.0.write(&value.to_le_bytes());
    }

    fn write_usize(&mut self, value: usize) {
        self.write_u64(value as u64);
    }

    fn write_i16(&mut self, value: i16) {
        self.write_u16(value as u16);
    }

    fn write_i32(&mut self, value: i32) {
        self.write_u32(value as u32);
    }

    fn write_i64(&mut self, value: i64) {
        self.write_u64(value as u64);
    }

    fn write_isize(&mut self, value: isize) {
        self.write_i64(value as i64);
    }
}

/// The hash of a state, the same on every machine.
pub fn fingerprint(state: &impl Hash) -> u64 {
    let mut hasher = PortableHasher::default();
    state.hash(&mut hasher);
    hasher.finish()
}

/// A hash so wide that two states with the same one are taken for the same state: among a
/// hundred million states the odds of a mistake are below one in 10²².
pub(super) fn wide_fingerprint(state: &impl Hash) -> u128 {
    let mut hasher = Portable::<sip128::SipHasher13>::default();
    state.hash(&mut hasher);
    hasher.0.finish128().as_u128()
}
