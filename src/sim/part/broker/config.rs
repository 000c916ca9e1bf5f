//! What a scene declares of a broker: exchanges, queues and the bindings between them.

use std::sync::Arc;

/// The topology of one broker. Queues are numbered by their place in `queues`; if two share a
/// name, the first one is meant.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Config {
    /// Named exchanges. The default exchange, named `""`, is always there besides.
    pub exchanges: Vec<Exchange>,
    /// All queues that may ever exist.
    pub queues: Vec<QueueConfig>,
    /// Which exchange feeds which queue.
    pub bindings: Vec<Binding>,
}

/// A named exchange. Exchanges are durable here.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Exchange {
    /// Its name, not empty.
    pub name: Arc<str>,
    /// How it compares routing keys with binding keys.
    pub kind: ExchangeKind,
}

/// How an exchange routes (documentation page "Exchanges").
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ExchangeKind {
    /// The binding key equals the routing key.
    Direct,
    /// Every binding matches.
    Fanout,
    /// Words parted by dots; `*` stands for one word and `#` for any number, none included.
    Topic,
}

/// One binding.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Binding {
    /// The exchange that messages come from.
    pub exchange: Arc<str>,
    /// The queue that they go to.
    pub queue: Arc<str>,
    /// The binding key.
    pub key: Arc<str>,
}

/// The two kinds of queue that differ in what they keep and where they put back.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum QueueKind {
    /// A classic queue.
    Classic,
    /// A quorum queue: always durable, on disk whatever the message says.
    Quorum,
}

/// One queue.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct QueueConfig {
    /// Its name, and its routing key on the default exchange.
    pub name: Arc<str>,
    /// Classic or quorum.
    pub kind: QueueKind,
    /// Whether the queue itself survives a restart. Quorum queues do whatever this says.
    pub durable: bool,
    /// Whether it exists when the world begins; otherwise somebody must declare it.
    pub declared: bool,
    /// Quorum queues only: after this many returns the next one is the last. `n` allows
    /// `n + 1` deliveries.
    pub delivery_limit: Option<u32>,
    /// The queue that takes rejected, expired and over-delivered messages.
    pub dead_letter: Option<Arc<str>>,
    /// How long a message may wait at the head, in microseconds since it was stored.
    pub ttl_us: Option<i64>,
    /// Only the eldest consumer is served ("Consumers", single active consumer).
    pub single_active_consumer: bool,
}

impl QueueConfig {
    /// A durable queue that exists from the start and has no limits.
    pub fn durable(name: &str, kind: QueueKind) -> Self {
        Self {
            name: name.into(),
            kind,
            durable: true,
            declared: true,
            delivery_limit: None,
            dead_letter: None,
            ttl_us: None,
            single_active_consumer: false,
        }
    }

    /// Whether the queue outlives a restart of the broker.
    pub fn survives(&self) -> bool {
        self.durable || self.kind == QueueKind::Quorum
    }

    /// Whether the queue writes such a message to disk ("Queues", durability; "Quorum Queues":
    /// these store on disk whatever the mode).
    pub fn writes(&self, persistent: bool) -> bool {
        self.kind == QueueKind::Quorum || (self.durable && persistent)
    }

    /// The delivery limit in force; classic queues have none.
    pub fn limit(&self) -> Option<u32> {
        self.delivery_limit.filter(|_| self.kind == QueueKind::Quorum)
    }

    /// Whether a message that a consumer gives back goes behind all others: quorum queues
    /// without a delivery limit ("Quorum Queues", repeated requeues).
    pub fn requeues_at_back(&self) -> bool {
        self.kind == QueueKind::Quorum && self.delivery_limit.is_none()
    }
}
