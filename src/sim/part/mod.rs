//! The parts that a world is made of, as state machines without time or network.

pub mod api;
pub mod broker;
pub mod database;
