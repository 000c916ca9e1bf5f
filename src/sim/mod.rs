//! The simulated world.

pub mod part;
