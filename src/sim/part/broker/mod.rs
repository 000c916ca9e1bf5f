//! A message broker of the queue kind, by RabbitMQ's rules.
//!
//! [`QueueBroker`] is a pure state machine: it owns queues, consumers and the rules, while the
//! world owns time, links and the order of steps. Requests go in with
//! [`receive`](QueueBroker::receive); what the broker can do next is listed by
//! [`pending`](QueueBroker::pending) and done one at a time by [`take`](QueueBroker::take), so
//! that a crash can fall between storing a message, writing it to disk, and confirming it.

mod config;
mod fact;
pub mod log;
mod loss;
mod machine;
mod message;
mod queue;
mod requests;
mod route;
mod steps;
mod view;

#[cfg(all(test, not(target_arch = "wasm32")))]
mod properties;
#[cfg(test)]
mod tests;

pub use config::{Binding, Config, Exchange, ExchangeKind, QueueConfig, QueueKind};
pub use fact::{Cause, CloseReason, Fact, ReturnCause};
pub use machine::QueueBroker;
pub(crate) use machine::Rename;
pub use message::{ConnId, EntryId, Message, Output, QueueId, Request, Tag};
pub use queue::{Death, Entry, EntryState};
pub use steps::Step;
pub use view::QueueView;
