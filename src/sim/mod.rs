//! The simulated world: parts that touch each other only by messages, virtual time, faults.
//!
//! Invariants: a world is plain data, cheap to clone; a step is total, draws on nothing but the
//! world, and tells what it did in events; the same setup, steps and faults give the same
//! events on every machine.

mod broker_host;
mod canon;
mod connection;
mod database_host;
pub mod event;
mod fault;
mod holds;
pub mod identity;
mod laps;
mod mail_host;
mod message;
pub mod part;
mod process;
mod program;
mod program_calls;
pub mod rest;
mod rows;
mod send;
pub mod setup;
mod station;
mod untimed;
pub mod world;

pub use event::{Ask, Digest, Event, Loss, Name, Phase, Site, What, fingerprint};
pub use fault::{Fault, Inapplicable};
pub use message::{Body, Message};
pub use rest::Limits;
pub use rows::order_of_row;
pub use setup::{Delays, PartId, PartKind, PartSetup, Setup, Workload};
pub use station::{Machine, Power, Station};
pub use untimed::{Chance, Pending};
pub use world::World;
