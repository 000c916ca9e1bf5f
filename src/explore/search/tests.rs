//! What the search finds in small scenes, and that nothing it merges changes that.

use std::collections::BTreeSet;
use std::sync::Arc;

use super::{Found, Kind, Model, Outcome, Reductions, Search, SearchOptions};
use crate::audit::{Moment, Verdict, judge};
use crate::explore::map::Mapper;
use crate::explore::{FaultKind, MapOptions};
use crate::run::finish;
use crate::scene::{Scene, catalogue};
use crate::sim::{Fault, Limits, World};

const BOTH: [&str; 2] = ["dual-write/commit-then-send", "dual-write/send-then-commit"];

/// A built-in scene with fewer orders.
fn scene(id: &str, orders: u32) -> Arc<Scene> {
    let source = catalogue::find(id).expect(id).source();
    let at = source.find("count: ").expect("a count") + "count: ".len();
    let source = format!("{}{orders}{}", &source[..at], &source[at + 1..]);
    Arc::new(Scene::open(&source).expect(id))
}

fn options(kinds: &[Kind], reductions: Reductions) -> SearchOptions {
    SearchOptions { faults: 1, kinds: kinds.to_vec(), states_max: 100_000, reductions }
}

fn search(scene: &Arc<Scene>, kinds: &[Kind], reductions: Reductions) -> Found {
    Search::new(scene.clone(), &options(kinds, reductions)).finish()
}

fn all(scene: &Arc<Scene>, kinds: &[Kind]) -> Found {
    search(scene, kinds, Reductions::ALL)
}

#[test]
fn each_order_of_two_writes_goes_wrong_in_its_own_way() {
    for (id, wrong, never) in
        [(BOTH[0], Verdict::Lost, Verdict::Phantom), (BOTH[1], Verdict::Phantom, Verdict::Lost)]
    {
        let found = all(&scene(id, 1), &[Kind::Crash]);
        assert!(found.complete && found.delivers() && !found.needs_time);
        assert!(found.verdicts[wrong as usize] > 0 && found.verdicts[never as usize] == 0);
        let smallest = found.counterexample.expect("a run that goes wrong");
        assert_eq!((smallest.verdict, smallest.faults, smallest.order), (wrong, 1, 1));
    }
}

#[test]
fn without_faults_all_is_well() {
    for id in BOTH {
        let options = SearchOptions { faults: 0, ..options(&Kind::ALL, Reductions::ALL) };
        let found = Search::new(scene(id, 1), &options).finish();
        assert!(found.complete && found.delivers() && found.counterexample.is_none());
        assert_eq!(found.outcomes, [vec![(1, Verdict::Once)]]);
    }
}

/// A counterexample, run by the clock with its actions, comes to the same verdict.
fn replay(scene: &Arc<Scene>, found: &Found) {
    let smallest = found.counterexample.as_ref().expect("a run that goes wrong");
    let run = finish(scene, 0, &smallest.actions, Limits::default()).expect("names");
    assert_eq!(run.missed, [], "{:?}", smallest.actions);
    let account = run.accounts.iter().find(|account| account.order == smallest.order);
    let verdict = account.map(|account| account.verdict);
    assert_eq!(verdict, Some(smallest.verdict), "{:?}", smallest.actions);
}

#[test]
fn every_counterexample_can_be_replayed() {
    for id in BOTH {
        for kind in Kind::ALL {
            let scene = scene(id, 1);
            let found = all(&scene, &[kind]);
            if found.counterexample.is_some() {
                replay(&scene, &found);
            }
        }
    }
}

#[test]
fn an_outbox_doubles_and_never_loses() {
    let scene = scene("outbox/one-relay", 1);
    let found = all(&scene, &[Kind::Kill]);
    assert!(found.complete && found.delivers());
    let wrong: Vec<Verdict> =
        found.outcomes.iter().map(|end| end[0].1).filter(|verdict| !verdict.is_fine()).collect();
    assert_eq!(wrong, [Verdict::Doubled]);
    replay(&scene, &found);
    let mapped = mapped(&scene, FaultKind::Kill);
    assert!(mapped.is_subset(&counts(&found)), "{mapped:?}");
}

#[test]
fn an_inbox_in_one_transaction_survives_a_refused_commit() {
    let found = all(&scene("inbox/one-transaction", 1), &[Kind::Refuse]);
    assert!(found.complete && found.delivers() && found.counterexample.is_none());
}

#[test]
fn no_merging_changes_what_can_become_of_an_order() {
    for id in BOTH {
        let scene = scene(id, 1);
        for kind in [Kind::Crash, Kind::Cut, Kind::Delay] {
            let merged = all(&scene, &[kind]);
            for (whole_calls, ranks, fewest_faults) in
                [(false, true, true), (true, false, true), (true, true, false)]
            {
                let reductions = Reductions { whole_calls, ranks, fewest_faults };
                let found = search(&scene, &[kind], reductions);
                assert!(found.complete, "{id} {kind:?} {reductions:?}");
                assert_eq!(found.outcomes, merged.outcomes, "{id} {kind:?} {reductions:?}");
                assert!(found.unique >= merged.unique, "{id} {kind:?} {reductions:?}");
            }
        }
    }
}

#[test]
fn a_power_cut_can_come_to_all_that_a_kill_can() {
    for id in BOTH {
        let scene = scene(id, 1);
        let cut = all(&scene, &[Kind::Crash]).outcomes;
        let kill = all(&scene, &[Kind::Kill]).outcomes;
        assert!(kill.iter().all(|outcome| cut.contains(outcome)), "{id}: {kill:?} {cut:?}");
    }
}

/// Runs to their ends one by one, with no state ever taken for another one.
fn brute_force(model: &Model, world: &World, faults: u8, ends: &mut BTreeSet<Outcome>) -> u32 {
    let next = model.next(world, faults);
    if next.iter().all(|(choice, _)| choice.faults > 0) {
        ends.insert(model.outcome(world));
    }
    let after = next.into_iter();
    1 + after
        .map(|(choice, next)| brute_force(model, &next, faults + choice.faults, ends))
        .sum::<u32>()
}

#[test]
fn running_all_runs_one_by_one_comes_to_the_same_ends() {
    for id in BOTH {
        let scene = scene(id, 1);
        for kind in [Kind::Crash, Kind::Drop, Kind::Refuse] {
            let model = Model::new(scene.clone(), &options(&[kind], Reductions::ALL));
            let mut ends = BTreeSet::new();
            let runs = brute_force(&model, &model.first(), 0, &mut ends);
            let found = all(&scene, &[kind]);
            assert!(runs >= found.unique);
            assert_eq!(ends.into_iter().collect::<Vec<_>>(), found.outcomes, "{id} {kind:?}");
        }
    }
}

type Counts = [u32; Verdict::ALL.len()];

/// The ends that a search has found, as a map counts them.
fn counts(found: &Found) -> BTreeSet<Counts> {
    let count = |outcome: &Outcome| {
        let mut counts = [0; Verdict::ALL.len()];
        outcome.iter().for_each(|(_, verdict)| counts[*verdict as usize] += 1);
        counts
    };
    found.outcomes.iter().map(count).collect()
}

/// What the timed crash map comes to, cell by cell.
fn mapped(scene: &Arc<Scene>, fault: FaultKind) -> BTreeSet<Counts> {
    let options = MapOptions { fault, ..MapOptions::default() };
    let map = Mapper::new(scene.clone(), World::new(scene.setup(0)), options).finish();
    map.cells.iter().map(|cell| cell.counts).collect()
}

#[test]
fn whatever_a_crash_map_shows_is_found() {
    for id in BOTH {
        let scene = scene(id, 1);
        for (fault, kind) in [(FaultKind::Unplug, Kind::Crash), (FaultKind::Kill, Kind::Kill)] {
            let found = all(&scene, &[kind]);
            assert!(mapped(&scene, fault).is_subset(&counts(&found)), "{id} {kind:?}");
        }
    }
}

#[test]
fn an_end_is_judged_as_a_timed_run_would_be() {
    let scene = scene(BOTH[0], 1);
    let model = Model::new(scene.clone(), &options(&[], Reductions::ALL));
    let mut world = model.first();
    assert!(world.settle(Limits::default(), &mut Vec::new()));
    let accounts = judge(&scene, &world, Moment::Rest);
    let judged: Outcome = accounts.iter().map(|a| (a.order, a.verdict)).collect();
    assert_eq!(model.outcome(&world), judged);
}

#[test]
fn a_state_is_the_same_whenever_it_is_and_another_if_something_else_happened() {
    let scene = scene(BOTH[0], 1);
    let first = World::new(scene.setup(0));
    let mut later = first.clone();
    later.wait_until(50_000);
    assert_eq!(first.state(3), later.state(3));
    assert_ne!(first.raw_state(), later.raw_state());
    let mut cut = first.clone();
    let db = scene.setup.part_named("db").expect("db");
    cut.apply(Fault::Unplug(db), &mut Vec::new()).expect("it has power");
    assert_ne!(first.state(3), cut.state(3));
}

#[test]
fn a_limit_ends_a_search_that_says_so() {
    let options = SearchOptions { states_max: 50, ..options(&Kind::ALL, Reductions::ALL) };
    let found = Search::new(scene(BOTH[0], 1), &options).finish();
    assert!(!found.complete && found.unique > 50 && found.unique < 100);
}
