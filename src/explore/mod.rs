//! Tries what a learner could do, all of it: the crash map of a run, and the exhaustive search
//! through all runs.

pub mod map;
pub mod search;
#[cfg(test)]
mod tests;

pub use map::{Cell, CrashMap, FaultKind, MapOptions};
