//! The verdicts if nothing more fails from here: clone, run to rest, audit.

use crate::audit::{Account, Moment, judge};
use crate::scene::Scene;
use crate::sim::{Event, Limits, World};

/// What will have become of each order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Forecast {
    /// By order.
    pub accounts: Vec<Account>,
    /// Whether rest was reached within the limits.
    pub at_rest: bool,
    /// Steps of the whole run, to rest.
    pub steps: u64,
}

/// Runs a copy of the world to rest and judges it. Its events are added to `events`.
pub fn forecast(scene: &Scene, world: &World, limits: Limits, events: &mut Vec<Event>) -> Forecast {
    let mut world = world.clone();
    let at_rest = world.settle(limits, events);
    let moment = if at_rest { Moment::Rest } else { Moment::Limit };
    Forecast { accounts: judge(scene, &world, moment), at_rest, steps: world.steps() }
}
