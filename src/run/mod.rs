//! A run: scene + seed + actions. Snapshots make any step cheap to reach, acting in the past
//! forks, and each moment has its forecast.

pub mod action;
mod finish;
mod forecast;
mod lab;
mod player;
#[cfg(test)]
mod tests;

pub use action::{Action, Kind, Target, When};
pub use finish::{Finished, finish};
pub use forecast::{Forecast, forecast};
pub use lab::{Fork, Lab};
pub use player::{Missed, Player, Tick, Why};
