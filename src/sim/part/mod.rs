//! The parts that a world is made of.

pub mod api;
pub mod broker;
