//! The crash map: fail each part before each step of a run, let it come back after the restart
//! delay, run to rest, audit.

use std::sync::Arc;

use crate::audit::{Moment, Verdict, judge, tally};
use crate::scene::Scene;
use crate::sim::{Event, Fault, Limits, PartId, World};

/// How parts fail in a map.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum FaultKind {
    /// By the cord.
    Unplug,
    /// By the process.
    Kill,
}

/// What a map is made for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct MapOptions {
    /// How parts fail.
    pub fault: FaultKind,
    /// After how many microseconds they come back.
    pub restart_us: i64,
    /// Bounds of each run.
    pub limits: Limits,
}

impl Default for MapOptions {
    fn default() -> Self {
        Self { fault: FaultKind::Unplug, restart_us: 1_000_000, limits: Limits::default() }
    }
}

/// One run of the map.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Cell {
    /// Who failed.
    pub part: PartId,
    /// Before which step, from 1.
    pub step: u64,
    /// The line on which its program stood, if it runs one.
    pub line: Option<u32>,
    /// How many orders got each verdict, in the order of [`Verdict::ALL`].
    pub counts: [u32; Verdict::ALL.len()],
}

impl Cell {
    /// The verdict that stands for the cell: the worst that some order has.
    pub fn worst(&self) -> Verdict {
        const BY_WEIGHT: [Verdict; 10] = [
            Verdict::Undecided,
            Verdict::Inconsistent,
            Verdict::Lost,
            Verdict::Phantom,
            Verdict::Doubled,
            Verdict::OutOfOrder,
            Verdict::Stuck,
            Verdict::InFlight,
            Verdict::Once,
            Verdict::NotPlaced,
        ];
        let found = BY_WEIGHT.into_iter().find(|verdict| self.counts[*verdict as usize] > 0);
        found.unwrap_or(Verdict::NotPlaced)
    }
}

/// The map of a run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CrashMap {
    /// Steps of the undisturbed run, to rest.
    pub steps: u64,
    /// All cells, by step, then by part.
    pub cells: Vec<Cell>,
}

impl CrashMap {
    /// In how many cells some order has each verdict.
    pub fn totals(&self) -> [u32; Verdict::ALL.len()] {
        let mut totals = [0; Verdict::ALL.len()];
        for cell in &self.cells {
            for (total, count) in totals.iter_mut().zip(cell.counts) {
                *total += u32::from(count > 0);
            }
        }
        totals
    }
}

/// A map in the making, one column of cells at a time, so that a page can stay responsive.
#[derive(Clone, Debug)]
pub struct Mapper {
    scene: Arc<Scene>,
    options: MapOptions,
    world: World,
    map: CrashMap,
    events: Vec<Event>,
    over: bool,
}

impl Mapper {
    /// Starts at a world, usually one before its first step.
    pub fn new(scene: Arc<Scene>, world: World, options: MapOptions) -> Self {
        let map = CrashMap { steps: world.steps(), cells: Vec::new() };
        Self { scene, options, world, map, events: Vec::new(), over: false }
    }

    /// Tries all failures before the next step, then does the step. `false`: the map is complete.
    pub fn advance(&mut self) -> bool {
        let bounds = self.options.limits;
        let at_limit = self.world.steps() >= bounds.steps || self.world.now_us() >= bounds.time_us;
        if self.over || at_limit || self.world.is_at_rest() {
            self.over = true;
            return false;
        }
        let setup = self.world.setup().clone();
        for part in setup.part_ids().filter(|part| setup.has_cord(*part)) {
            if self.world.station(part).is_up() {
                let cell = self.cell(part);
                self.map.cells.push(cell);
            }
        }
        self.events.clear();
        self.over = !self.world.step(&mut self.events);
        self.map.steps = self.world.steps();
        !self.over
    }

    /// The map so far.
    pub fn map(&self) -> &CrashMap {
        &self.map
    }

    /// The finished map.
    pub fn finish(mut self) -> CrashMap {
        while self.advance() {}
        self.map
    }

    fn cell(&mut self, part: PartId) -> Cell {
        let mut world = self.world.clone();
        let step = world.steps() + 1;
        let line = line_of(&world, part);
        let (down, up) = match self.options.fault {
            FaultKind::Unplug => (Fault::Unplug(part), Fault::Plug(part)),
            FaultKind::Kill => (Fault::Kill(part), Fault::Restart(part)),
        };
        self.events.clear();
        let back_at_us = world.now_us() + self.options.restart_us;
        // Only parts that are up are tried, so this always applies.
        let applied = world.apply(down, &mut self.events).is_ok();
        debug_assert!(applied, "a part that is up can fail");
        while world.next_at_us().is_some_and(|next| next < back_at_us) {
            world.step(&mut self.events);
            self.events.clear();
        }
        world.wait_until(back_at_us);
        let applied = world.apply(up, &mut self.events).is_ok();
        debug_assert!(applied, "a part that failed can come back");
        let at_rest = world.settle(self.options.limits, &mut self.events);
        let moment = if at_rest { Moment::Rest } else { Moment::Limit };
        let counts = tally(&judge(&self.scene, &world, moment));
        Cell { part, step, line, counts }
    }
}

/// The line on which a part's program stands: its eldest call without an answer, except a
/// subscription, which always waits.
pub fn line_of(world: &World, part: PartId) -> Option<u32> {
    let at = world.station(part).waits_at()?;
    Some(world.setup().lines.line(at))
}
