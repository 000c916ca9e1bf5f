//! A broker on a bench: short ways to say what clients do and to see what became of it.

use std::sync::Arc;

use crate::datum::Datum;
use crate::sim::part::broker::*;

/// A broker, all facts so far and all that it has sent.
pub(super) struct Bench {
    pub(super) broker: QueueBroker,
    pub(super) facts: Vec<Fact>,
    pub(super) sent: Vec<Output>,
    pub(super) now_us: i64,
    published: u64,
}

/// How to publish; the default is a persistent message with a confirm.
#[derive(Clone, Copy)]
pub(super) struct Mode {
    pub(super) persistent: bool,
    pub(super) mandatory: bool,
    pub(super) confirm: bool,
}

pub(super) const SAFE: Mode = Mode { persistent: true, mandatory: false, confirm: true };
pub(super) const PUBLISHER: ConnId = ConnId(1);
pub(super) const ANNA: ConnId = ConnId(2);
pub(super) const BORIS: ConnId = ConnId(3);

pub(super) fn classic(name: &str) -> QueueConfig {
    QueueConfig::durable(name, QueueKind::Classic)
}

pub(super) fn quorum(name: &str, delivery_limit: Option<u32>) -> QueueConfig {
    QueueConfig { delivery_limit, ..QueueConfig::durable(name, QueueKind::Quorum) }
}

impl Bench {
    pub(super) fn new(queues: Vec<QueueConfig>) -> Self {
        Self::with(Config { queues, ..Config::default() })
    }

    pub(super) fn with(config: Config) -> Self {
        let mut broker = QueueBroker::new(Arc::new(config));
        for conn in [PUBLISHER, ANNA, BORIS] {
            broker.connect(conn);
        }
        Self { broker, facts: Vec::new(), sent: Vec::new(), now_us: 0, published: 0 }
    }

    pub(super) fn request(&mut self, conn: ConnId, request: &Request) {
        self.broker.receive(conn, request, self.now_us, &mut self.facts);
    }

    /// Publishes to the default exchange; the token is the number of the publish.
    pub(super) fn publish(&mut self, topic: &str, body: &str, mode: Mode) {
        self.publish_to("", topic, body, mode);
    }

    pub(super) fn publish_to(&mut self, exchange: &str, topic: &str, body: &str, mode: Mode) {
        self.published += 1;
        let message = Arc::new(Message {
            topic: topic.into(),
            body: Datum::text(body),
            key: None,
            message_id: Some(Datum::text(body)),
            persistent: mode.persistent,
            origin: self.published,
        });
        let Mode { mandatory, confirm, .. } = mode;
        let token = self.published;
        let exchange = exchange.into();
        self.request(PUBLISHER, &Request::Publish { exchange, message, mandatory, confirm, token });
    }

    /// Publishes several and lets the broker finish.
    pub(super) fn publish_all(&mut self, topic: &str, bodies: &[&str]) {
        for body in bodies {
            self.publish(topic, body, SAFE);
        }
        self.settle();
    }

    pub(super) fn subscribe(&mut self, conn: ConnId, queue: &str, prefetch: u32) {
        let queue = queue.into();
        self.request(conn, &Request::Subscribe { queue, prefetch, auto_ack: false, token: 7 });
    }

    pub(super) fn ack(&mut self, conn: ConnId, tag: u64) {
        self.request(conn, &Request::Ack { tag: Tag(tag) });
    }

    pub(super) fn nack(&mut self, conn: ConnId, tag: u64, requeue: bool) {
        self.request(conn, &Request::Nack { tag: Tag(tag), requeue });
    }

    pub(super) fn disconnect(&mut self, conn: ConnId) {
        self.broker.disconnect(conn, self.now_us, &mut self.facts);
    }

    pub(super) fn crash(&mut self) {
        self.broker.crash(self.now_us, &mut self.facts);
        for conn in [PUBLISHER, ANNA, BORIS] {
            self.broker.connect(conn);
        }
    }

    pub(super) fn take(&mut self, step: Step) {
        assert!(self.broker.pending().contains(&step), "{step:?} is not pending");
        self.sent.extend(self.broker.take(step, &mut self.facts));
    }

    /// Lets the broker do all that it can.
    pub(super) fn settle(&mut self) {
        for _ in 0..1000 {
            let Some(step) = self.broker.pending().first().copied() else { return };
            self.take(step);
        }
        panic!("the broker does not come to rest");
    }

    /// What waits in a queue, in order; an asterisk is the redelivered flag.
    pub(super) fn ready(&self, queue: &str) -> String {
        let view = self.broker.queue_named(queue).unwrap();
        let shown: Vec<String> = view.ready().map(show).collect();
        shown.join(" ")
    }

    /// What consumers hold of a queue, in order.
    pub(super) fn unacked(&self, queue: &str) -> String {
        let view = self.broker.queue_named(queue).unwrap();
        let shown: Vec<String> = view.unacked().map(show).collect();
        shown.join(" ")
    }

    /// What a consumer was given, in order; an asterisk is the redelivered flag.
    pub(super) fn given(&self, whom: ConnId) -> String {
        let shown = self.sent.iter().filter_map(|output| match output {
            Output::Deliver { conn, redelivered, message, .. } if *conn == whom => {
                Some(flagged(message, *redelivered))
            }
            _ => None,
        });
        shown.collect::<Vec<_>>().join(" ")
    }

    /// Which publishes were confirmed, in order.
    pub(super) fn confirmed(&self) -> Vec<u64> {
        let confirms = self.sent.iter().filter_map(|output| match output {
            Output::Confirm { token, .. } => Some(*token),
            _ => None,
        });
        confirms.collect()
    }

    /// Why channels were closed, in order.
    pub(super) fn closed(&self) -> Vec<(ConnId, CloseReason)> {
        let closed = self.sent.iter().filter_map(|output| match output {
            Output::Closed { conn, reason } => Some((*conn, reason.clone())),
            _ => None,
        });
        closed.collect()
    }

    /// Why messages were dropped, in order.
    pub(super) fn dropped(&self) -> Vec<Cause> {
        let dropped = self.facts.iter().filter_map(|fact| match fact {
            Fact::Dropped { cause, .. } => Some(*cause),
            _ => None,
        });
        dropped.collect()
    }

    /// How many entries are done.
    pub(super) fn acked(&self) -> usize {
        self.facts.iter().filter(|fact| matches!(fact, Fact::Acked { .. })).count()
    }
}

fn show(entry: &Entry) -> String {
    flagged(&entry.message, entry.redelivered)
}

fn flagged(message: &Message, redelivered: bool) -> String {
    let flag = if redelivered { "*" } else { "" };
    format!("{}{flag}", message.body.as_text().unwrap_or("?"))
}
