//! Tries what a learner could do, all of it: the crash map of a run.

pub mod map;
#[cfg(test)]
mod tests;

pub use map::{Cell, CrashMap, FaultKind, MapOptions};
