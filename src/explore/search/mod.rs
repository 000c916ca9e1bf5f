//! The exhaustive search: every order of events and every choice of a few faults, fewest faults
//! first, then fewest steps, so that the first run that goes wrong is a smallest one.
//!
//! Nothing is judged on the way. An outcome is what stays true for ever: the states of a *bottom
//! component*, from which, without new faults, only states of the same component can be
//! reached. Under fairness (what can happen again and again does happen) every run ends in one.

mod graph;
mod model;
mod moves;
mod replay;
mod seen;
#[cfg(test)]
mod tests;

use std::sync::Arc;

use crate::audit::Verdict;
use crate::run::action::Action;
use crate::scene::Scene;
use crate::sim::World;
use graph::{Cost, Graph, Node};

pub use model::{Model, Outcome};
pub use moves::{Choice, Move};
use seen::Seen;

/// What a search may do to a world.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Kind {
    /// A part's power is cut. That covers a kill in all it can come to: a peer that may notice
    /// at any moment may also notice at once.
    Crash,
    /// A part's process is killed, and its peers are told at once.
    Kill,
    /// A link is cut.
    Cut,
    /// A message is lost, and its connection with it.
    Drop,
    /// A message is so late that its call is given up meanwhile.
    Delay,
    /// A COMMIT is refused by a constraint.
    Refuse,
}

impl Kind {
    /// All kinds.
    pub const ALL: [Self; 6] =
        [Self::Crash, Self::Kill, Self::Cut, Self::Drop, Self::Delay, Self::Refuse];

    /// Its word on the command line.
    pub fn word(self) -> &'static str {
        match self {
            Self::Crash => "crash",
            Self::Kill => "kill",
            Self::Cut => "cut",
            Self::Drop => "drop",
            Self::Delay => "delay",
            Self::Refuse => "refuse",
        }
    }
}

/// Which states and orders count as one. Each can be switched off, to show that it changes no
/// verdict.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Reductions {
    /// A call, its answer and the program's way to its next call are one step. Faults still fall
    /// between any two of them.
    pub whole_calls: bool,
    /// Worlds that differ only in times and numbers are one state.
    pub ranks: bool,
    /// A state that was reached with fewer faults is not looked at again with more: what can be
    /// done from there with fewer faults left could be done before.
    pub fewest_faults: bool,
}

impl Reductions {
    /// All of them.
    pub const ALL: Self = Self { whole_calls: true, ranks: true, fewest_faults: true };
}

/// What is to be searched.
#[derive(Clone, Debug)]
pub struct SearchOptions {
    /// How many faults at most.
    pub faults: u8,
    /// Of which kinds.
    pub kinds: Vec<Kind>,
    /// States after which it gives up.
    pub states_max: u32,
    /// What counts as one.
    pub reductions: Reductions,
}

impl Default for SearchOptions {
    fn default() -> Self {
        Self {
            faults: 1,
            kinds: Kind::ALL.to_vec(),
            states_max: 2_000_000,
            reductions: Reductions::ALL,
        }
    }
}

/// A smallest run that goes wrong.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Counterexample {
    /// Replays it.
    pub actions: Vec<Action>,
    /// How many faults it takes.
    pub faults: u8,
    /// How many steps of the search it takes until nothing more can change.
    pub steps: u32,
    /// What is wrong.
    pub verdict: Verdict,
    /// With which order.
    pub order: i64,
}

/// What a search has found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Found {
    /// Everything within the bounds was looked at.
    pub complete: bool,
    /// What happens depends on how much time passes, which a search does not know. Runs that it
    /// found are real, but there may be others.
    pub needs_time: bool,
    /// States that were come to, each as often as it was.
    pub states: u64,
    /// Different states.
    pub unique: u32,
    /// Steps to the state that is farthest from the beginning.
    pub depth: u32,
    /// In how many ends some order has each verdict, in the order of [`Verdict::ALL`].
    pub verdicts: [u32; Verdict::ALL.len()],
    /// All ends, each once, in order.
    pub outcomes: Vec<Outcome>,
    /// A smallest run that goes wrong, if there is one.
    pub counterexample: Option<Counterexample>,
}

impl Found {
    /// Whether some order gets what it is owed in some run. Where this is not so, that nothing is
    /// lost or doubled says nothing.
    pub fn delivers(&self) -> bool {
        self.verdicts[Verdict::Once as usize] > 0
    }
}

/// A search under way, one state at a time, so that a page can stay responsive.
#[derive(Debug)]
pub struct Search {
    model: Model,
    states_max: u32,
    graph: Graph,
    seen: Seen,
    /// By faults, then by steps: states to be looked at next, with their worlds.
    queue: Vec<Vec<Vec<(u32, World)>>>,
    states: u64,
    full: bool,
    needs_time: bool,
}

impl Search {
    /// Before the first state.
    pub fn new(scene: Arc<Scene>, options: &SearchOptions) -> Self {
        let model = Model::new(scene, options);
        let first = model.first();
        let mut search = Self {
            states_max: options.states_max,
            graph: Graph::default(),
            seen: Seen::default(),
            queue: vec![Vec::new(); usize::from(options.faults) + 1],
            states: 0,
            full: false,
            needs_time: false,
            model,
        };
        search.reach(first, Cost::default(), 0, 0);
        search
    }

    /// How many different states there are so far.
    pub fn unique(&self) -> u32 {
        self.graph.len()
    }

    /// Looks at one more state. `false`: there is no more, or the limit is reached.
    pub fn advance(&mut self) -> bool {
        if self.full {
            return false;
        }
        let Some((index, world)) = self.pop() else { return false };
        let node = self.graph.node(index);
        if node.done {
            return true;
        }
        let cost = node.cost;
        self.needs_time |= world.depends_on_time();
        let outcome = self.model.outcome(&world);
        self.graph.open(index, outcome);
        for (number, (choice, next)) in (0u16..).zip(self.model.next(&world, cost.faults)) {
            let faults = cost.faults + choice.faults;
            let to = self.reach(next, Cost { faults, steps: cost.steps + 1 }, index, number);
            if choice.faults == 0 {
                self.graph.link(to);
            }
        }
        self.full = self.graph.len() > self.states_max;
        !self.full
    }

    /// A state is come to, from another one by one of its choices. Gives its number.
    fn reach(&mut self, world: World, cost: Cost, parent: u32, choice: u16) -> u32 {
        self.states += 1;
        let key = self.model.key(&world, cost.faults);
        let (index, is_new) = self.seen.insert(key, self.graph.len());
        let node = Node { parent, choice, cost, done: false };
        if is_new {
            self.graph.add(node);
        } else if self.graph.node(index).done || self.graph.node(index).cost <= cost {
            return index;
        } else {
            self.graph.improve(index, node);
        }
        let Some(by_steps) = self.queue.get_mut(usize::from(cost.faults)) else { return index };
        let steps = cost.steps as usize;
        if by_steps.len() <= steps {
            by_steps.resize_with(steps + 1, Vec::new);
        }
        by_steps[steps].push((index, world));
        index
    }

    /// The next state: of those with fewest faults one with fewest steps.
    fn pop(&mut self) -> Option<(u32, World)> {
        self.queue.iter_mut().flatten().find_map(Vec::pop)
    }

    /// Goes on to the end and says what was found.
    pub fn finish(mut self) -> Found {
        while self.advance() {}
        let ends = self.graph.ends();
        let mut verdicts = [0; Verdict::ALL.len()];
        for end in &ends {
            for (count, verdict) in verdicts.iter_mut().zip(Verdict::ALL) {
                *count += u32::from(end.outcome.iter().any(|(_, own)| *own == verdict));
            }
        }
        let mut outcomes: Vec<Outcome> = ends.iter().map(|end| end.outcome.clone()).collect();
        crate::collections::sort(&mut outcomes);
        outcomes.dedup();
        let wrong = |end: &&graph::End| end.outcome.iter().any(|(_, verdict)| !verdict.is_fine());
        let smallest = ends.iter().filter(wrong).min_by_key(|end| (end.cost, end.index));
        Found {
            complete: !self.full,
            needs_time: self.needs_time,
            states: self.states,
            unique: self.graph.len(),
            depth: self.graph.depth(),
            verdicts,
            outcomes,
            counterexample: smallest
                .map(|end| replay::counterexample(&self.model, &self.graph, end)),
        }
    }
}
