//! The broker's state, and the small operations that its rules are made of.

use std::hash::{Hash, Hasher};
use std::sync::Arc;

use super::config::{Config, QueueConfig};
use super::fact::Fact;
use super::message::{ConnId, EntryId, Message, Output, QueueId, Tag};
use super::queue::{Consumer, Death, Entry, EntryState, Queue};
use crate::collections::sort_by;

/// A broker. Every method is total: a request that makes no sense is answered as RabbitMQ
/// would, and one over a connection that is gone does nothing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct QueueBroker {
    pub(super) config: Arc<Config>,
    /// One for each configured queue, in the same order.
    pub(super) queues: Vec<Arc<Queue>>,
    /// Open connections by number.
    pub(super) conns: Vec<Conn>,
    next_entry: u64,
}

/// The configuration never changes and is left out: hashing is the explorer's daily bread.
impl Hash for QueueBroker {
    fn hash<H: Hasher>(&self, state: &mut H) {
        let Self { config: _, queues, conns, next_entry } = self;
        (queues, conns, next_entry).hash(state);
    }
}

/// Other numbers for what the world numbers.
pub(crate) trait Rename {
    /// A connection.
    fn conn(&self, conn: ConnId) -> ConnId;
    /// A call of the client of a connection.
    fn token(&self, conn: ConnId, token: u64) -> u64;
    /// A delivery on a connection.
    fn tag(&self, conn: ConnId, tag: Tag) -> Tag;
}

/// A connection and its channel.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct Conn {
    pub(super) id: ConnId,
    pub(super) next_tag: u64,
    /// What is to be sent besides deliveries, eldest first.
    pub(super) answers: Vec<Answer>,
    /// The channel is closed; only the notice of it is still to be sent.
    pub(super) closing: bool,
}

/// An output that waits to be sent.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct Answer {
    pub(super) output: Output,
    /// It may not be sent before the next flush.
    pub(super) after_flush: bool,
}

impl QueueBroker {
    /// A broker with its declared queues, empty, and no connections.
    pub fn new(config: Arc<Config>) -> Self {
        let declared =
            |queue: &QueueConfig| Arc::new(Queue { exists: queue.declared, ..Queue::default() });
        let queues = config.queues.iter().map(declared).collect();
        Self { config, queues, conns: Vec::new(), next_entry: 1 }
    }

    /// Forgets times and the numbers of publishes, and gives everything else other numbers in
    /// the same order: the broker will do just the same under them.
    pub(crate) fn canonical(&mut self, names: &dyn Rename) {
        self.next_entry = 0;
        for (queue, config) in self.queues.iter_mut().zip(&self.config.queues) {
            let queue = Arc::make_mut(queue);
            // Deliveries count up to the limit of the queue; without one nobody asks.
            let deliveries_max = config.limit().map_or(0, |limit| limit.saturating_add(1));
            for consumer in &mut queue.consumers {
                consumer.token = names.token(consumer.conn, consumer.token);
                consumer.conn = names.conn(consumer.conn);
            }
            for (number, entry) in (1..).zip(&mut queue.entries) {
                entry.id = EntryId(number);
                entry.stored_us = 0;
                entry.deliveries = entry.deliveries.min(deliveries_max);
                entry.message = entry.message.without_origin();
                if let EntryState::Unacked { conn, consumer, tag } = &mut entry.state {
                    *consumer = names.token(*conn, *consumer);
                    *tag = names.tag(*conn, *tag);
                    *conn = names.conn(*conn);
                }
            }
        }
        for conn in &mut self.conns {
            conn.next_tag = 0;
            for answer in &mut conn.answers {
                answer.output.canonical(names);
            }
            conn.id = names.conn(conn.id);
        }
        sort_by(&mut self.conns, |a, b| a.id.cmp(&b.id));
    }

    /// A client connects. Connecting twice under one number changes nothing.
    pub fn connect(&mut self, conn: ConnId) {
        if let Err(place) = self.conns.binary_search_by_key(&conn, |open| open.id) {
            let fresh = Conn { id: conn, next_tag: 1, answers: Vec::new(), closing: false };
            self.conns.insert(place, fresh);
        }
    }

    /// Puts a message at the end of a queue.
    pub(super) fn store(
        &mut self,
        id: QueueId,
        message: Arc<Message>,
        deaths: Vec<Death>,
        now_us: i64,
        facts: &mut Vec<Fact>,
    ) -> EntryId {
        let entry = EntryId(self.next_entry);
        self.next_entry += 1;
        facts.push(Fact::Stored { entry, queue: id, origin: message.origin });
        if let Some(queue) = self.queue_mut(id) {
            queue.entries.push(Entry::new(entry, message, now_us, deaths));
        }
        entry
    }

    pub(super) fn remove_consumers(&mut self, which: impl Fn(&Consumer) -> bool) {
        for queue in &mut self.queues {
            if queue.consumers.iter().any(&which) {
                Arc::make_mut(queue).consumers.retain(|consumer| !which(consumer));
            }
        }
    }

    pub(super) fn held(&self, conn: ConnId, tag: Tag) -> Option<(QueueId, EntryId)> {
        self.queue_ids().find_map(|id| {
            let entry = self.queue(id)?.entries.iter().find(|entry| entry.has_tag(conn, tag))?;
            Some((id, entry.id))
        })
    }

    pub(super) fn answer(&mut self, conn: ConnId, output: Output, after_flush: bool) {
        if let Some(open) = self.conn_mut(conn) {
            open.answers.push(Answer { output, after_flush });
        }
    }

    pub(super) fn is_open(&self, conn: ConnId) -> bool {
        self.conns.iter().any(|open| open.id == conn && !open.closing)
    }

    pub(super) fn conn_mut(&mut self, conn: ConnId) -> Option<&mut Conn> {
        self.conns.iter_mut().find(|open| open.id == conn)
    }

    pub(super) fn queue_ids(&self) -> impl Iterator<Item = QueueId> + use<> {
        (0..u32::try_from(self.queues.len()).unwrap_or(u32::MAX)).map(QueueId)
    }

    pub(super) fn queue_config(&self, id: QueueId) -> Option<&QueueConfig> {
        self.config.queues.get(id.0 as usize)
    }

    pub(super) fn queue(&self, id: QueueId) -> Option<&Queue> {
        self.queues.get(id.0 as usize).map(|queue| &**queue)
    }

    pub(super) fn queue_mut(&mut self, id: QueueId) -> Option<&mut Queue> {
        self.queues.get_mut(id.0 as usize).map(Arc::make_mut)
    }
}
