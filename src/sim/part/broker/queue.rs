//! One queue: its entries in order, and the consumers that wait on it.

use std::sync::Arc;

use super::config::QueueConfig;
use super::fact::Cause;
use super::message::{ConnId, EntryId, Message, QueueId, Tag};

/// A copy of a message in a queue. It keeps its place while a consumer holds it.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Entry {
    /// Its number.
    pub id: EntryId,
    /// The message.
    pub message: Arc<Message>,
    /// Ready, or with whom.
    pub state: EntryState,
    /// A consumer held it before and did not acknowledge it.
    pub redelivered: bool,
    /// How many times it was handed over.
    pub deliveries: u32,
    /// It has been written to disk.
    pub on_disk: bool,
    /// When it was stored, in microseconds of virtual time.
    pub stored_us: i64,
    /// From which queues it was dead-lettered on its way here, and why: the latest first, each
    /// pair once (the `x-death` header, "Dead Letter Exchanges").
    pub deaths: Vec<Death>,
}

/// A message was dead-lettered from a queue.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Death {
    /// The queue that it left.
    pub queue: QueueId,
    /// Why it left.
    pub cause: Cause,
}

/// Where an entry is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum EntryState {
    /// Waiting for a consumer.
    Ready,
    /// Handed over, not acknowledged yet.
    Unacked {
        /// The consumer's connection.
        conn: ConnId,
        /// The consumer's number on it.
        consumer: u64,
        /// The delivery tag.
        tag: Tag,
    },
}

impl Entry {
    pub(super) fn new(
        id: EntryId,
        message: Arc<Message>,
        stored_us: i64,
        deaths: Vec<Death>,
    ) -> Self {
        let (state, redelivered, deliveries, on_disk) = (EntryState::Ready, false, 0, false);
        Self { id, message, state, redelivered, deliveries, on_disk, stored_us, deaths }
    }

    /// The deaths of this entry once one more is counted.
    pub(super) fn deaths_with(&self, latest: Death) -> Vec<Death> {
        let earlier = self.deaths.iter().copied().filter(|death| *death != latest);
        std::iter::once(latest).chain(earlier).collect()
    }

    pub(super) fn is_ready(&self) -> bool {
        self.state == EntryState::Ready
    }

    pub(super) fn is_held_by(&self, whose: ConnId) -> bool {
        matches!(self.state, EntryState::Unacked { conn, .. } if conn == whose)
    }

    pub(super) fn has_tag(&self, whose: ConnId, which: Tag) -> bool {
        matches!(self.state, EntryState::Unacked { conn, tag, .. } if conn == whose && tag == which)
    }
}

/// Somebody who takes messages from one queue.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct Consumer {
    pub(super) conn: ConnId,
    pub(super) token: u64,
    pub(super) prefetch: u32,
    pub(super) auto_ack: bool,
}

/// The state of one queue. Entries stand in the order in which they will be handed out;
/// consumers in the order in which their turn comes.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub(super) struct Queue {
    pub(super) exists: bool,
    pub(super) entries: Vec<Entry>,
    pub(super) consumers: Vec<Consumer>,
}

impl Queue {
    /// The place of the first entry that waits.
    pub(super) fn head(&self) -> Option<usize> {
        self.entries.iter().position(Entry::is_ready)
    }

    /// The place of the consumer whose turn it is: the first one with room in its window.
    pub(super) fn next_consumer(&self, config: &QueueConfig) -> Option<usize> {
        let eligible = if config.single_active_consumer { 1 } else { self.consumers.len() };
        self.consumers.iter().take(eligible).position(|consumer| self.has_room(consumer))
    }

    /// "Consumer Prefetch": the window counts what this one consumer has not acknowledged. With
    /// automatic acknowledgement that is nothing, ever.
    fn has_room(&self, consumer: &Consumer) -> bool {
        if consumer.prefetch == 0 {
            return true;
        }
        let held = self.entries.iter().filter(|entry| {
            matches!(entry.state, EntryState::Unacked { conn, consumer: token, .. }
                if conn == consumer.conn && token == consumer.token)
        });
        held.count() < consumer.prefetch as usize
    }

    /// Sends a consumer to the end of the line.
    pub(super) fn rotate(&mut self, consumer: usize) {
        if let Some(tail) = self.consumers.get_mut(consumer..) {
            tail.rotate_left(usize::from(!tail.is_empty()));
        }
    }

    pub(super) fn position(&self, id: EntryId) -> Option<usize> {
        self.entries.iter().position(|entry| entry.id == id)
    }

    /// Takes an entry out.
    pub(super) fn remove(&mut self, id: EntryId) -> Option<Entry> {
        self.position(id).map(|place| self.entries.remove(place))
    }

    /// The ids of the entries for which something holds, in order.
    pub(super) fn ids(&self, which: impl Fn(&Entry) -> bool) -> Vec<EntryId> {
        self.entries.iter().filter(|entry| which(entry)).map(|entry| entry.id).collect()
    }
}

/// Whether a message that died so would come back to a queue without anybody having rejected it:
/// the broker drops it then, lest it go round for ever ("Dead Letter Exchanges", cycles).
pub(super) fn is_cycle(deaths: &[Death], target: QueueId) -> bool {
    let Some(last) = deaths.iter().position(|death| death.queue == target) else { return false };
    deaths.iter().take(last + 1).all(|death| death.cause != Cause::Rejected)
}
