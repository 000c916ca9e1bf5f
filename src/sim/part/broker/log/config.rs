//! What a scene declares of a log broker.

use std::sync::Arc;

/// The topics of one broker, numbered by their place.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Config {
    /// All topics. If two share a name, the first one is meant.
    pub topics: Vec<TopicConfig>,
}

/// One topic.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct TopicConfig {
    /// Its name.
    pub name: Arc<str>,
    /// How many partitions it has; none is taken as one.
    pub partitions: u32,
    /// How long records are kept, in microseconds; without it, for ever (`retention.ms`).
    pub retention_us: Option<i64>,
}
