//! External HTTP APIs: one that sends mail and one that moves money.
//!
//! The effect happens when the request arrives and is durable from then on; the answer is a
//! later step of the world, which may be lost. What differs between the two is a
//! [`Service`]; keys, faults and records are common to both.

mod common;
mod mail;
mod payments;

#[cfg(test)]
mod tests;

pub use common::{Answer, Api, Config, Decision, Effect, Fact, Fault, Service};
pub use mail::{Letter, Mail, MailApi};
pub use payments::{Money, MoneyKind, Payments, PaymentsApi};
