//! One test for each of the broker's rules, named after it.

mod bench;
mod consuming;
mod order;
mod publishing;
mod surviving;
