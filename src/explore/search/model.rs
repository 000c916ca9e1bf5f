//! What the search looks at: a scene's worlds as states, and when two of them are the same.

use std::sync::Arc;

use super::moves::{self, Choice};
use super::{Kind, Reductions, SearchOptions};
use crate::audit::{Moment, Verdict, judge};
use crate::collections::Set;
use crate::scene::{Claim, Scene, Source};
use crate::sim::{PartId, PartKind, Setup, World};

/// What becomes of each order, by number.
pub type Outcome = Vec<(i64, Verdict)>;

/// The rules of a search: where it begins, what can come next, what is the same.
#[derive(Clone, Debug)]
pub struct Model {
    scene: Arc<Scene>,
    pub(super) faults_max: u8,
    pub(super) kinds: Vec<Kind>,
    pub(super) links: Vec<(PartId, PartId)>,
    pub(super) reductions: Reductions,
    /// How many equal effects count: more than two beyond what is owed tell nothing new.
    effects_max: u32,
}

impl Model {
    /// The rules for a scene.
    pub fn new(scene: Arc<Scene>, options: &SearchOptions) -> Self {
        let records = scene.claims.iter().filter_map(|claim| match claim {
            Claim::Exactly { count, source: Source::Records, .. } => Some(*count),
            _ => None,
        });
        let owed = records.max().unwrap_or_default();
        Self {
            faults_max: options.faults,
            kinds: options.kinds.clone(),
            links: links(&scene),
            reductions: options.reductions,
            effects_max: u32::try_from(owed).unwrap_or(u32::MAX).saturating_add(2),
            scene,
        }
    }

    /// The scene.
    pub fn scene(&self) -> &Arc<Scene> {
        &self.scene
    }

    /// Where every run begins.
    pub fn first(&self) -> World {
        World::new(self.scene.setup.clone())
    }

    /// All that can come next in a world in which so many faults have been spent, and the worlds
    /// after it; always in the same order.
    pub fn next(&self, world: &World, faults: u8) -> Vec<(Choice, World)> {
        moves::next(self, world, self.faults_max.saturating_sub(faults))
    }

    /// The name of the state that a world in which so many faults have been spent is in.
    pub fn key(&self, world: &World, faults: u8) -> u128 {
        let state = match self.reductions.ranks {
            true => world.state(self.effects_max),
            false => world.raw_state(),
        };
        match self.reductions.fewest_faults {
            true => state,
            // An odd factor: no two states change places, and each fault makes another one.
            false => state.wrapping_mul(2 * u128::from(faults) + 1).wrapping_add(faults.into()),
        }
    }

    /// What becomes of each order if this world is an end.
    pub fn outcome(&self, world: &World) -> Outcome {
        let accounts = judge(&self.scene, world, Moment::Rest);
        accounts.into_iter().map(|account| (account.order, account.verdict)).collect()
    }
}

/// Links over which something may pass: from each program to the servers that it names, and from
/// the customers to the services.
fn links(scene: &Scene) -> Vec<(PartId, PartId)> {
    let setup: &Setup = &scene.setup;
    let uses = scene.programs.iter().flat_map(|program| {
        program.uses.iter().map(|server| (program.part, *server)).collect::<Vec<_>>()
    });
    let services = setup
        .part_ids()
        .filter(|part| matches!(setup.part(*part).kind, PartKind::Service { .. }))
        .map(|part| (PartId::CUSTOMERS, part));
    let links: Set<(PartId, PartId)> = services.chain(uses).collect();
    links.into_iter().collect()
}
