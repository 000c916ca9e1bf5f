//! A run that one can move about in: forward, back, to any step, and act at any moment.

use std::cell::OnceCell;
use std::sync::Arc;

use super::action::{Action, Kind, Target, When};
use super::forecast::{Forecast, forecast};
use super::player::{Missed, Player, Tick};
use crate::diagnostic::Diagnostic;
use crate::scene::Scene;
use crate::sim::{Event, Limits, World};

/// Ticks between two snapshots.
const SNAPSHOT_EVERY: usize = 64;

/// A run with a cursor.
#[derive(Clone, Debug)]
pub struct Lab {
    scene: Arc<Scene>,
    seed: u64,
    actions: Arc<[Action]>,
    /// What happened, as far as it has been played.
    events: Vec<Event>,
    /// The state after each tick, as far as it has been played; the first one is the start.
    ticks: Vec<Position>,
    snapshots: Vec<(usize, Player)>,
    cursor: usize,
    player: Player,
    forecasts: Vec<Option<Arc<Forecast>>>,
    /// When the next tick happens, once somebody has asked.
    next_at_us: OnceCell<Option<i64>>,
    forks: Vec<Fork>,
}

/// Where a run stands after a tick.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Position {
    steps: u64,
    time_us: i64,
    events: usize,
    /// Actions behind.
    done: usize,
}

/// A run that was left by acting in its past.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fork {
    /// Its actions.
    pub actions: Arc<[Action]>,
    /// The step at which the present run left it.
    pub left_at: u64,
}

impl Lab {
    /// Opens a scene file at the start of its run.
    ///
    /// # Errors
    /// What is wrong with the file.
    pub fn open(source: &str, seed: u64, actions: &[Action]) -> Result<Self, Vec<Diagnostic>> {
        Ok(Self::of(Arc::new(Scene::open(source)?), seed, actions))
    }

    /// Opens a scene at the start of its run.
    pub fn of(scene: Arc<Scene>, seed: u64, actions: &[Action]) -> Self {
        let actions: Arc<[Action]> = actions.into();
        let player = Player::new(scene.clone(), seed, actions.clone());
        let start = Position { steps: 0, time_us: 0, events: 0, done: 0 };
        Self {
            scene,
            seed,
            events: Vec::new(),
            ticks: vec![start],
            snapshots: vec![(0, player.clone())],
            cursor: 0,
            player,
            forecasts: vec![None; actions.len() + 1],
            next_at_us: OnceCell::new(),
            actions,
            forks: Vec::new(),
        }
    }

    /// The scene.
    pub fn scene(&self) -> &Arc<Scene> {
        &self.scene
    }

    /// The seed.
    pub fn seed(&self) -> u64 {
        self.seed
    }

    /// All actions of the run, those to come included.
    pub fn actions(&self) -> &[Action] {
        &self.actions
    }

    /// Runs that were left by acting in their past, oldest first.
    pub fn forks(&self) -> &[Fork] {
        &self.forks
    }

    /// Actions so far that could not be done.
    pub fn missed(&self) -> &[Missed] {
        self.player.missed()
    }

    /// Actions that name what the scene does not have.
    pub fn misnamed(&self) -> Vec<Missed> {
        self.player.check()
    }

    /// The world at the cursor.
    pub fn world(&self) -> &World {
        self.player.world()
    }

    /// Steps done at the cursor.
    pub fn cursor(&self) -> u64 {
        self.ticks[self.cursor].steps
    }

    /// The last step that has been played so far.
    pub fn played(&self) -> u64 {
        self.ticks.last().map_or(0, |position| position.steps)
    }

    /// Virtual time at the cursor, in microseconds.
    pub fn now_us(&self) -> i64 {
        self.ticks[self.cursor].time_us
    }

    /// When the next tick happens; `None` at rest. Found out once for each place of the cursor, so
    /// that it can be asked for each frame of an animation.
    pub fn next_at_us(&self) -> Option<i64> {
        if let Some(next) = self.ticks.get(self.cursor + 1) {
            return Some(next.time_us);
        }
        *self.next_at_us.get_or_init(|| {
            let mut ahead = self.player.clone();
            match ahead.tick(&mut Vec::new()) {
                Tick::Rest => None,
                _ => Some(ahead.world().now_us()),
            }
        })
    }

    /// Whether nothing is left to happen at the cursor.
    pub fn is_at_rest(&self) -> bool {
        self.next_at_us().is_none()
    }

    /// What happened up to the cursor.
    pub fn log(&self) -> &[Event] {
        &self.events[..self.ticks[self.cursor].events]
    }

    /// What happened in the tick that led to the cursor.
    pub fn last_events(&self) -> &[Event] {
        let from = self.cursor.checked_sub(1).map_or(0, |before| self.ticks[before].events);
        &self.events[from..self.ticks[self.cursor].events]
    }

    /// One step or action forward; `false` at rest.
    pub fn step(&mut self) -> bool {
        let from = self.ticks[self.cursor].events;
        self.next_at_us = OnceCell::new();
        if self.cursor + 1 < self.ticks.len() {
            // Known already: only the world has to follow.
            self.player.tick(&mut Vec::new());
            self.cursor += 1;
            return true;
        }
        self.events.truncate(from);
        if self.player.tick(&mut self.events) == Tick::Rest {
            return false;
        }
        self.arrived();
        if self.cursor.is_multiple_of(SNAPSHOT_EVERY) {
            self.snapshots.push((self.cursor, self.player.clone()));
        }
        true
    }

    /// One step or action back; `false` at the start.
    pub fn back(&mut self) -> bool {
        match self.cursor.checked_sub(1) {
            Some(before) => {
                self.go(before);
                true
            }
            None => false,
        }
    }

    /// Goes to the state after a step and the actions that follow it; past the end, to rest.
    pub fn seek(&mut self, step: u64) {
        let after = self.ticks.partition_point(|position| position.steps <= step);
        self.go(after - 1);
        if after < self.ticks.len() {
            return;
        }
        while self.cursor() < step && self.step() {}
        while self.player.clone().tick(&mut Vec::new()) == Tick::Acted && self.step() {}
    }

    /// Goes to the end of the run.
    pub fn seek_rest(&mut self, limits: Limits) {
        self.go(self.ticks.len() - 1);
        while self.cursor() < limits.steps && self.now_us() < limits.time_us && self.step() {}
    }

    fn go(&mut self, tick: usize) {
        self.player = self.player_at(tick);
        self.cursor = tick;
        self.next_at_us = OnceCell::new();
    }

    /// How many ticks have to be played again to come to the last one of a step.
    #[cfg(test)]
    pub(super) fn replayed_for(&self, step: u64) -> usize {
        let tick = self.ticks.partition_point(|position| position.steps <= step) - 1;
        let after = self.snapshots.partition_point(|(at, _)| *at <= tick);
        tick - self.snapshots[after - 1].0
    }

    /// The player as it was after a tick that has been played.
    fn player_at(&self, tick: usize) -> Player {
        let after = self.snapshots.partition_point(|(at, _)| *at <= tick);
        let (at, snapshot) = &self.snapshots[after - 1];
        let from_here = (*at..=tick).contains(&self.cursor);
        let (at, nearest) = if from_here { (self.cursor, &self.player) } else { (*at, snapshot) };
        let mut player = nearest.clone();
        let mut events = Vec::new();
        for _ in at..tick {
            player.tick(&mut events);
            events.clear();
        }
        player
    }

    /// Acts now. In the past this forks: what came after is kept as a fork. `false`: it makes no
    /// sense now, and nothing changed.
    pub fn act(&mut self, kind: Kind, target: Target) -> bool {
        let when = When::Step(self.cursor() + 1);
        let done = self.player.actions_done();
        let mut actions: Vec<Action> = self.actions[..done].to_vec();
        actions.push(Action { kind, target, when });
        let actions: Arc<[Action]> = actions.into();
        let mut player = self.player.with_actions(actions.clone());
        let mut events = Vec::new();
        let missed = player.missed().len();
        player.tick(&mut events);
        if player.missed().len() > missed {
            return false;
        }
        self.leave_fork(done);
        self.actions = actions;
        self.next_at_us = OnceCell::new();
        self.cut_future();
        self.forecasts.truncate(done + 1);
        self.forecasts.push(None);
        self.player = player;
        self.events.extend(events);
        self.arrived();
        true
    }

    /// Notes the place that the player has just come to for the first time.
    fn arrived(&mut self) {
        let world = self.player.world();
        let (steps, time_us) = (world.steps(), world.now_us());
        let (events, done) = (self.events.len(), self.player.actions_done());
        self.cursor += 1;
        self.ticks.push(Position { steps, time_us, events, done });
    }

    /// Keeps the run that is about to be left, if it has anything of its own.
    fn leave_fork(&mut self, done: usize) {
        let left = Fork { actions: self.actions.clone(), left_at: self.cursor() };
        let has_future = done < self.actions.len() || self.cursor + 1 < self.ticks.len();
        if has_future && !self.forks.iter().any(|fork| fork.actions == left.actions) {
            self.forks.push(left);
        }
    }

    /// Goes back to a run that was left, to the step where the two part; the present one is kept
    /// in its place. `false`: there is no such fork.
    pub fn return_to(&mut self, fork: usize) -> bool {
        let Some(left) = self.forks.get_mut(fork) else { return false };
        let left_at = left.left_at;
        let actions = std::mem::replace(&mut left.actions, self.actions.clone());
        let forks = std::mem::take(&mut self.forks);
        *self = Self { forks, ..Self::of(self.scene.clone(), self.seed, &actions) };
        self.seek(left_at);
        true
    }

    fn cut_future(&mut self) {
        self.ticks.truncate(self.cursor + 1);
        self.events.truncate(self.ticks[self.cursor].events);
        self.snapshots.retain(|(at, _)| *at <= self.cursor);
        // The actions to come have changed in what is kept as well.
        for (_, player) in &mut self.snapshots {
            *player = player.with_actions(self.actions.clone());
        }
    }

    /// The verdicts if nothing more fails, as seen right after the last action before the cursor.
    pub fn forecast(&mut self) -> Arc<Forecast> {
        let done = self.player.actions_done();
        if let Some(Some(known)) = self.forecasts.get(done) {
            return known.clone();
        }
        let moment = self.player_at(self.ticks.partition_point(|position| position.done < done));
        let world = moment.world();
        let found = forecast(&self.scene, world, Limits::default(), &mut Vec::new());
        let found = Arc::new(found);
        self.forecasts.resize(self.actions.len() + 1, None);
        self.forecasts[done] = Some(found.clone());
        found
    }
}
