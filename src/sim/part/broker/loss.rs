//! How messages go back to their queue or leave it: lost connections, power cuts, time-outs,
//! times to live, delivery limits.

use std::sync::Arc;

use super::fact::{Cause, CloseReason, Fact, ReturnCause};
use super::machine::{Answer, Conn, QueueBroker};
use super::message::{ConnId, EntryId, Output, QueueId, Tag};
use super::queue::{Death, EntryState, is_cycle};
use super::route::find;

impl QueueBroker {
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
    /// [`next_expiry_us`](Self::next_expiry_us) is due, before any delivery of that moment, so
    /// that nothing expired is delivered.
    pub fn expire(&mut self, now_us: i64, facts: &mut Vec<Fact>) {
        for id in self.queue_ids() {
            // The bound counts before anything moves: no dead letter is looked at twice.
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
        self.queue_ids().filter_map(|id| self.head_expiry(id)).map(|(_, us)| us).min()
    }

    /// The fault of a doubled entry: a second copy of a message, right behind the first, as if it
    /// had been published twice. Nothing happens if there is no such entry.
    pub fn duplicate(&mut self, entry: EntryId, now_us: i64, facts: &mut Vec<Fact>) {
        let place = |id| self.queue(id)?.position(entry).map(|place| (id, place));
        let Some((id, place)) = self.queue_ids().find_map(place) else { return };
        let original = self.queue(id).and_then(|queue| queue.entries.get(place));
        let Some(original) = original.cloned() else { return };
        self.store(id, original.message, original.deaths, now_us, facts);
        if let Some(queue) = self.queue_mut(id)
            && let Some(behind) = queue.entries.get_mut(place + 1..)
        {
            behind.rotate_right(usize::from(!behind.is_empty()));
        }
    }

    /// Closes a channel for its client's mistake or slowness.
    pub(super) fn close(
        &mut self,
        conn: ConnId,
        reason: CloseReason,
        now_us: i64,
        facts: &mut Vec<Fact>,
    ) {
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
    pub(super) fn give_back(
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
    pub(super) fn bury(
        &mut self,
        id: QueueId,
        entry: EntryId,
        cause: Cause,
        now_us: i64,
        facts: &mut Vec<Fact>,
    ) {
        let Some(gone) = self.queue_mut(id).and_then(|queue| queue.remove(entry)) else { return };
        let deaths = gone.deaths_with(Death { queue: id, cause });
        match self.dead_letter_target(id).filter(|target| !is_cycle(&deaths, *target)) {
            Some(target) => {
                let successor = self.store(target, gone.message, deaths, now_us, facts);
                facts.push(Fact::DeadLettered { entry, successor, cause });
            }
            None => {
                let origin = gone.message.origin;
                facts.push(Fact::Dropped { entry: Some(entry), origin, cause });
            }
        }
    }

    /// The queue that takes what dies in this one, if it is there.
    fn dead_letter_target(&self, id: QueueId) -> Option<QueueId> {
        let name = self.queue_config(id)?.dead_letter.as_ref()?;
        let target = find(&self.config, name)?;
        self.queue(target)?.exists.then_some(target)
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

    fn head_expiry(&self, id: QueueId) -> Option<(EntryId, i64)> {
        let ttl_us = self.queue_config(id)?.ttl_us?;
        let queue = self.queue(id)?;
        let head = queue.entries.get(queue.head()?)?;
        Some((head.id, head.stored_us.saturating_add(ttl_us)))
    }
}

fn report_lost_confirms(conn: &Conn, facts: &mut Vec<Fact>) {
    for answer in &conn.answers {
        if let Output::Confirm { conn, token } = answer.output {
            facts.push(Fact::ConfirmLost { conn, token });
        }
    }
}
