//! Tries what a learner could do, all of it: the crash map of a run.

pub mod map;

pub use map::{Cell, CrashMap, FaultKind, MapOptions};
