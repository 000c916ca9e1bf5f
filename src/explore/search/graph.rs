//! The states that were seen and what leads from one to another without a fault; its ends.

use super::model::Outcome;
use crate::audit::Verdict;
use crate::collections::Map;

/// What it takes to come to a state: faults count more than any number of steps.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Cost {
    pub(super) faults: u8,
    pub(super) steps: u32,
}

/// A state: how it is reached at the least cost.
#[derive(Clone, Copy, Debug)]
pub(super) struct Node {
    /// From which state; from itself, if it is the first.
    pub(super) parent: u32,
    /// By which of that state's choices.
    pub(super) choice: u16,
    pub(super) cost: Cost,
    /// Its successors are known.
    pub(super) done: bool,
}

/// An end: states that only lead to each other.
#[derive(Clone, Debug)]
pub(super) struct End {
    /// Of its states one that takes least.
    pub(super) index: u32,
    pub(super) cost: Cost,
    pub(super) outcome: Outcome,
}

/// All states, and the steps between them that take no fault.
#[derive(Debug, Default)]
pub(super) struct Graph {
    nodes: Vec<Node>,
    /// By state: where its successors begin, and where they end.
    spans: Vec<(u32, u32)>,
    successors: Vec<u32>,
    /// The state whose successors are being added.
    opened: u32,
    /// By state: the place of its outcome in the list.
    judged: Vec<u32>,
    outcomes: Map<Outcome, u32>,
}

impl Graph {
    pub(super) fn len(&self) -> u32 {
        self.nodes.len() as u32
    }

    pub(super) fn node(&self, index: u32) -> Node {
        self.nodes[index as usize]
    }

    pub(super) fn depth(&self) -> u32 {
        self.nodes.iter().map(|node| node.cost.steps).max().unwrap_or_default()
    }

    pub(super) fn add(&mut self, node: Node) {
        self.nodes.push(node);
        self.spans.push((0, 0));
        self.judged.push(0);
    }

    /// A cheaper way to a state that nobody has looked at yet.
    pub(super) fn improve(&mut self, index: u32, node: Node) {
        self.nodes[index as usize] = node;
    }

    /// The successors of this state come next.
    pub(super) fn open(&mut self, index: u32, outcome: Outcome) {
        let fresh = self.outcomes.len() as u32;
        self.judged[index as usize] = *self.outcomes.entry(outcome).or_insert(fresh);
        self.nodes[index as usize].done = true;
        let start = self.successors.len() as u32;
        self.spans[index as usize] = (start, start);
        self.opened = index;
    }

    pub(super) fn link(&mut self, to: u32) {
        self.successors.push(to);
        self.spans[self.opened as usize].1 += 1;
    }

    fn successors(&self, index: u32) -> &[u32] {
        let (start, end) = self.spans[index as usize];
        &self.successors[start as usize..end as usize]
    }

    /// All ends, by their cheapest state. A component with a state that nobody has looked at is
    /// no end: more might lead out of it.
    pub(super) fn ends(&self) -> Vec<End> {
        let components = Components::of(self);
        let mut is_end = vec![true; components.count as usize];
        for index in 0..self.len() {
            let own = components.of[index as usize];
            let leaves = |to: &u32| components.of[*to as usize] != own;
            if !self.node(index).done || self.successors(index).iter().any(leaves) {
                is_end[own as usize] = false;
            }
        }
        let mut members: Map<u32, Vec<u32>> = Map::new();
        for index in 0..self.len() {
            let own = components.of[index as usize];
            if is_end[own as usize] {
                members.entry(own).or_default().push(index);
            }
        }
        members.into_iter().filter_map(|(_, states)| self.end(&states)).collect()
    }

    fn end(&self, states: &[u32]) -> Option<End> {
        let outcomes: Vec<&Outcome> = self.outcomes_by_number();
        let index = states.iter().copied().min_by_key(|state| (self.node(*state).cost, *state))?;
        let mut outcome = outcomes.get(self.judged[index as usize] as usize).copied()?.clone();
        for state in states {
            let Some(other) = outcomes.get(self.judged[*state as usize] as usize) else { continue };
            // What waits in some state of a circle waits again and again.
            for (own, (_, verdict)) in outcome.iter_mut().zip(other.iter()) {
                if *verdict == Verdict::Stuck {
                    own.1 = Verdict::Stuck;
                }
            }
        }
        Some(End { index, cost: self.node(index).cost, outcome })
    }

    fn outcomes_by_number(&self) -> Vec<&Outcome> {
        let mut list: Vec<(u32, &Outcome)> =
            self.outcomes.iter().map(|(outcome, number)| (*number, outcome)).collect();
        crate::collections::sort_by(&mut list, |a, b| a.0.cmp(&b.0));
        list.into_iter().map(|(_, outcome)| outcome).collect()
    }
}

/// Strongly connected components by Tarjan's algorithm, without recursion.
struct Components {
    /// By state.
    of: Vec<u32>,
    count: u32,
}

const NONE: u32 = u32::MAX;

impl Components {
    fn of(graph: &Graph) -> Self {
        let size = graph.nodes.len();
        let mut found = Self { of: vec![NONE; size], count: 0 };
        let mut walk = Walk { order: vec![NONE; size], low: vec![0; size], ..Walk::default() };
        for root in 0..graph.len() {
            if walk.order[root as usize] == NONE {
                walk.enter(root);
                while let Some((state, next)) = walk.path.pop() {
                    walk.go_on(graph, &mut found, state, next);
                }
            }
        }
        found
    }
}

#[derive(Default)]
struct Walk {
    order: Vec<u32>,
    low: Vec<u32>,
    count: u32,
    /// States under way, and which of their successors comes next.
    path: Vec<(u32, u32)>,
    /// States whose component is not known yet.
    open: Vec<u32>,
}

impl Walk {
    fn enter(&mut self, state: u32) {
        self.order[state as usize] = self.count;
        self.low[state as usize] = self.count;
        self.count += 1;
        self.open.push(state);
        self.path.push((state, 0));
    }

    fn lower(&mut self, state: u32, low: u32) {
        let own = &mut self.low[state as usize];
        *own = (*own).min(low);
    }

    fn go_on(&mut self, graph: &Graph, found: &mut Components, state: u32, next: u32) {
        if let Some(to) = graph.successors(state).get(next as usize).copied() {
            self.path.push((state, next + 1));
            if self.order[to as usize] == NONE {
                self.enter(to);
            } else if found.of[to as usize] == NONE {
                self.lower(state, self.order[to as usize]);
            }
            return;
        }
        if self.low[state as usize] == self.order[state as usize] {
            while let Some(member) = self.open.pop() {
                found.of[member as usize] = found.count;
                if member == state {
                    break;
                }
            }
            found.count += 1;
        }
        if let Some((parent, _)) = self.path.last().copied() {
            self.lower(parent, self.low[state as usize]);
        }
    }
}
