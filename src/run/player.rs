//! Plays a list of actions into a world: the one place that knows when an action's moment has
//! come. It stops before each step, so a run can be looked at from step to step.

use crate::collections::Set;
use std::sync::Arc;

use super::action::{Action, Kind, Phase, Target, When};
use crate::scene::Scene;
use crate::sim::{Event, Fault, Name, PartId, Phase as CallPhase, World};

/// A world that is played with a list of actions.
#[derive(Clone, Debug)]
pub struct Player {
    scene: Arc<Scene>,
    world: World,
    actions: Arc<[Action]>,
    /// How many actions are behind.
    done: usize,
    /// When the last action was done, in microseconds.
    last_us: i64,
    /// How often the next action's moment has come.
    seen: u32,
    /// The next action's moment is now.
    armed: bool,
    missed: Vec<Missed>,
}

/// An action that could not be done.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Missed {
    /// Its place in the list.
    pub index: u32,
    /// Why.
    pub why: Why,
}

/// Why an action was not done.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Why {
    /// It names a part that the scene does not have.
    NoSuchPart,
    /// It names a moment that the scene does not have.
    NoSuchMoment,
    /// At its moment it made no sense: the part was down already, the message gone.
    Impossible,
}

/// One movement of a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Tick {
    /// An action was done, or found impossible.
    Acted,
    /// A step was done.
    Stepped,
    /// Rest: nothing that goes on can change anything, and no action is left.
    Rest,
}

impl Player {
    /// Before the first step.
    pub fn new(scene: Arc<Scene>, seed: u64, actions: Arc<[Action]>) -> Self {
        let world = World::new(scene.setup(seed));
        let missed = Vec::new();
        Self { scene, world, actions, done: 0, last_us: 0, seen: 0, armed: false, missed }
    }

    /// The world as it is.
    pub fn world(&self) -> &World {
        &self.world
    }

    /// How many actions are behind.
    pub fn actions_done(&self) -> usize {
        self.done
    }

    /// Actions that could not be done.
    pub fn missed(&self) -> &[Missed] {
        &self.missed
    }

    /// The same world with other actions to come; those behind must be the same.
    pub fn with_actions(&self, actions: Arc<[Action]>) -> Self {
        debug_assert!(self.actions[..self.done] == actions[..self.done], "the past is fixed");
        if self.actions.get(self.done) == actions.get(self.done) {
            return Self { actions, ..self.clone() };
        }
        Self { actions, seen: 0, armed: false, ..self.clone() }
    }

    /// Whether some action is still to come.
    pub fn has_more_actions(&self) -> bool {
        self.done < self.actions.len()
    }

    /// Does one action or one step, whichever comes next. An action whose moment has not come
    /// before rest is done at rest.
    pub fn tick(&mut self, events: &mut Vec<Event>) -> Tick {
        if self.is_action_due() {
            return self.act(events);
        }
        if self.world.is_at_rest() {
            match self.actions.get(self.done).map(|action| &action.when) {
                None => return Tick::Rest,
                // A stretch of time passes at rest as well.
                Some(When::After(_)) => {}
                Some(_) => return self.act(events),
            }
        }
        if self.step(events) {
            return Tick::Stepped;
        }
        if self.done < self.actions.len() { self.act(events) } else { Tick::Rest }
    }

    fn is_action_due(&self) -> bool {
        match self.actions.get(self.done).map(|action| &action.when) {
            None => false,
            Some(When::Step(step)) => self.world.steps() + 1 >= *step,
            Some(When::After(ms)) => {
                let at_us = self.last_us + i64::from(*ms) * 1000;
                self.world.next_at_us().is_none_or(|next| next >= at_us)
            }
            Some(_) => self.armed,
        }
    }

    /// One step. `false`: none is due, or the next action comes before it.
    fn step(&mut self, events: &mut Vec<Event>) -> bool {
        let anchor = self.actions.get(self.done).and_then(|action| self.anchor(action));
        let Some(anchor) = anchor else { return self.world.step(events) };
        let before = anchor.may_leave_in_next_step(&self.world).then(|| self.world.clone());
        let start = events.len();
        let stepped = self.world.step(events);
        let hits = anchor.hits(&events[start..]);
        if self.seen + hits < anchor.nth {
            self.seen += hits;
            return stepped;
        }
        self.armed = hits > 0;
        match before {
            Some(before) if self.armed => {
                self.world = before;
                events.truncate(start);
                false
            }
            _ => stepped,
        }
    }

    /// Does the next action now.
    fn act(&mut self, events: &mut Vec<Event>) -> Tick {
        let Some(action) = self.actions.get(self.done).cloned() else { return Tick::Rest };
        if let When::After(ms) = action.when {
            self.world.wait_until(self.last_us + i64::from(ms) * 1000);
        }
        let index = self.done as u32;
        self.done += 1;
        self.seen = 0;
        self.armed = false;
        let before = self.world.steps();
        if let Err(why) = self.perform(&action, events) {
            self.missed.push(Missed { index, why });
        }
        self.last_us = self.world.now_us();
        if self.world.steps() > before { Tick::Stepped } else { Tick::Acted }
    }

    fn perform(&mut self, action: &Action, events: &mut Vec<Event>) -> Result<(), Why> {
        if action.kind == Kind::Next {
            let Target::Event(part, n) = &action.target else { return Err(Why::Impossible) };
            let name = Name { part: self.part(part)?, n: *n };
            let stepped = self.world.step_named(name, events);
            return stepped.then_some(()).ok_or(Why::Impossible);
        }
        let fault = self.fault(action)?;
        self.world.apply(fault, events).map_err(|_| Why::Impossible)
    }

    fn fault(&self, action: &Action) -> Result<Fault, Why> {
        let fault = match (action.kind, &action.target) {
            (Kind::Unplug, Target::Part(part)) => Fault::Unplug(self.part(part)?),
            (Kind::Plug, Target::Part(part)) => Fault::Plug(self.part(part)?),
            (Kind::Kill, Target::Part(part)) => Fault::Kill(self.part(part)?),
            (Kind::Restart, Target::Part(part)) => Fault::Restart(self.part(part)?),
            (Kind::Refuse, Target::Part(part)) => Fault::Refuse(self.part(part)?),
            (Kind::Cut, Target::Link(a, b)) => Fault::Cut(self.part(a)?, self.part(b)?),
            (Kind::Mend, Target::Link(a, b)) => Fault::Mend(self.part(a)?, self.part(b)?),
            (Kind::Drop, Target::Event(part, n)) => {
                Fault::Drop(Name { part: self.part(part)?, n: *n })
            }
            (Kind::Delay, Target::Late(part, n, ms)) => {
                let name = Name { part: self.part(part)?, n: *n };
                Fault::Delay(name, i64::from(*ms) * 1000)
            }
            (Kind::Order, _) => Fault::Order,
            _ => return Err(Why::Impossible),
        };
        Ok(fault)
    }

    fn part(&self, name: &str) -> Result<PartId, Why> {
        self.world.setup().part_named(name).ok_or(Why::NoSuchPart)
    }

    fn anchor(&self, action: &Action) -> Option<Anchor> {
        match &action.when {
            When::Call { part, line, nth, phase } => {
                let part = self.world.setup().part_named(part)?;
                let phase = match phase {
                    Phase::Before => CallPhase::Leaves,
                    Phase::Effect => CallPhase::Effect,
                    Phase::Answer => CallPhase::Answer,
                };
                // The call itself is counted over the whole run.
                Some(Anchor { part: Some(part), line: *line, call: Some(*nth), nth: 1, phase })
            }
            When::Moment { name, nth } => {
                let line = self.scene.moment(name)?;
                let phase = CallPhase::Effect;
                Some(Anchor { part: None, line, call: None, nth: *nth, phase })
            }
            _ => None,
        }
    }

    /// What is wrong with actions before anything runs: names that the scene does not have.
    pub fn check(&self) -> Vec<Missed> {
        let wrong = (0u32..).zip(self.actions.iter()).filter_map(|(index, action)| {
            let parts: Vec<&Arc<str>> = match &action.target {
                Target::None => Vec::new(),
                Target::Part(part) | Target::Event(part, _) | Target::Late(part, ..) => vec![part],
                Target::Link(a, b) => vec![a, b],
            };
            if parts.iter().any(|part| self.part(part).is_err()) {
                return Some(Missed { index, why: Why::NoSuchPart });
            }
            match &action.when {
                When::Call { part, .. } if self.part(part).is_err() => {
                    Some(Missed { index, why: Why::NoSuchPart })
                }
                When::Moment { name, .. } if self.scene.moment(name).is_none() => {
                    Some(Missed { index, why: Why::NoSuchMoment })
                }
                _ => None,
            }
        });
        wrong.collect()
    }
}

/// The event that an action waits for.
struct Anchor {
    part: Option<PartId>,
    line: u32,
    call: Option<u32>,
    /// How many fitting events it takes.
    nth: u32,
    phase: CallPhase,
}

impl Anchor {
    /// Whether the step may have to be taken back, since the moment is before it.
    fn may_leave_in_next_step(&self, world: &World) -> bool {
        let (Some(part), Some(nth), CallPhase::Leaves) = (self.part, self.call, self.phase) else {
            return false;
        };
        world.next_runs() == Some(part) && world.calls_made(part, self.line) < nth
    }

    /// How many calls came to this moment. One that was stored in two queues came once.
    fn hits(&self, events: &[Event]) -> u32 {
        let fitting = events.iter().filter(|event| self.fits(event));
        let calls: Set<_> = fitting.filter_map(|event| event.call).collect();
        calls.len() as u32
    }

    fn fits(&self, event: &Event) -> bool {
        event.call.is_some_and(|(site, phase)| {
            phase == self.phase
                && site.line == self.line
                && self.part.is_none_or(|part| part == site.part)
                && self.call.is_none_or(|nth| nth == site.nth)
        })
    }
}
