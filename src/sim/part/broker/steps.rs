//! What the broker does by itself: write to disk, answer, deliver. Each is one step of the
//! world, and anything may fail between two of them.

use std::sync::Arc;

use super::fact::Fact;
use super::machine::QueueBroker;
use super::message::{ConnId, Output, QueueId, Tag};
use super::queue::EntryState;

/// One thing that the broker can do next.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Step {
    /// Send the eldest answer that is due on a connection: a return, a confirm, the notice of a
    /// closed channel, or the reply to a declare or cancel.
    Answer(ConnId),
    /// Hand the head of a queue to the consumer whose turn it is.
    Deliver(QueueId),
    /// Write all that waits for the disk. It makes the confirms behind it due.
    Flush,
}

impl QueueBroker {
    /// All that the broker can do now, in a fixed order: answers by connection, deliveries by
    /// queue, the flush.
    pub fn pending(&self) -> Vec<Step> {
        let answers =
            self.conns.iter().filter(|conn| conn.answers.iter().any(|answer| !answer.after_flush));
        let mut steps: Vec<Step> = answers.map(|conn| Step::Answer(conn.id)).collect();
        let deliverable = self.queue_ids().filter(|id| self.can_deliver(*id));
        steps.extend(deliverable.map(Step::Deliver));
        if self.has_unwritten() {
            steps.push(Step::Flush);
        }
        steps
    }

    /// Does one step and gives what it sends, if anything. A step that is not pending does
    /// nothing.
    pub fn take(&mut self, step: Step, facts: &mut Vec<Fact>) -> Option<Output> {
        match step {
            Step::Answer(conn) => self.send_answer(conn),
            Step::Deliver(queue) => self.deliver(queue, facts),
            Step::Flush => {
                self.flush(facts);
                None
            }
        }
    }

    fn send_answer(&mut self, id: ConnId) -> Option<Output> {
        let conn = self.conn_mut(id)?;
        let due = conn.answers.iter().position(|answer| !answer.after_flush)?;
        let output = conn.answers.remove(due).output;
        if matches!(output, Output::Closed { .. }) {
            self.conns.retain(|open| open.id != id);
        }
        Some(output)
    }

    fn can_deliver(&self, id: QueueId) -> bool {
        let ready = self.queue(id).zip(self.queue_config(id));
        ready.is_some_and(|(queue, config)| {
            queue.head().is_some() && queue.next_consumer(config).is_some()
        })
    }

    /// Consumers take turns ("Consumers", round robin); a single active consumer keeps its own.
    fn deliver(&mut self, id: QueueId, facts: &mut Vec<Fact>) -> Option<Output> {
        let config = self.queue_config(id)?;
        let single = config.single_active_consumer;
        let turn = self.queue(id)?.next_consumer(config)?;
        let place = self.queue(id)?.head()?;
        let consumer = self.queue(id)?.consumers.get(turn)?.clone();
        let (conn, token) = (consumer.conn, consumer.token);
        let open = self.conn_mut(conn)?;
        let tag = Tag(open.next_tag);
        open.next_tag += 1;
        let queue = self.queue_mut(id)?;
        if !single {
            queue.rotate(turn);
        }
        let handed = queue.entries.get_mut(place)?;
        handed.state = EntryState::Unacked { conn, consumer: token, tag };
        handed.deliveries = handed.deliveries.saturating_add(1);
        let (entry, message) = (handed.id, handed.message.clone());
        let (redelivered, deliveries) = (handed.redelivered, handed.deliveries);
        facts.push(Fact::Delivered { entry, conn, tag, redelivered });
        if consumer.auto_ack {
            // "Automatic acknowledgement mode": a message counts as done once it is sent.
            queue.remove(entry);
            facts.push(Fact::Acked { entry, conn, automatic: true, origin: message.origin });
        }
        Some(Output::Deliver {
            conn,
            token,
            tag,
            queue: id,
            entry,
            redelivered,
            deliveries,
            message,
        })
    }

    fn has_unwritten(&self) -> bool {
        let entries = self.queues.iter().zip(&self.config.queues).any(|(queue, config)| {
            let mut entries = queue.entries.iter();
            entries.any(|entry| !entry.on_disk && config.writes(entry.message.persistent))
        });
        entries || self.conns.iter().any(|conn| conn.answers.iter().any(|owed| owed.after_flush))
    }

    fn flush(&mut self, facts: &mut Vec<Fact>) {
        for (queue, config) in self.queues.iter_mut().zip(&self.config.queues) {
            let waits = |entry: &super::queue::Entry| {
                !entry.on_disk && config.writes(entry.message.persistent)
            };
            if !queue.entries.iter().any(waits) {
                continue;
            }
            for entry in Arc::make_mut(queue).entries.iter_mut().filter(|entry| waits(entry)) {
                entry.on_disk = true;
                facts.push(Fact::Flushed { entry: entry.id });
            }
        }
        for answer in self.conns.iter_mut().flat_map(|conn| &mut conn.answers) {
            answer.after_flush = false;
        }
    }
}
