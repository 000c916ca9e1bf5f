//! What the name of each built-in scene promises, for every crash of its runs.
#![expect(clippy::expect_used, reason = "a test fails by panicking")]

use std::sync::Arc;

use pull_the_plug::audit::{Moment, Verdict, judge, tally};
use pull_the_plug::datum::Datum;
use pull_the_plug::explore::map::Mapper;
use pull_the_plug::explore::{CrashMap, FaultKind, MapOptions};
use pull_the_plug::run::{Finished, action, finish};
use pull_the_plug::scene::{Scene, catalogue};
use pull_the_plug::sim::part::{broker, database};
use pull_the_plug::sim::{Body, Event, Fault, Limits, Message, Phase, What, World};

const RACES: [&str; 2] = ["outbox/two-relays-no-skip-locked", "outbox/order-by-key"];
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
    run_scene(&scene(id), seed, actions)
}

fn run_scene(scene: &Arc<Scene>, seed: u64, actions: &str) -> Finished {
    let (actions, errors) = action::parse_list(actions);
    assert_eq!(errors, []);
    let finished = finish(scene, seed, &actions, Limits::default());
    let finished = finished.expect("the scene has all that the actions name");
    assert_eq!(finished.missed, [], "all actions were done");
    finished
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

/// Maps every n-th step of a scene for two seeds and both faults. Some order gets each verdict of
/// `some`, and no order gets another one, unless it is once or not placed.
fn a_sampled_map_has(id: &str, nth: u64, some: &[Verdict]) {
    let scene = scene(id);
    let mut totals = [0; Verdict::ALL.len()];
    for (seed, fault) in (0..2).flat_map(|seed| FAULTS.map(|fault| (seed, fault))) {
        let options = MapOptions { fault, ..MapOptions::default() };
        let mut world = World::new(scene.setup(seed));
        while !world.is_at_rest() {
            if world.steps() % nth == seed {
                let mut column = Mapper::new(scene.clone(), world.clone(), options);
                column.advance();
                let of_column = column.map().totals();
                totals = std::array::from_fn(|index| totals[index] + of_column[index]);
            }
            world.step(&mut Vec::new());
        }
    }
    for (verdict, total) in Verdict::ALL.into_iter().zip(totals) {
        let place = format!("{id}: {total} cells {verdict:?}");
        match verdict {
            Verdict::NotPlaced => {}
            Verdict::Once => assert!(total > 0, "{place}"),
            _ => assert_eq!(total > 0, some.contains(&verdict), "{place}"),
        }
    }
}

#[test]
fn commit_then_send_loses_and_does_nothing_else() {
    every_map_has("dual-write/commit-then-send", 0..20, &[Verdict::Lost]);
}

#[test]
fn send_then_commit_sends_letters_about_nothing_and_loses_none() {
    every_map_has("dual-write/send-then-commit", 0..20, &[Verdict::Phantom]);
}

#[test]
fn an_outbox_doubles_and_loses_nothing() {
    every_map_has("outbox/one-relay", 0..1, &[Verdict::Doubled]);
    a_sampled_map_has("outbox/two-relays", 11, &[Verdict::Doubled]);
    a_sampled_map_has("outbox/lag-and-cleanup", 13, &[Verdict::Doubled]);
}

#[test]
fn two_phases_leave_nothing_half_done() {
    a_sampled_map_has("dual-write/two-phase-commit", 3, &[]);
}

#[test]
fn an_inbox_survives_every_crash() {
    every_map_has("inbox/one-transaction", 0..1, &[]);
    a_sampled_map_has("inbox/external-effect-with-key", 7, &[]);
}

#[test]
fn each_flaw_shows_in_its_map_and_no_other() {
    use Verdict::{Doubled, Lost, Phantom};
    a_sampled_map_has("outbox/no-confirm", 3, &[Doubled, Lost]);
    a_sampled_map_has("inbox/none", 5, &[Doubled]);
    a_sampled_map_has("inbox/ack-first", 5, &[Lost]);
    a_sampled_map_has("inbox/two-transactions", 5, &[Lost]);
    a_sampled_map_has("inbox/short-memory", 13, &[Doubled]);
    a_sampled_map_has("inbox/external-effect", 7, &[Doubled]);
    a_sampled_map_has("inbox/two-generals", 2, &[Phantom]);
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
    // Two scenes need no failure to go wrong: relays that lock nothing, and relays that overtake.
    let fine = catalogue::ALL.iter().filter(|it| !RACES.contains(&it.id));
    for built_in in fine {
        let scene = scene(built_in.id);
        let orders = scene.setup.workload.count;
        for seed in 0..20 {
            let mut world = World::new(scene.setup(seed));
            assert!(world.settle(Limits::default(), &mut Vec::new()), "{} {seed}", built_in.id);
            let counts = tally(&judge(&scene, &world, Moment::Rest));
            assert_eq!(counts[Verdict::Once as usize], orders, "{} {seed}", built_in.id);
            assert_eq!(counts.iter().sum::<u32>(), orders, "{} {seed}", built_in.id);
        }
    }
}

/// A name on the last line of a longer call would never come; of two alike only one would.
#[test]
fn every_named_moment_comes_and_each_has_its_own_name() {
    for built_in in catalogue::ALL {
        let scene = scene(built_in.id);
        let events = run(built_in.id, 0, "").events;
        for (name, line) in &scene.moments {
            let place = format!("{} {name}", built_in.id);
            assert_eq!(scene.moment(name), Some(*line), "{place} is there twice");
            let effect = |event: &Event| {
                event.call.is_some_and(|(site, phase)| site.line == *line && phase == Phase::Effect)
            };
            assert!(events.iter().any(effect), "{place} never comes");
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

#[test]
fn relays_that_lock_no_rows_double_letters_though_nothing_fails() {
    for seed in 0..10 {
        let unlocked = run("outbox/two-relays-no-skip-locked", seed, "");
        assert!(verdicts(&unlocked).contains(&(Verdict::Doubled, 2)), "{seed}");
        assert_eq!(verdicts(&run("outbox/two-relays", seed, "")), [(Verdict::Once, 2)], "{seed}");
    }
}

#[test]
fn each_flaw_has_its_moment_and_its_remedy() {
    use Verdict::{Doubled, Lost, NotPlaced, Phantom};
    // The flawed scene, the blow, what becomes of an order; the scene without the flaw.
    let cases = [
        (
            "outbox/no-confirm",
            "kill:broker@published#1,restart:broker@+1000",
            Lost,
            "outbox/one-relay",
        ),
        (
            "inbox/none",
            "kill:bonus@processed#1,restart:bonus@+1000",
            Doubled,
            "inbox/one-transaction",
        ),
        (
            "inbox/none",
            "kill:relay@published#1,restart:relay@+1000",
            Doubled,
            "inbox/one-transaction",
        ),
        (
            "inbox/ack-first",
            "kill:bonus@acked#1,restart:bonus@+1000",
            Lost,
            "inbox/one-transaction",
        ),
        ("inbox/two-transactions", "kill:bonus@remembered#1,restart:bonus@+1000", Lost, ""),
        (
            "inbox/short-memory",
            "unplug:relay@published#1,plug:relay@+1000",
            Doubled,
            "inbox/one-transaction",
        ),
        (
            "inbox/external-effect",
            "kill:letters@sent#1,restart:letters@+1000",
            Doubled,
            "inbox/external-effect-with-key",
        ),
        ("inbox/two-generals", "kill:valley@answered#1,restart:valley@+1000", Phantom, ""),
        ("inbox/two-generals", "kill:valley@proposed#1,restart:valley@+1000", NotPlaced, ""),
    ];
    for ((flawed, blow, verdict, remedy), seed) in
        cases.iter().flat_map(|case| (0..3).map(move |seed| (case, seed)))
    {
        let hit = verdicts(&run(flawed, seed, blow));
        assert!(hit.iter().any(|(of, _)| of == verdict), "{flawed} {seed} {blow}: {hit:?}");
        let other = |of: Verdict| of != *verdict && !of.is_fine();
        assert!(!hit.iter().any(|(of, _)| other(*of)), "{flawed} {seed} {blow}: {hit:?}");
        if !remedy.is_empty() {
            let survived = verdicts(&run(remedy, seed, blow));
            let orders = scene(remedy).setup.workload.count;
            assert_eq!(survived, [(Verdict::Once, orders)], "{remedy} {seed} {blow}");
        }
    }
}

#[test]
fn two_copies_at_once_slip_through_a_check_before_the_insert() {
    let blow = "unplug:bonus@1,kill:relay@published#1,restart:relay@+1000,plug:bonus@+3000";
    let fixed = variant("inbox/one-transaction", "prefetch: 1", "prefetch: 2");
    for seed in 0..5 {
        let raced = verdicts(&run("inbox/race", seed, blow));
        assert_eq!(raced, [(Verdict::Once, 1), (Verdict::Doubled, 1)], "{seed}");
        assert_eq!(verdicts(&run_scene(&fixed, seed, blow)), [(Verdict::Once, 2)], "{seed}");
    }
}

#[test]
fn a_late_commit_is_skipped_by_a_cursor_and_by_nothing_else() {
    for seed in 0..5 {
        let late = |id| {
            let scene = scene(id);
            let shop = scene.setup.part_named("shop");
            delayed(&scene, seed, |message| match &message.body {
                Body::Statement { request: database::Request::Commit, .. } => {
                    Some(message.from) == shop
                }
                _ => false,
            })
        };
        assert_eq!(late("outbox/cursor-skips")[0], Verdict::Lost, "{seed}");
        assert_eq!(late("outbox/one-relay"), [Verdict::Once; 3], "{seed}");
        assert_eq!(late("outbox/two-relays"), [Verdict::Once; 2], "{seed}");
    }
}

#[test]
fn a_late_publish_lets_a_second_relay_overtake_unless_an_order_waits_for_its_eldest_event() {
    let id = "outbox/order-by-key";
    let eldest = "WHERE published_at IS NULL AND NOT EXISTS (
          SELECT 1 FROM outbox AS o
          WHERE o.order_id = outbox.order_id AND o.published_at IS NULL AND o.id < outbox.id)
        ORDER";
    let fixed = variant(id, "WHERE published_at IS NULL\n        ORDER", eldest);
    for seed in 0..5 {
        let overtaken = delayed(&scene(id), seed, is_first_version);
        assert_eq!(overtaken[0], Verdict::OutOfOrder, "{seed}");
        assert_eq!(delayed(&fixed, seed, is_first_version), [Verdict::Once; 2], "{seed}");
    }
}

#[test]
fn while_the_coordinator_is_down_between_the_phases_others_wait() {
    let waits = |run: &Finished| {
        let till = |event: &&Event| matches!(event.what, What::TimedOut { .. });
        run.events.iter().filter(till).count()
    };
    let id = "dual-write/two-phase-commit";
    for (seed, moment) in (0..3).flat_map(|seed| ["prepared", "decided"].map(|it| (seed, it))) {
        let calm = run(id, seed, "");
        assert_eq!((waits(&calm), verdicts(&calm)), (0, vec![(Verdict::Once, 2)]));
        let actions = format!("kill:coordinator@{moment}#1,restart:coordinator@+5000");
        let blocked = run(id, seed, &actions);
        assert!(waits(&blocked) > 0, "{seed} {moment}");
        assert_eq!(verdicts(&blocked), [(Verdict::Once, 2)], "{seed} {moment}");
    }
}

#[test]
fn a_relay_that_is_away_costs_time_and_a_cleanup_by_age_costs_letters() {
    let id = "outbox/lag-and-cleanup";
    let by_age = variant(id, "WHERE published_at < now()", "WHERE created_at < now()");
    let away = "unplug:relay@1,plug:relay@+6000";
    for seed in 0..3 {
        let late = run(id, seed, away);
        assert_eq!(verdicts(&late), [(Verdict::Once, 2)], "{seed}");
        let letters = late.events.iter().filter(|it| matches!(it.what, What::LetterSent { .. }));
        assert!(letters.into_iter().all(|it| it.time_us > 6_000_000), "{seed}");
        assert_eq!(verdicts(&run_scene(&by_age, seed, away)), [(Verdict::Lost, 2)], "{seed}");
    }
}

/// A built-in scene with one text in place of another.
fn variant(id: &str, old: &str, new: &str) -> Arc<Scene> {
    let source = scene(id).source.replacen(old, new, 1);
    assert!(source.contains(new), "{id} has no {old}");
    Arc::new(Scene::open(&source).expect("the variant can be read"))
}

fn is_first_version(message: &Message) -> bool {
    match &message.body {
        Body::ToBroker { request: broker::Request::Publish { message, .. }, .. } => {
            message.body.field("version") == Some(&Datum::Int(1))
        }
        _ => false,
    }
}

/// The verdicts of a run in which the first message of a sort is late.
fn delayed(scene: &Arc<Scene>, seed: u64, sort: impl Fn(&Message) -> bool) -> Vec<Verdict> {
    let mut world = World::new(scene.setup(seed));
    let mut events = Vec::new();
    let late = loop {
        let flying = world.in_flight().find(|(message, _)| sort(message));
        let name = flying.map(|(message, _)| message.name);
        match name {
            Some(name) => break name,
            None => assert!(!world.is_at_rest() && world.step(&mut events), "it never left"),
        }
    };
    world.apply(Fault::Delay(late, 1_500_000), &mut events).expect("it is under way");
    assert!(world.settle(Limits::default(), &mut events));
    judge(scene, &world, Moment::Rest).iter().map(|account| account.verdict).collect()
}

/// The first line, from 1, that holds a text.
fn line_with(id: &str, text: &str) -> usize {
    let source = &scene(id).source;
    1 + source.lines().position(|line| line.contains(text)).expect("the line")
}
