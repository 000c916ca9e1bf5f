//! Plays a list of actions into a world: the one place that knows when an action's moment has
//! come. It stops before each step, so a run can be looked at from step to step.

use crate::collections::Set;
use std::sync::Arc;

use super::action::{Action, Kind, Phase, Target, When};
use crate::scene::Scene;
use crate::sim::{Event, Fault, Name, PartId, Phase as CallPhase, Site, World};

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
    /// How often each named moment of the scene has come, in the scene's order.
    moments: Vec<u32>,
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
        let moments = vec![0; scene.moments.len()];
        Self { scene, world, actions, done: 0, last_us: 0, moments, armed: false, missed }
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
        Self { actions, armed: false, ..self.clone() }
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
        let before = anchor.as_ref().filter(|anchor| anchor.may_leave_in_next_step(&self.world));
        let before = before.map(|_| self.world.clone());
        let start = events.len();
        let stepped = self.world.step(events);
        self.armed = match &anchor {
            Some(anchor) => events[start..].iter().any(|event| anchor.is_call(event)),
            None => false,
        };
        if let (Some(before), true) = (before, self.armed) {
            self.world = before;
            events.truncate(start);
            return false;
        }
        self.count_moments(&events[start..], anchor.as_ref());
        stepped
    }

    /// Counts the named moments that came in a step, over the whole run; the next action may have
    /// waited for one. A call that was stored in two queues came once.
    fn count_moments(&mut self, events: &[Event], anchor: Option<&Anchor>) {
        for (index, (_, line)) in self.scene.moments.iter().enumerate() {
            let fitting = events
                .iter()
                .filter_map(|event| event.call)
                .filter(|(site, phase)| site.line == *line && *phase == CallPhase::Effect);
            let before = self.moments[index];
            let after = before + fitting.collect::<Set<_>>().len() as u32;
            self.moments[index] = after;
            if let Some(Anchor::Moment { index: awaited, nth }) = anchor {
                self.armed |= *awaited == index && before < *nth && *nth <= after;
            }
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
        self.armed = false;
        let before = self.world.steps();
        let start = events.len();
        if let Err(why) = self.perform(&action, events) {
            self.missed.push(Missed { index, why });
        }
        self.count_moments(&events[start..], None);
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
                Some(Anchor::Call { part, line: *line, nth: *nth, phase })
            }
            When::Moment { name, nth } => {
                let index = self.scene.moments.iter().position(|(known, _)| known == name)?;
                Some(Anchor::Moment { index, nth: *nth })
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

/// What an action waits for. Both kinds are counted over the whole run.
enum Anchor {
    /// A call of a program.
    Call { part: PartId, line: u32, nth: u32, phase: CallPhase },
    /// A named moment, by its place in the scene's list.
    Moment { index: usize, nth: u32 },
}

impl Anchor {
    /// Whether the step may have to be taken back, since the moment is before it.
    fn may_leave_in_next_step(&self, world: &World) -> bool {
        let Self::Call { part, line, nth, phase: CallPhase::Leaves } = self else { return false };
        world.next_runs() == Some(*part) && world.calls_made(*part, *line) < *nth
    }

    /// Whether an event is the awaited one of a call.
    fn is_call(&self, event: &Event) -> bool {
        let Self::Call { part, line, nth, phase } = self else { return false };
        event.call == Some((Site { part: *part, line: *line, nth: *nth }, *phase))
    }
}
