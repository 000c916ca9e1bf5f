//! The broker's state, and what requests, lost connections and power cuts do to it.

use std::sync::Arc;

use super::config::{Config, QueueConfig};
use super::fact::{Cause, CloseReason, Fact, ReturnCause};
use super::message::{ConnId, EntryId, Message, Output, QueueId, Request, Tag};
use super::queue::{Consumer, Entry, EntryState, Queue};
use super::route::{find, route};

/// A broker. Every method is total: a request that makes no sense is answered as RabbitMQ
/// would, and one over a connection that is gone does nothing.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct QueueBroker {
    pub(super) config: Arc<Config>,
    /// One for each configured queue, in the same order.
    pub(super) queues: Vec<Arc<Queue>>,
    /// Open connections by number.
    pub(super) conns: Vec<Conn>,
    next_entry: u64,
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

    /// A client connects. Connecting twice under one number changes nothing.
    pub fn connect(&mut self, conn: ConnId) {
        if let Err(place) = self.conns.binary_search_by_key(&conn, |open| open.id) {
            let fresh = Conn { id: conn, next_tag: 1, answers: Vec::new(), closing: false };
            self.conns.insert(place, fresh);
        }
    }

    /// A request arrives at `now_us`, in microseconds of virtual time. A publish is stored here;
    /// its confirm is a later step.
    pub fn receive(&mut self, conn: ConnId, request: &Request, now_us: i64, facts: &mut Vec<Fact>) {
        if !self.is_open(conn) {
            facts.push(Fact::Ignored { conn });
            return;
        }
        match request {
            Request::Publish { .. } => self.publish(conn, request, now_us, facts),
            Request::Subscribe { queue, prefetch, auto_ack, token } => {
                let (prefetch, auto_ack, token) = (*prefetch, *auto_ack, *token);
                let consumer = Consumer { conn, token, prefetch, auto_ack };
                self.subscribe(queue, consumer, now_us, facts);
            }
            Request::Ack { tag } => self.ack(conn, *tag, now_us, facts),
            Request::Nack { tag, requeue } => self.nack(conn, *tag, *requeue, now_us, facts),
            Request::Cancel { consumer, token } => {
                self.remove_consumers(|known| known.conn == conn && known.token == *consumer);
                self.answer(conn, Output::Cancelled { conn, token: *token }, false);
            }
            Request::Declare { queue, token } => self.declare(conn, queue, *token, now_us, facts),
        }
    }

    /// The connection is closed, or noticed to be dead: what its consumers held is ready again,
    /// at its old place and flagged; confirms not sent yet never will be.
    pub fn disconnect(&mut self, conn: ConnId, now_us: i64, facts: &mut Vec<Fact>) {
        self.release(conn, ReturnCause::Disconnected, now_us, facts);
        self.conns.retain(|open| open.id != conn);
    }

    /// The power goes, or the process is killed. All connections are gone; what was not on disk
    /// is gone; queues that are not durable are gone. The state afterwards is that of the
    /// restarted broker ("Queues", durability; "Reliability Guide").
    pub fn crash(&mut self, now_us: i64, facts: &mut Vec<Fact>) {
        for conn in std::mem::take(&mut self.conns) {
            report_lost_confirms(&conn, facts);
        }
        for id in self.queue_ids() {
            self.lose_volatile(id, facts);
        }
        for id in self.queue_ids() {
            let held = self.queue(id).map(|queue| queue.ids(|entry| !entry.is_ready()));
            for entry in held.unwrap_or_default() {
                self.give_back(id, entry, ReturnCause::Restarted, now_us, facts);
            }
        }
    }

    /// A delivery has not been acknowledged in time: the channel is closed and all that it held
    /// returns ("Consumers", acknowledgement time-out). A tag no longer held changes nothing.
    pub fn time_out(&mut self, conn: ConnId, tag: Tag, now_us: i64, facts: &mut Vec<Fact>) {
        if self.held(conn, tag).is_some() {
            self.close(conn, CloseReason::ConsumerTimeout(tag), now_us, facts);
        }
    }

    /// Drops or dead-letters what has outlived its queue's time to live. Only the head of a
    /// queue expires ("Time-to-Live and Expiration"); the world calls this when
    /// [`next_expiry_us`](Self::next_expiry_us) is due.
    pub fn expire(&mut self, now_us: i64, facts: &mut Vec<Fact>) {
        for id in self.queue_ids() {
            // What is dead-lettered into the same queue is stored now: it is not seen again.
            let due = self.queue(id).map_or(0, |queue| queue.entries.len());
            for _ in 0..due {
                let Some((entry, expiry_us)) = self.head_expiry(id) else { break };
                if expiry_us > now_us {
                    break;
                }
                self.bury(id, entry, Cause::Expired, now_us, facts);
            }
        }
    }

    /// When the next message expires, in microseconds of virtual time.
    pub fn next_expiry_us(&self) -> Option<i64> {
        self.queue_ids().into_iter().filter_map(|id| self.head_expiry(id)).map(|(_, us)| us).min()
    }

    /// The fault of a doubled entry: a second copy of a message, right behind the first, as if it
    /// had been published twice. Nothing happens if there is no such entry.
    pub fn duplicate(&mut self, entry: EntryId, now_us: i64, facts: &mut Vec<Fact>) {
        let place = |id| self.queue(id)?.position(entry).map(|place| (id, place));
        let Some((id, place)) = self.queue_ids().into_iter().find_map(place) else { return };
        let original = self.queue(id).and_then(|queue| queue.entries.get(place));
        let Some(message) = original.map(|original| original.message.clone()) else { return };
        self.store(id, message, now_us, facts);
        if let Some(queue) = self.queue_mut(id)
            && let Some(behind) = queue.entries.get_mut(place + 1..)
        {
            behind.rotate_right(usize::from(!behind.is_empty()));
        }
    }

    fn publish(&mut self, conn: ConnId, request: &Request, now_us: i64, facts: &mut Vec<Fact>) {
        let Request::Publish { exchange, message, mandatory, confirm, token } = request else {
            return;
        };
        let (origin, token) = (message.origin, *token);
        let Some(mut targets) = route(&self.config, exchange, &message.topic) else {
            facts.push(Fact::Dropped { entry: None, origin, cause: Cause::NoExchange });
            self.close(conn, CloseReason::NoExchange(exchange.clone()), now_us, facts);
            return;
        };
        targets.retain(|id| self.queue(*id).is_some_and(|queue| queue.exists));
        if targets.is_empty() {
            let cause = if *mandatory { Cause::Returned } else { Cause::Unroutable };
            facts.push(Fact::Dropped { entry: None, origin, cause });
            if *mandatory {
                let message = message.clone();
                self.answer(conn, Output::Return { conn, token, message }, false);
            }
        }
        let mut after_flush = false;
        for id in targets {
            after_flush |= self.queue_config(id).is_some_and(|to| to.writes(message.persistent));
            self.store(id, message.clone(), now_us, facts);
        }
        if *confirm {
            self.answer(conn, Output::Confirm { conn, token }, after_flush);
        }
    }

    fn subscribe(
        &mut self,
        name: &Arc<str>,
        consumer: Consumer,
        now_us: i64,
        facts: &mut Vec<Fact>,
    ) {
        let queue = find(&self.config, name).and_then(|id| self.queue_mut(id));
        match queue.filter(|queue| queue.exists) {
            Some(queue) => queue.consumers.push(consumer),
            None => self.close(consumer.conn, CloseReason::NoQueue(name.clone()), now_us, facts),
        }
    }

    fn declare(
        &mut self,
        conn: ConnId,
        name: &Arc<str>,
        token: u64,
        now_us: i64,
        facts: &mut Vec<Fact>,
    ) {
        let Some(id) = find(&self.config, name) else {
            self.close(conn, CloseReason::NoQueue(name.clone()), now_us, facts);
            return;
        };
        if let Some(queue) = self.queue_mut(id)
            && !queue.exists
        {
            queue.exists = true;
            facts.push(Fact::QueueDeclared { queue: id });
        }
        self.answer(conn, Output::Declared { conn, token }, false);
    }

    fn ack(&mut self, conn: ConnId, tag: Tag, now_us: i64, facts: &mut Vec<Fact>) {
        let Some((queue, entry)) = self.held(conn, tag) else {
            self.close(conn, CloseReason::UnknownTag(tag), now_us, facts);
            return;
        };
        if let Some(done) = self.queue_mut(queue).and_then(|queue| queue.remove(entry)) {
            let origin = done.message.origin;
            facts.push(Fact::Acked { entry, conn, automatic: false, origin });
        }
    }

    fn nack(&mut self, conn: ConnId, tag: Tag, requeue: bool, now_us: i64, facts: &mut Vec<Fact>) {
        match self.held(conn, tag) {
            None => self.close(conn, CloseReason::UnknownTag(tag), now_us, facts),
            Some((queue, entry)) if requeue => {
                self.give_back(queue, entry, ReturnCause::Nack, now_us, facts);
            }
            Some((queue, entry)) => self.bury(queue, entry, Cause::Rejected, now_us, facts),
        }
    }

    /// Closes a channel for its client's mistake or slowness.
    fn close(&mut self, conn: ConnId, reason: CloseReason, now_us: i64, facts: &mut Vec<Fact>) {
        facts.push(Fact::Closed { conn, reason: reason.clone() });
        self.release(conn, ReturnCause::Closed, now_us, facts);
        if let Some(open) = self.conn_mut(conn) {
            open.closing = true;
            let output = Output::Closed { conn, reason };
            open.answers = vec![Answer { output, after_flush: false }];
        }
    }

    /// Forgets a connection's consumers, takes back what they held, and gives up its confirms.
    fn release(&mut self, conn: ConnId, cause: ReturnCause, now_us: i64, facts: &mut Vec<Fact>) {
        if let Some(open) = self.conn_mut(conn) {
            report_lost_confirms(open, facts);
        }
        self.remove_consumers(|consumer| consumer.conn == conn);
        for id in self.queue_ids() {
            let held = self.queue(id).map(|queue| queue.ids(|entry| entry.is_held_by(conn)));
            for entry in held.unwrap_or_default() {
                self.give_back(id, entry, cause, now_us, facts);
            }
        }
    }

    /// Makes an entry ready again, unless this was one return too many. Its place stays, but for
    /// a requeue by the consumer in a quorum queue without a delivery limit.
    fn give_back(
        &mut self,
        id: QueueId,
        entry: EntryId,
        cause: ReturnCause,
        now_us: i64,
        facts: &mut Vec<Fact>,
    ) {
        let Some(config) = self.queue_config(id) else { return };
        let limit = config.limit();
        let to_back = cause == ReturnCause::Nack && config.requeues_at_back();
        let Some(queue) = self.queue_mut(id) else { return };
        let Some(place) = queue.position(entry) else { return };
        let returned = &mut queue.entries[place];
        returned.state = EntryState::Ready;
        returned.redelivered = true;
        if limit.is_some_and(|limit| returned.deliveries > limit) {
            self.bury(id, entry, Cause::DeliveryLimit, now_us, facts);
            return;
        }
        if to_back {
            queue.entries[place..].rotate_left(1);
        }
        facts.push(Fact::Requeued { entry, cause });
    }

    /// Takes an entry out for good: to the dead-letter queue if there is one, else nowhere.
    /// The dead-letter copy is a fresh entry that is not on disk yet ("Dead Letter Exchanges":
    /// the move itself is not confirmed).
    fn bury(
        &mut self,
        id: QueueId,
        entry: EntryId,
        cause: Cause,
        now_us: i64,
        facts: &mut Vec<Fact>,
    ) {
        let Some(gone) = self.queue_mut(id).and_then(|queue| queue.remove(entry)) else { return };
        let name = self.queue_config(id).and_then(|config| config.dead_letter.clone());
        let target = name.and_then(|name| find(&self.config, &name));
        match target.filter(|to| self.queue(*to).is_some_and(|queue| queue.exists)) {
            Some(target) => {
                let successor = self.store(target, gone.message, now_us, facts);
                facts.push(Fact::DeadLettered { entry, successor, cause });
            }
            None => {
                let origin = gone.message.origin;
                facts.push(Fact::Dropped { entry: Some(entry), origin, cause });
            }
        }
    }

    /// Puts a message at the end of a queue.
    fn store(
        &mut self,
        id: QueueId,
        message: Arc<Message>,
        now_us: i64,
        facts: &mut Vec<Fact>,
    ) -> EntryId {
        let entry = EntryId(self.next_entry);
        self.next_entry += 1;
        facts.push(Fact::Stored { entry, queue: id, origin: message.origin });
        if let Some(queue) = self.queue_mut(id) {
            queue.entries.push(Entry {
                id: entry,
                message,
                state: EntryState::Ready,
                redelivered: false,
                deliveries: 0,
                on_disk: false,
                stored_us: now_us,
            });
        }
        entry
    }

    /// What a restart takes from one queue.
    fn lose_volatile(&mut self, id: QueueId, facts: &mut Vec<Fact>) {
        let Some(config) = self.config.queues.get(id.0 as usize) else { return };
        let Some(queue) = self.queues.get_mut(id.0 as usize).map(Arc::make_mut) else { return };
        queue.consumers.clear();
        let survives = config.survives();
        queue.entries.retain(|entry| {
            let cause = match entry.on_disk && survives {
                true => return true,
                false if !survives => Cause::QueueGone,
                false if !config.writes(entry.message.persistent) => Cause::Transient,
                false => Cause::NotOnDisk,
            };
            let origin = entry.message.origin;
            facts.push(Fact::Dropped { entry: Some(entry.id), origin, cause });
            false
        });
        if queue.exists && !survives {
            queue.exists = false;
            facts.push(Fact::QueueGone { queue: id });
        }
    }

    fn remove_consumers(&mut self, which: impl Fn(&Consumer) -> bool) {
        for queue in &mut self.queues {
            if queue.consumers.iter().any(&which) {
                Arc::make_mut(queue).consumers.retain(|consumer| !which(consumer));
            }
        }
    }

    fn head_expiry(&self, id: QueueId) -> Option<(EntryId, i64)> {
        let ttl_us = self.queue_config(id)?.ttl_us?;
        let queue = self.queue(id)?;
        let head = queue.entries.get(queue.head()?)?;
        Some((head.id, head.stored_us.saturating_add(ttl_us)))
    }

    fn held(&self, conn: ConnId, tag: Tag) -> Option<(QueueId, EntryId)> {
        self.queue_ids().into_iter().find_map(|id| {
            let entry = self.queue(id)?.entries.iter().find(|entry| entry.has_tag(conn, tag))?;
            Some((id, entry.id))
        })
    }

    fn answer(&mut self, conn: ConnId, output: Output, after_flush: bool) {
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

    pub(super) fn queue_ids(&self) -> Vec<QueueId> {
        (0u32..).zip(&self.queues).map(|(number, _)| QueueId(number)).collect()
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

fn report_lost_confirms(conn: &Conn, facts: &mut Vec<Fact>) {
    for answer in &conn.answers {
        if let Output::Confirm { conn, token } = answer.output {
            facts.push(Fact::ConfirmLost { conn, token });
        }
    }
}
