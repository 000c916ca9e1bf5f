//! A message broker of the log kind, by Kafka's rules.
//!
//! Records stay in their partition whether read or not; a group of consumers has one committed
//! position in each partition. As with the queue kind, [`LogBroker`] is a pure state machine:
//! requests go in with [`receive`](LogBroker::receive), and each answer is a step of its own.

mod config;
mod consume;
mod fact;
mod group;
mod machine;
mod partition;
mod protocol;

#[cfg(test)]
mod tests;

pub use config::{Config, TopicConfig};
pub use fact::{EvictCause, Fact};
pub use group::{Group, Member};
pub use machine::LogBroker;
pub use partition::{Partition, Record};
pub use protocol::{
    Answer, MemberId, Offset, Output, PartitionId, Refusal, Request, Reset, Sequence,
};
