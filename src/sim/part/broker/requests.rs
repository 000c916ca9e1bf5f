//! What a request does when it arrives.

use std::sync::Arc;

use super::fact::{Cause, CloseReason, Fact, ReturnCause};
use super::machine::QueueBroker;
use super::message::{ConnId, Output, Request, Tag};
use super::queue::Consumer;
use super::route::{find, route};

impl QueueBroker {
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
            self.store(id, message.clone(), Vec::new(), now_us, facts);
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
}
