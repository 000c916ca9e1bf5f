//! An independent judge of the exhaustive search: Stateright walks the same steps, nothing
//! merged but times and numbers, and must find as many states, the same ends and an equally
//! short way to what goes wrong.
#![cfg(not(target_arch = "wasm32"))]
#![expect(clippy::expect_used, reason = "a test fails by panicking")]

use std::collections::BTreeSet;
use std::hash::{Hash, Hasher};
use std::sync::{Arc, Mutex};

use pull_the_plug::explore::search::{
    Choice, Kind, Model, Outcome, Reductions, Search, SearchOptions,
};
use pull_the_plug::scene::{Scene, catalogue};
use pull_the_plug::sim::World;
use stateright::{Checker as _, Model as Checked, Property};

/// A world and how many faults were spent, known by what the search knows it by.
#[derive(Clone, Debug)]
struct State {
    key: u128,
    faults: u8,
    world: Arc<World>,
}

impl PartialEq for State {
    fn eq(&self, other: &Self) -> bool {
        self.key == other.key
    }
}

impl Eq for State {}

impl Hash for State {
    fn hash<H: Hasher>(&self, hasher: &mut H) {
        self.key.hash(hasher);
    }
}

struct Judge {
    model: Model,
    ends: Mutex<BTreeSet<Outcome>>,
}

impl Judge {
    fn state(&self, world: World, faults: u8) -> State {
        State { key: self.model.key(&world, faults), faults, world: Arc::new(world) }
    }

    fn next(&self, state: &State) -> Vec<(Choice, World)> {
        self.model.next(&state.world, state.faults)
    }

    /// What became of the orders, where nothing more comes by itself. The scenes tried here have
    /// no circles, so these are all ends.
    fn end(&self, state: &State) -> Option<Outcome> {
        // What comes to nothing, such as a message to nobody, leads to the same state.
        let stays = |faults: u8, world: &World| self.model.key(world, faults) == state.key;
        let next = self.next(state);
        let is_end =
            next.iter().all(|(choice, world)| choice.faults > 0 || stays(state.faults, world));
        is_end.then(|| self.model.outcome(&state.world))
    }
}

impl Checked for Judge {
    type State = State;
    type Action = usize;

    fn init_states(&self) -> Vec<State> {
        vec![self.state(self.model.first(), 0)]
    }

    fn actions(&self, state: &State, actions: &mut Vec<usize>) {
        actions.extend(0..self.next(state).len());
        let end = self.end(state);
        self.ends.lock().expect("one thread").extend(end);
    }

    fn next_state(&self, state: &State, action: usize) -> Option<State> {
        let (choice, world) = self.next(state).into_iter().nth(action)?;
        Some(self.state(world, state.faults + choice.faults))
    }

    fn properties(&self) -> Vec<Property<Self>> {
        let fine = |judge: &Self, state: &State| {
            let end = judge.end(state).unwrap_or_default();
            end.iter().all(|(_, verdict)| verdict.is_fine())
        };
        vec![Property::always("fine", fine)]
    }
}

fn scene(id: &str) -> Arc<Scene> {
    let source = catalogue::find(id).expect(id).source().replace("count: 2", "count: 1");
    Arc::new(Scene::open(&source).expect(id))
}

#[test]
fn stateright_finds_the_same() {
    for id in ["dual-write/commit-then-send", "dual-write/send-then-commit"] {
        for kind in [Kind::Crash, Kind::Drop] {
            let options = SearchOptions {
                kinds: vec![kind],
                reductions: Reductions {
                    whole_calls: false,
                    fewest_faults: false,
                    ..Reductions::ALL
                },
                ..SearchOptions::default()
            };
            let scene = scene(id);
            let found = Search::new(scene.clone(), &options).finish();
            let model = Model::new(scene, &options);
            let judge = Judge { model, ends: Mutex::default() };
            let checker = judge.checker().threads(1).spawn_bfs().join();
            assert!(found.complete);
            // It stops as soon as every property has failed, so states are counted by a model
            // without the property.
            let path = checker.discovery("fine").map(|path| path.into_actions().len() as u32);
            assert_eq!(path, found.counterexample.map(|smallest| smallest.steps), "{id} {kind:?}");
            let ends = checker.model().ends.lock().expect("one thread");
            let ends: BTreeSet<Outcome> = ends.clone();
            assert!(ends.iter().all(|end| found.outcomes.contains(end)), "{id} {kind:?}");
            count(&options, id, found.unique, &found.outcomes);
        }
    }
}

/// The same without anything to refute, so that it walks to the end.
struct Walker(Judge);

impl Checked for Walker {
    type State = State;
    type Action = usize;

    fn init_states(&self) -> Vec<State> {
        self.0.init_states()
    }

    fn actions(&self, state: &State, actions: &mut Vec<usize>) {
        self.0.actions(state, actions);
    }

    fn next_state(&self, state: &State, action: usize) -> Option<State> {
        self.0.next_state(state, action)
    }

    fn properties(&self) -> Vec<Property<Self>> {
        vec![Property::always("walks on", |_, _| true)]
    }
}

fn count(options: &SearchOptions, id: &str, unique: u32, outcomes: &[Outcome]) {
    let judge = Judge { model: Model::new(scene(id), options), ends: Mutex::default() };
    let checker = Walker(judge).checker().threads(1).spawn_bfs().join();
    assert_eq!(checker.unique_state_count(), unique as usize, "{id}");
    let ends = checker.model().0.ends.lock().expect("one thread");
    assert_eq!(ends.iter().cloned().collect::<Vec<_>>(), outcomes, "{id}");
}
