//! Rest: when nothing that still goes on can change any outcome.

use crate::sim::event::Event;
use crate::sim::fault::Fault;
use crate::sim::station::Power;
use crate::sim::world::{Due, Task, World};

/// Bounds of a run to rest.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Limits {
    /// Steps.
    pub steps: u64,
    /// Microseconds of virtual time.
    pub time_us: i64,
}

impl Default for Limits {
    /// Ten virtual minutes or 100,000 steps.
    fn default() -> Self {
        Self { steps: 100_000, time_us: 600_000_000 }
    }
}

impl World {
    /// Whether rest is reached: every program waits for good or has twice come back to the same
    /// wait with nothing changed in between, nothing else is due, and no stored time can still
    /// turn a comparison.
    pub fn is_at_rest(&self) -> bool {
        let no_time_to_come = self.horizon_us().is_none_or(|horizon| horizon < self.now_us());
        self.held.is_empty() && (self.due.is_empty() || no_time_to_come) && self.goes_in_circles()
    }

    fn goes_in_circles(&self) -> bool {
        if self.due.is_empty() {
            return true;
        }
        let held = self.holds.fingerprint();
        self.due.iter().all(|((_, number), due)| self.changes_nothing(held, *number, due))
    }

    /// Whether something that is due only goes round with its program.
    fn changes_nothing(&self, held: u64, number: u64, due: &Due) -> bool {
        let whose = match &due.task {
            Task::Arrive(message) => self.client_of(message.conn),
            Task::AnswerLeaves { conn, .. } | Task::Resume { session: conn } => {
                self.client_of(*conn)
            }
            Task::Wake { .. } | Task::Start | Task::Timeout { .. } => Some(due.name.part),
            Task::Order
            | Task::Notice { .. }
            | Task::Deadlock { .. }
            | Task::Broker(_)
            | Task::Expire => None,
        };
        whose.is_some_and(|part| self.laps.is_in_circle(part, held, number))
    }

    /// What has to be done so that the world can come to rest without new faults: mended links
    /// at once, power and processes after the restart delay.
    pub fn repairs(&self) -> Vec<Fault> {
        let mut repairs: Vec<Fault> = self.cuts().map(|(a, b)| Fault::Mend(a, b)).collect();
        repairs.extend(self.setup().part_ids().filter_map(|part| match self.station(part).power {
            Power::Unplugged => Some(Fault::Plug(part)),
            Power::Killed => Some(Fault::Restart(part)),
            _ => None,
        }));
        repairs
    }

    /// Goes on without new faults until rest: repairs first (see [`World::repairs`]), then step
    /// by step. `false`: a limit came first.
    pub fn settle(&mut self, limits: Limits, events: &mut Vec<Event>) -> bool {
        let repairs = self.repairs();
        let restart_at_us = self.now_us() + self.setup().delays.restart_us;
        let mut later = Vec::new();
        for repair in repairs {
            match repair {
                Fault::Mend(..) => {
                    let _done = self.apply(repair, events);
                }
                _ => later.push(repair),
            }
        }
        let last = (self.steps() + limits.steps, self.now_us() + limits.time_us);
        loop {
            let next = self.next_at_us();
            if !later.is_empty() && next.is_none_or(|at| at >= restart_at_us) {
                self.wait_until(restart_at_us);
                for repair in std::mem::take(&mut later) {
                    // A repair that is not needed any more changes nothing.
                    let _done = self.apply(repair, events);
                }
            }
            if later.is_empty() && self.is_at_rest() {
                return true;
            }
            if self.steps() >= last.0 || self.now_us() >= last.1 || !self.step(events) {
                return later.is_empty() && self.due.is_empty();
            }
        }
    }
}
