//! A whole run at once: all actions, then to rest, then the audit.

use std::sync::Arc;

use super::action::Action;
use super::player::{Missed, Player, Tick};
use crate::audit::{Account, Moment, explain, judge};
use crate::scene::Scene;
use crate::sim::{Event, Limits};

/// A finished run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finished {
    /// All that happened.
    pub events: Vec<Event>,
    /// Steps done.
    pub steps: u64,
    /// Rest was reached within the limits.
    pub at_rest: bool,
    /// The audit, by order.
    pub accounts: Vec<Account>,
    /// Actions that could not be done.
    pub missed: Vec<Missed>,
}

/// Runs a scene with actions to rest; what is still broken then is repaired first.
///
/// # Errors
/// Actions that name what the scene does not have; nothing was run.
pub fn finish(
    scene: &Arc<Scene>,
    seed: u64,
    actions: &[Action],
    limits: Limits,
) -> Result<Finished, Vec<Missed>> {
    let mut player = Player::new(scene.clone(), seed, actions.into());
    let misnamed = player.check();
    if !misnamed.is_empty() {
        return Err(misnamed);
    }
    let mut events = Vec::new();
    let within = |player: &Player| {
        player.world().steps() < limits.steps && player.world().now_us() < limits.time_us
    };
    while player.has_more_actions() && within(&player) {
        if player.tick(&mut events) == Tick::Rest {
            break;
        }
    }
    let missed = player.missed().to_vec();
    let all_done = !player.has_more_actions();
    let mut world = player.world().clone();
    let at_rest = all_done && world.settle(limits, &mut events);
    let moment = if at_rest { Moment::Rest } else { Moment::Limit };
    let mut accounts = judge(scene, &world, moment);
    explain(scene, &mut accounts, &events);
    Ok(Finished { events, steps: world.steps(), at_rest, accounts, missed })
}
