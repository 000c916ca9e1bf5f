//! What the name of each built-in scene promises, for every crash of its runs.
#![expect(clippy::expect_used, reason = "a test fails by panicking")]

use std::sync::Arc;

use pull_the_plug::audit::{Moment, Verdict, judge, tally};
use pull_the_plug::explore::map::Mapper;
use pull_the_plug::explore::{CrashMap, FaultKind, MapOptions};
use pull_the_plug::run::{Finished, action, finish};
use pull_the_plug::scene::{Scene, catalogue};
use pull_the_plug::sim::{Limits, World};

const FAULTS: [FaultKind; 2] = [FaultKind::Unplug, FaultKind::Kill];

fn scene(id: &str) -> Arc<Scene> {
    let scene = catalogue::find(id).expect("the scene is built in");
    Arc::new(Scene::open(scene.source()).expect("it can be read"))
}

fn map(scene: &Arc<Scene>, seed: u64, fault: FaultKind) -> CrashMap {
    let options = MapOptions { fault, ..MapOptions::default() };
    Mapper::new(scene.clone(), World::new(scene.setup(seed)), options).finish()
}

fn run(id: &str, seed: u64, actions: &str) -> Finished {
    let (actions, errors) = action::parse_list(actions);
    assert_eq!(errors, []);
    let finished = finish(&scene(id), seed, &actions, Limits::default());
    finished.expect("the scene has all that the actions name")
}

/// How many orders got each verdict, those that none got left out.
fn verdicts(run: &Finished) -> Vec<(Verdict, u32)> {
    let counts = tally(&run.accounts);
    Verdict::ALL.into_iter().zip(counts).filter(|(_, count)| *count > 0).collect()
}

/// Maps a scene for seeds and both faults. In each map some order gets each verdict of `some`,
/// and no order gets another one, unless it is once or not placed.
fn every_map_has(id: &str, seeds: std::ops::Range<u64>, some: &[Verdict]) {
    let scene = scene(id);
    for (seed, fault) in seeds.flat_map(|seed| FAULTS.map(|fault| (seed, fault))) {
        let totals = map(&scene, seed, fault).totals();
        for (verdict, total) in Verdict::ALL.into_iter().zip(totals) {
            let place = format!("{id}, seed {seed}, {fault:?}: {total} cells {verdict:?}");
            match verdict {
                Verdict::NotPlaced => {}
                Verdict::Once => assert!(total > 0, "{place}"),
                _ => assert_eq!(total > 0, some.contains(&verdict), "{place}"),
            }
        }
    }
}

#[test]
fn commit_then_send_loses_and_does_nothing_else() {
    every_map_has("dual-write/commit-then-send", 0..40, &[Verdict::Lost]);
}

#[test]
fn send_then_commit_sends_letters_about_nothing_and_loses_none() {
    every_map_has("dual-write/send-then-commit", 0..40, &[Verdict::Phantom]);
}

#[test]
fn an_outbox_doubles_and_loses_nothing() {
    every_map_has("outbox/one-relay", 0..2, &[Verdict::Doubled]);
}

#[test]
fn an_inbox_survives_every_crash() {
    every_map_has("inbox/one-transaction", 0..2, &[]);
}

#[test]
fn an_inbox_survives_short_and_long_failures() {
    let scene = scene("inbox/one-transaction");
    for restart_us in [1_000, 10_000_000] {
        let options = MapOptions { restart_us, ..MapOptions::default() };
        let map = Mapper::new(scene.clone(), World::new(scene.setup(9)), options).finish();
        for cell in &map.cells {
            assert!(cell.worst().is_fine(), "{restart_us}: {cell:?}");
        }
    }
}

#[test]
fn without_failures_every_order_gets_what_it_is_owed() {
    for built_in in catalogue::ALL {
        let scene = scene(built_in.id);
        let orders = scene.setup.workload.count;
        for seed in 0..100 {
            let mut world = World::new(scene.setup(seed));
            assert!(world.settle(Limits::default(), &mut Vec::new()), "{} {seed}", built_in.id);
            let counts = tally(&judge(&scene, &world, Moment::Rest));
            assert_eq!(counts[Verdict::Once as usize], orders, "{} {seed}", built_in.id);
            assert_eq!(counts.iter().sum::<u32>(), orders, "{} {seed}", built_in.id);
        }
    }
}

#[test]
fn a_cell_of_the_map_is_the_run_with_the_same_actions() {
    for id in ["dual-write/commit-then-send", "outbox/one-relay"] {
        let scene = scene(id);
        for cell in map(&scene, 5, FaultKind::Kill).cells.iter().step_by(41) {
            let part = &scene.setup.part(cell.part).name;
            let actions = format!("kill:{part}@{},restart:{part}@+1000", cell.step);
            assert_eq!(tally(&run(id, 5, &actions).accounts), cell.counts, "{id} {actions}");
        }
    }
}

#[test]
fn a_crash_after_the_commit_loses_one_letter() {
    let id = "dual-write/commit-then-send";
    for (seed, fault) in (0..10).flat_map(|seed| ["unplug", "kill"].map(|it| (seed, it))) {
        let back = if fault == "unplug" { "plug" } else { "restart" };
        let run = run(id, seed, &format!("{fault}:shop@committed#1,{back}:shop@+10"));
        assert_eq!(verdicts(&run), [(Verdict::Once, 1), (Verdict::Lost, 1)], "{seed} {fault}");
    }
}

#[test]
fn a_crash_after_the_letter_leaves_it_about_nothing() {
    let id = "dual-write/send-then-commit";
    for seed in 0..10 {
        let run = run(id, seed, "unplug:shop@sent#1,plug:shop@+10");
        assert_eq!(verdicts(&run), [(Verdict::Once, 1), (Verdict::Phantom, 1)], "{seed}");
        let phantom = &run.accounts[0];
        assert_eq!(
            (phantom.placed, phantom.effects[0].owed, phantom.effects[0].got),
            (false, 0, 1)
        );
    }
}

#[test]
fn a_relay_that_dies_after_its_first_publish_doubles_one_letter() {
    for seed in 0..10 {
        let run = run("outbox/one-relay", seed, "unplug:relay@published#1,plug:relay@+1000");
        assert_eq!(verdicts(&run), [(Verdict::Once, 2), (Verdict::Doubled, 1)], "{seed}");
    }
}

#[test]
fn a_relay_that_dies_before_it_publishes_doubles_nothing() {
    let place = line_with("outbox/one-relay", "broker.publish(");
    for seed in 0..10 {
        let actions = format!("kill:relay@relay.{place}#1:before,restart:relay@+1000");
        assert_eq!(verdicts(&run("outbox/one-relay", seed, &actions)), [(Verdict::Once, 3)]);
    }
}

#[test]
fn a_consumer_that_dies_between_letter_and_ack_doubles_it() {
    for (seed, moment) in (0..10).flat_map(|seed| ["sent", "acked"].map(|it| (seed, it))) {
        let actions = format!("kill:letters@{moment}#1,restart:letters@+1000");
        let verdicts = verdicts(&run("outbox/one-relay", seed, &actions));
        let expected = match moment {
            "sent" => vec![(Verdict::Once, 2), (Verdict::Doubled, 1)],
            _ => vec![(Verdict::Once, 3)],
        };
        assert_eq!(verdicts, expected, "{seed} {moment}");
    }
}

#[test]
fn an_inbox_takes_the_same_blows_and_doubles_nothing() {
    let blows = [
        "unplug:relay@published#1,plug:relay@+1000",
        "kill:bonus@processed#1,restart:bonus@+1000",
        "unplug:points@processed#1,plug:points@+1000",
        "kill:broker@published#1,restart:broker@+1000,kill:bonus@processed#1",
        "cut:bonus-points@processed#1,mend:bonus-points@+9000",
        "refuse:points@published#1",
    ];
    for (seed, blow) in (0..5).flat_map(|seed| blows.map(|blow| (seed, blow))) {
        let verdicts = verdicts(&run("inbox/one-transaction", seed, blow));
        assert_eq!(verdicts, [(Verdict::Once, 2)], "{seed} {blow}");
    }
}

/// The first line, from 1, that holds a text.
fn line_with(id: &str, text: &str) -> usize {
    let source = &scene(id).source;
    1 + source.lines().position(|line| line.contains(text)).expect("the line")
}
