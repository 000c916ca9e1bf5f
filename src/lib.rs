//! Pull the Plug: a small, deterministic distributed system whose parts have power cords.

pub mod audit;
pub mod collections;
pub mod datum;
pub mod diagnostic;
pub mod explore;
pub mod parity;
pub mod run;
pub mod scene;
pub mod script;
pub mod sim;
pub mod text;
#[cfg(feature = "ui")]
pub mod ui;
pub mod view;
pub mod words;
