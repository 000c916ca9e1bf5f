//! What crosses the link between a client and the broker: messages, requests, outputs.

use std::sync::Arc;

use super::fact::CloseReason;
use super::machine::Rename;
use crate::datum::Datum;

/// A connection with its one channel. The world never uses a number twice, so that a closed
/// connection cannot come back to life.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ConnId(pub u32);

/// A queue, by its place in the configuration.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct QueueId(pub u32);

/// One copy of a message in one queue. Numbers grow over the broker's whole life.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct EntryId(pub u64);

/// A delivery tag: counted from 1 on each channel, meaningless on any other
/// ("Consumer Acknowledgements and Publisher Confirms").
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Tag(pub u64);

/// A message as its publisher made it. Nothing in it changes on redelivery.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Message {
    /// The routing key.
    pub topic: Arc<str>,
    /// The body.
    pub body: Datum,
    /// The publisher's key, such as the order that the message is about. Queues ignore it.
    pub key: Option<Arc<str>>,
    /// The `message_id` property: what the publisher set, or nothing.
    pub message_id: Option<Datum>,
    /// Delivery mode 2.
    pub persistent: bool,
    /// The world's number of the publish: two publishes of one event differ in it.
    pub origin: u64,
}

impl Message {
    /// The same without the number of its publish, which nothing depends on.
    pub(crate) fn without_origin(&self) -> Arc<Self> {
        let body = self.body.without_time();
        Arc::new(Self { origin: 0, body, ..self.clone() })
    }
}

/// What a client may ask. `token` is the caller's own number of the call, unique on its
/// connection; it comes back in the output that belongs to the call.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Request {
    /// `basic.publish`, which has no reply of its own.
    Publish {
        /// The exchange; `""` is the default one, whose routing key is the queue's name.
        exchange: Arc<str>,
        /// The message.
        message: Arc<Message>,
        /// Send it back if no queue takes it.
        mandatory: bool,
        /// The channel is in confirm mode.
        confirm: bool,
        /// The caller's number of this publish.
        token: u64,
    },
    /// `basic.consume`.
    Subscribe {
        /// The queue's name.
        queue: Arc<str>,
        /// How many unacknowledged deliveries the consumer may hold; 0 is no limit.
        prefetch: u32,
        /// Hand over and forget.
        auto_ack: bool,
        /// The consumer's number.
        token: u64,
    },
    /// `basic.ack` of one delivery.
    Ack {
        /// The delivery.
        tag: Tag,
    },
    /// `basic.nack` of one delivery.
    Nack {
        /// The delivery.
        tag: Tag,
        /// Put it back, or else reject it for good.
        requeue: bool,
    },
    /// `basic.cancel`: no more deliveries; the unacknowledged ones stay with the client.
    Cancel {
        /// The consumer's number.
        consumer: u64,
        /// The caller's number of this call.
        token: u64,
    },
    /// `queue.declare` of a queue that the configuration knows. Declaring twice is harmless.
    Declare {
        /// The queue's name.
        queue: Arc<str>,
        /// The caller's number of this call.
        token: u64,
    },
}

/// What the broker sends.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Output {
    /// `basic.ack` to a publisher.
    Confirm {
        /// To whom.
        conn: ConnId,
        /// The publish that it is for.
        token: u64,
    },
    /// `basic.return` of a mandatory message that no queue took.
    Return {
        /// To whom.
        conn: ConnId,
        /// The publish that it is for.
        token: u64,
        /// The message.
        message: Arc<Message>,
    },
    /// `basic.deliver`.
    Deliver {
        /// To whom.
        conn: ConnId,
        /// The consumer's number.
        token: u64,
        /// What to acknowledge it by.
        tag: Tag,
        /// The queue that it comes from.
        queue: QueueId,
        /// The entry that is handed over.
        entry: EntryId,
        /// This entry was handed over before; nothing is said about other copies.
        redelivered: bool,
        /// How many times it has been handed over, this time included.
        deliveries: u32,
        /// The message.
        message: Arc<Message>,
    },
    /// `basic.cancel-ok`.
    Cancelled {
        /// To whom.
        conn: ConnId,
        /// The call that it is for.
        token: u64,
    },
    /// `queue.declare-ok`.
    Declared {
        /// To whom.
        conn: ConnId,
        /// The call that it is for.
        token: u64,
    },
    /// The broker closed the channel. Nothing follows on this connection.
    Closed {
        /// To whom.
        conn: ConnId,
        /// Why.
        reason: CloseReason,
    },
}

impl Output {
    /// Puts other numbers in.
    pub(super) fn canonical(&mut self, names: &dyn Rename) {
        match self {
            Self::Confirm { conn, token }
            | Self::Cancelled { conn, token }
            | Self::Declared { conn, token } => {
                *token = names.token(*conn, *token);
                *conn = names.conn(*conn);
            }
            Self::Return { conn, token, message } => {
                *token = names.token(*conn, *token);
                *conn = names.conn(*conn);
                *message = message.without_origin();
            }
            Self::Deliver { conn, token, tag, entry, deliveries, message, .. } => {
                *token = names.token(*conn, *token);
                *tag = names.tag(*conn, *tag);
                *conn = names.conn(*conn);
                (*entry, *deliveries) = (EntryId(0), 0);
                *message = message.without_origin();
            }
            Self::Closed { conn, reason } => {
                if let CloseReason::UnknownTag(tag) | CloseReason::ConsumerTimeout(tag) = reason {
                    *tag = Tag(0);
                }
                *conn = names.conn(*conn);
            }
        }
    }

    /// The connection that it is for.
    pub fn conn(&self) -> ConnId {
        match self {
            Self::Confirm { conn, .. }
            | Self::Return { conn, .. }
            | Self::Deliver { conn, .. }
            | Self::Cancelled { conn, .. }
            | Self::Declared { conn, .. }
            | Self::Closed { conn, .. } => *conn,
        }
    }
}
