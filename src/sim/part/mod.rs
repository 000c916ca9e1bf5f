//! The parts that a world is made of.

pub mod database;
