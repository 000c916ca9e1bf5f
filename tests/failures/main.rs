//! Failures that people met in production, each as the smallest scene that has it: with the fault
//! the run shows the outcome, with the measure it does not, nor after any single crash.
#![expect(clippy::expect_used, reason = "a test fails by panicking")]

mod bench;
mod broker;
mod consumer;
mod controls;
mod dual_write;
mod matrix;
mod not_yet;
mod relay;
mod saga;
mod text;
mod two_phase;
