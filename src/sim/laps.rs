//! Laps: how often each program has come back to the same wait since the world last changed.
//! A program that goes in circles asks the same questions for ever and gets the same answers.

use crate::collections::Map;

use crate::sim::setup::PartId;

/// Visits to one wait that make a circle: the first one, and two that came back to it.
const VISITS: u32 = 3;
/// The same when something moved to and fro in between, such as a transaction that was rolled
/// back or a message that was handed out once more. Rounds of several programs may drift against
/// each other, so one waits longer before calling that a circle.
const VISITS_RESTLESS: u32 = 12;
/// Different waits that are remembered for one program; more make no circle worth the name.
const WAITS_MAX: usize = 512;

/// The laps of all programs.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub(super) struct Laps {
    parts: Map<PartId, Circuit>,
    restless: bool,
}

#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
struct Circuit {
    /// By the fingerprint of the wait and of what was held then.
    waits: Map<(u64, u64), Lap>,
    /// Where the program is now.
    current: (u64, u64),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct Lap {
    visits: u32,
    /// How much had been scheduled when the program came here first.
    since: u64,
}

impl Laps {
    /// Something happened that may change an outcome: all counts start again.
    pub(super) fn clear(&mut self) {
        self.parts.clear();
        self.restless = false;
    }

    /// Something moved that will be put back.
    pub(super) fn stir(&mut self) {
        self.restless = true;
    }

    /// A program has come to a wait while clients held this and that at servers; `scheduled`
    /// things have been scheduled so far.
    pub(super) fn note(&mut self, part: PartId, wait: u64, held: u64, scheduled: u64) {
        let circuit = self.parts.entry(part).or_default();
        if circuit.waits.len() >= WAITS_MAX {
            circuit.waits.clear();
        }
        circuit.current = (wait, held);
        let lap =
            circuit.waits.entry(circuit.current).or_insert(Lap { visits: 0, since: scheduled });
        lap.visits = lap.visits.saturating_add(1);
    }

    /// Whether something of a program's that is due, the `number`-th thing ever scheduled, is
    /// part of its circle: the program is in the same state again and again, and this was set
    /// going after the first time. What was set going before may still break the circle, and so
    /// may a change of what is held.
    pub(super) fn is_in_circle(&self, part: PartId, held: u64, number: u64) -> bool {
        let visits = if self.restless { VISITS_RESTLESS } else { VISITS };
        let circuit = self.parts.get(&part);
        let current = circuit.filter(|circuit| circuit.current.1 == held);
        let lap = current.and_then(|circuit| circuit.waits.get(&circuit.current));
        lap.is_some_and(|lap| lap.visits >= visits && number > lap.since)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const PART: PartId = PartId(1);

    fn after(visits: u32) -> Laps {
        let mut laps = Laps::default();
        for lap in 0..visits {
            laps.note(PART, 7, 0, 10 + u64::from(lap));
        }
        laps
    }

    #[test]
    fn a_circle_is_a_wait_that_was_come_back_to_twice() {
        assert!(!after(2).is_in_circle(PART, 0, 11));
        assert!(after(3).is_in_circle(PART, 0, 11));
        assert!(!after(3).is_in_circle(PartId(2), 0, 11));
    }

    #[test]
    fn what_was_under_way_before_the_first_lap_is_no_part_of_the_circle() {
        assert!(!after(3).is_in_circle(PART, 0, 10));
    }

    #[test]
    fn a_change_starts_the_count_again() {
        let mut laps = after(3);
        laps.clear();
        assert!(!laps.is_in_circle(PART, 0, 11));
    }

    #[test]
    fn a_lock_that_was_freed_since_the_last_lap_breaks_the_circle() {
        assert!(!after(3).is_in_circle(PART, 1, 11));
    }

    #[test]
    fn only_the_wait_where_the_program_is_now_counts() {
        let mut laps = after(3);
        laps.note(PART, 8, 0, 20);
        assert!(!laps.is_in_circle(PART, 0, 11));
    }

    #[test]
    fn what_moves_to_and_fro_takes_more_laps() {
        let mut laps = after(11);
        laps.stir();
        assert!(!laps.is_in_circle(PART, 0, 11));
        laps.note(PART, 7, 0, 30);
        assert!(laps.is_in_circle(PART, 0, 11));
    }
}
