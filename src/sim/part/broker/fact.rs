//! What happened inside the broker: the evidence that the audit, the stage and the log read.

use std::sync::Arc;

use super::message::{ConnId, EntryId, QueueId, Tag};

/// One thing that happened.
///
/// Invariant: every entry has one [`Stored`](Fact::Stored) and at most one of
/// [`Acked`](Fact::Acked), [`Dropped`](Fact::Dropped) and [`DeadLettered`](Fact::DeadLettered);
/// until that one it is in its queue.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Fact {
    /// A queue accepted a message.
    Stored {
        /// The new entry.
        entry: EntryId,
        /// The queue.
        queue: QueueId,
        /// The publish that it stems from.
        origin: u64,
    },
    /// The entry reached the disk.
    Flushed {
        /// The entry.
        entry: EntryId,
    },
    /// The entry was handed to a consumer.
    Delivered {
        /// The entry.
        entry: EntryId,
        /// To whom.
        conn: ConnId,
        /// Its delivery tag.
        tag: Tag,
        /// It was handed over before.
        redelivered: bool,
    },
    /// The entry is done: acknowledged, or handed to a consumer that never acknowledges.
    Acked {
        /// The entry.
        entry: EntryId,
        /// By or for whom.
        conn: ConnId,
        /// Forgotten at hand-over.
        automatic: bool,
        /// The publish that it stems from.
        origin: u64,
    },
    /// The entry is ready again.
    Requeued {
        /// The entry.
        entry: EntryId,
        /// Why.
        cause: ReturnCause,
    },
    /// A queue gave the message to its dead-letter queue, where it is a new entry.
    DeadLettered {
        /// The entry that is no more.
        entry: EntryId,
        /// Its successor, whose own `Stored` fact comes just before.
        successor: EntryId,
        /// Why.
        cause: Cause,
    },
    /// The message, or this copy of it, is gone.
    Dropped {
        /// The entry, if any queue had taken it.
        entry: Option<EntryId>,
        /// The publish that it stems from.
        origin: u64,
        /// Why.
        cause: Cause,
    },
    /// A confirm that was owed will never be sent: its connection is gone.
    ConfirmLost {
        /// Whose.
        conn: ConnId,
        /// The publish.
        token: u64,
    },
    /// A queue came into being.
    QueueDeclared {
        /// Which.
        queue: QueueId,
    },
    /// A queue that does not survive a restart is gone.
    QueueGone {
        /// Which.
        queue: QueueId,
    },
    /// The broker closed a channel.
    Closed {
        /// Whose.
        conn: ConnId,
        /// Why.
        reason: CloseReason,
    },
    /// A request came over a connection that the broker no longer has; it did nothing.
    Ignored {
        /// Whose.
        conn: ConnId,
    },
}

/// Why a message left its queue, or found none.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Cause {
    /// No queue was bound; the publisher is told nothing, or even gets a confirm.
    Unroutable,
    /// No queue was bound, and the message was sent back, being mandatory.
    Returned,
    /// There is no such exchange; the channel is closed.
    NoExchange,
    /// A consumer rejected it without requeue.
    Rejected,
    /// It was given back more often than the delivery limit allows.
    DeliveryLimit,
    /// It waited longer than the queue's time to live.
    Expired,
    /// The broker went down, and the message was a transient one.
    Transient,
    /// The broker went down before the message reached the disk.
    NotOnDisk,
    /// The broker went down, and the queue was not durable.
    QueueGone,
}

/// Why an entry became ready again.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ReturnCause {
    /// Its consumer asked for it.
    Nack,
    /// Its consumer's connection is gone.
    Disconnected,
    /// The broker closed the channel of its consumer.
    Closed,
    /// The broker went down and came back.
    Restarted,
}

/// Why the broker closed a channel.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum CloseReason {
    /// `PRECONDITION_FAILED`: this channel has no unacknowledged delivery with that tag.
    UnknownTag(Tag),
    /// `PRECONDITION_FAILED`: a delivery was not acknowledged in time ("Consumers",
    /// acknowledgement time-out).
    ConsumerTimeout(Tag),
    /// `NOT_FOUND`: no such exchange.
    NoExchange(Arc<str>),
    /// `NOT_FOUND`: no such queue.
    NoQueue(Arc<str>),
}

impl CloseReason {
    /// The reply code of AMQP 0-9-1 and its name.
    pub fn code(&self) -> (u16, &'static str) {
        match self {
            Self::UnknownTag(_) | Self::ConsumerTimeout(_) => (406, "PRECONDITION_FAILED"),
            Self::NoExchange(_) | Self::NoQueue(_) => (404, "NOT_FOUND"),
        }
    }
}
