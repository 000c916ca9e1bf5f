//! Rules of links, power and processes, seen from outside: by the events of runs.
#![expect(clippy::expect_used, clippy::panic, reason = "a test fails by panicking")]

use std::collections::BTreeMap;
use std::sync::Arc;

use pull_the_plug::run::{Finished, action, finish};
use pull_the_plug::scene::{Scene, catalogue};
use pull_the_plug::sim::{Event, Fault, Limits, Loss, PartId, What, World};

const COMMIT_THEN_SEND: &str = "dual-write/commit-then-send";
const SEND_THEN_COMMIT: &str = "dual-write/send-then-commit";
const OUTBOX: &str = "outbox/one-relay";
const SECOND_US: i64 = 1_000_000;

fn built_in(id: &str) -> Arc<Scene> {
    let scene = catalogue::find(id).expect("the scene is built in");
    Arc::new(Scene::open(scene.source()).expect("it can be read"))
}

/// A scene with a database, a mail service and the given service or worker called `app`.
fn with_app(app: &str, program: &str) -> Arc<Scene> {
    let source = [
        "import { scene, service, worker, postgres, mail, exactly, sql } from \"pull-the-plug\";\n\
         export default scene({\n\
         title: { ru: \"Проба\", en: \"Trial\" },\n\
         parts: {\n\
         db: postgres({ tables: sql`CREATE TABLE orders (id bigint PRIMARY KEY);` }),\n\
         mailer: mail(),\n",
        &format!("app: {app}({{ program: run }}),\n}},\n"),
        "orders: { count: 1, everyMs: 500 },\n\
         placed: { db: sql`SELECT id FROM orders` },\n\
         claims: [exactly(1, \"letter\").perOrder()],\n\
         });\n",
        program,
    ];
    let scene = Scene::open(&source.concat());
    Arc::new(scene.unwrap_or_else(|errors| panic!("{errors:?}")))
}

fn run(scene: &Arc<Scene>, actions: &str) -> Finished {
    let (actions, errors) = action::parse_list(actions);
    assert_eq!(errors, []);
    let run = finish(scene, 3, &actions, Limits::default()).expect("names are known");
    assert_eq!(run.missed, [], "{actions:?}");
    run
}

fn find(run: &Finished, fits: impl Fn(&Event) -> bool) -> &Event {
    let found = run.events.iter().find(|event| fits(event));
    found.unwrap_or_else(|| {
        let happened: Vec<_> = run.events.iter().map(|event| event.what.kind()).collect();
        panic!("no such event: {happened:?}")
    })
}

fn part(scene: &Scene, name: &str) -> PartId {
    scene.setup.part_named(name).expect("the part is there")
}

/// The number of the step in which a call with this verb leaves.
fn leaves(run: &Finished, verb: &str) -> u64 {
    let call = |event: &Event| match &event.what {
        What::Called { ask, .. } => &*ask.verb == verb,
        _ => false,
    };
    find(run, call).step
}

#[test]
fn a_connection_keeps_the_order_and_latency_has_its_bounds() {
    for (built_in, seed) in catalogue::ALL.iter().flat_map(|it| (0..10).map(move |seed| (it, seed)))
    {
        let scene = Scene::open(built_in.source()).expect("it can be read");
        let mut world = World::new(scene.setup(seed));
        let latency_us = world.setup().delays.latency_us;
        for step in 0..150 {
            let mut last = BTreeMap::new();
            for (message, at_us) in world.in_flight() {
                let at_us = at_us.expect("no link is cut");
                let before = last.insert((message.conn, message.to), message.name.n);
                assert!(before < Some(message.name.n), "{} overtakes", message.name.n);
                assert!(at_us >= message.depart_us + latency_us);
                assert!(step > 40 || at_us <= message.depart_us + latency_us * 3 / 2 + 10);
            }
            // One late message holds back what is behind it and overtakes nothing.
            let first = world.in_flight().next().map(|(message, _)| message.name);
            if let (Some(name), 40 | 60) = (first, step) {
                world.apply(Fault::Delay(name, 300_000), &mut Vec::new()).expect("it flies");
            }
            let before = (world.now_us(), world.steps());
            world.step(&mut Vec::new());
            assert!(world.now_us() >= before.0 && world.steps() <= before.1 + 1);
        }
    }
}

#[test]
fn a_fault_changes_nothing_before_it() {
    let scene = built_in(OUTBOX);
    let (calm, cut) = (run(&scene, ""), run(&scene, "cut:relay-db@40"));
    let before = |run: &Finished| -> Vec<Event> {
        run.events.iter().filter(|event| event.step < 40).cloned().collect()
    };
    assert!(before(&calm) == before(&cut));
    assert!(calm.events != cut.events);
}

#[test]
fn what_has_left_a_box_arrives_even_if_the_box_dies() {
    let scene = built_in(COMMIT_THEN_SEND);
    let step = leaves(&run(&scene, ""), "send");
    for fault in ["unplug", "kill"] {
        let before = run(&scene, &format!("{fault}:shop@{step}"));
        let after = run(&scene, &format!("{fault}:shop@{}", step + 1));
        let got = |run: &Finished| run.accounts[0].effects[0].got;
        assert_eq!((got(&before), got(&after)), (0, 1), "{fault}");
    }
}

#[test]
fn a_killed_process_is_noticed_at_once_and_a_power_cut_after_a_while() {
    let scene = built_in(SEND_THEN_COMMIT);
    let notice_us = scene.setup.delays.notice_us;
    let rolled_back = |actions: &str| {
        let run = run(&scene, actions);
        let failed = find(&run, |it| matches!(it.what, What::Killed | What::Unplugged)).time_us;
        let gone = |it: &Event| matches!(it.what, What::ClientGone { rolled_back: true, .. });
        find(&run, gone).time_us - failed
    };
    let killed_us = rolled_back("kill:shop@sent#1");
    assert!(killed_us <= 2 * scene.setup.delays.latency_us, "{killed_us}");
    // Until then the dead client's transaction is open, and so are its locks.
    assert_eq!(rolled_back("unplug:shop@sent#1"), notice_us);
}

#[test]
fn a_call_to_a_part_without_power_times_out() {
    let scene = built_in(COMMIT_THEN_SEND);
    let run = run(&scene, "unplug:mailer@1");
    let called = find(&run, |it| it.step == leaves(&run, "send")).time_us;
    let timed_out = find(&run, |it| matches!(it.what, What::TimedOut { .. })).time_us;
    assert_eq!(timed_out, called + scene.setup.delays.call_timeout_us);
    let lost = |it: &Event| matches!(it.what, What::Lost { loss: Loss::NoPower, .. });
    assert_eq!(find(&run, lost).part, part(&scene, "mailer"));
}

#[test]
fn a_call_to_a_part_without_a_process_is_refused_at_once() {
    let scene = built_in(COMMIT_THEN_SEND);
    let run = run(&scene, "kill:mailer@1,restart:mailer@+9000");
    let called = find(&run, |it| it.step == leaves(&run, "send")).time_us;
    let mailer = part(&scene, "mailer");
    let told = find(&run, |it| it.what == What::Disconnected(mailer)).time_us;
    assert!(told - called <= 4 * scene.setup.delays.latency_us);
    assert!(!run.events.iter().any(|it| matches!(it.what, What::TimedOut { .. })));
}

#[test]
fn a_short_cut_only_delays() {
    let scene = built_in(OUTBOX);
    let run = run(&scene, "cut:relay-broker@published#1,mend:relay-broker@+1500");
    let lost = |it: &&Event| matches!(it.what, What::Lost { .. } | What::Disconnected(_));
    assert_eq!(run.events.iter().find(lost), None);
    assert!(run.accounts.iter().all(|account| account.effects[0].got == 1));
    let relay = part(&scene, "relay");
    let mended = find(&run, |it| matches!(it.what, What::Mended(_))).time_us;
    let broker = part(&scene, "broker");
    let confirmed = |it: &Event| {
        it.part == relay && matches!(it.what, What::Answered { from, .. } if from == broker)
    };
    assert!(find(&run, confirmed).time_us >= mended + scene.setup.delays.latency_us);
}

#[test]
fn a_long_cut_breaks_the_connection() {
    let scene = built_in(OUTBOX);
    let run = run(&scene, "cut:letters-broker@30,mend:letters-broker@+9000");
    let cut = find(&run, |it| matches!(it.what, What::Cut(_))).time_us;
    let gone = find(&run, |it| matches!(it.what, What::ClientGone { .. }));
    assert_eq!((gone.part, gone.time_us), (part(&scene, "broker"), cut + 3 * SECOND_US));
}

#[test]
fn a_dropped_message_takes_its_connection_with_it() {
    let scene = built_in(OUTBOX);
    let mut world = World::new(scene.setup(3));
    let mut events = Vec::new();
    let is_publish = |it: &Event| match &it.what {
        What::Called { ask, .. } => &*ask.verb == "publish",
        _ => false,
    };
    while !events.iter().any(is_publish) {
        world.step(&mut events);
    }
    let relay = part(&scene, "relay");
    let publish = world.in_flight().filter(|(message, _)| message.from == relay).last();
    let name = publish.map(|(message, _)| message.name).expect("it flies");
    events.clear();
    world.apply(Fault::Drop(name), &mut events).expect("it flies");
    let dropped = world.now_us();
    assert!(matches!(events[0].what, What::Lost { loss: Loss::Dropped, .. }));
    assert!(world.settle(Limits::default(), &mut events));
    let broker = part(&scene, "broker");
    let told = |fits: &dyn Fn(&Event) -> bool| {
        let told = events.iter().find(|event| fits(event)).expect("both ends learn of it");
        assert!(told.time_us <= dropped + SECOND_US / 10, "{told:?}");
    };
    told(&|it| it.part == relay && it.what == What::Disconnected(broker));
    told(&|it| {
        it.part == broker && matches!(it.what, What::ClientGone { client, .. } if client == relay)
    });
}

#[test]
fn a_lost_answer_to_commit_leaves_the_client_not_knowing() {
    let scene = with_app(
        "worker",
        "async function run({ db, mailer }) {\n\
         try {\n\
         await db.query(sql`INSERT INTO orders (id) VALUES (1)`); // moment: inserted\n\
         } catch (error) {\n\
         await mailer.send({ order: 1, to: \"Anna\", kind: error.code });\n\
         }\n\
         }\n",
    );
    for actions in
        ["kill:db@inserted#1", "unplug:db@inserted#1", "cut:app-db@inserted#1,mend:app-db@+9000"]
    {
        let run = run(&scene, actions);
        let kind = |it: &Event| match &it.what {
            What::LetterSent { kind, .. } => &**kind == "commit-unknown",
            _ => false,
        };
        find(&run, kind);
        assert!(run.accounts[0].placed, "{actions}: the row is committed all the same");
    }
}

#[test]
fn an_uncaught_error_ends_the_process_and_it_starts_again() {
    let program =
        "async function run({ sleep }) {\nawait sleep(100);\nthrow new Error(\"no\");\n}\n";
    let scene = with_app("worker", program);
    let mut world = World::new(scene.setup(0));
    let mut events = Vec::new();
    while world.now_us() < 3 * SECOND_US && world.step(&mut events) {}
    let app = part(&scene, "app");
    let times = |fits: fn(&What) -> bool| -> Vec<i64> {
        let events = events.iter().filter(|it| it.part == app && fits(&it.what));
        events.map(|it| it.time_us).collect()
    };
    let crashed = times(|what| matches!(what, What::Crashed { .. }));
    let started = times(|what| matches!(what, What::Started));
    assert!(crashed.len() >= 2, "{events:?}");
    assert_eq!(started[1], crashed[0] + scene.setup.delays.restart_us);
}

#[test]
fn a_rejection_that_nobody_awaits_ends_the_process() {
    let scene = with_app(
        "worker",
        "async function run({ mailer, sleep }) {\n\
         mailer.send({ order: 1, to: \"Anna\", kind: \"letter\" });\n\
         await sleep(9000);\n\
         }\n",
    );
    let run = run(&scene, "kill:mailer@1,restart:mailer@+300");
    let crashed = find(&run, |it| matches!(it.what, What::Crashed { .. }));
    assert_eq!(crashed.part, part(&scene, "app"));
}

#[test]
fn a_handler_that_throws_answers_500_and_its_process_lives() {
    let scene =
        with_app("service", "async function run({ order }) {\nthrow new Error(\"no\");\n}\n");
    let run = run(&scene, "");
    find(&run, |it| it.what == What::OrderAnswered(false));
    find(&run, |it| it.what == What::CustomerTold(false));
    assert!(!run.events.iter().any(|it| matches!(it.what, What::Crashed { .. })));
}

#[test]
fn a_crash_forgets_what_was_in_memory() {
    let scene = built_in(COMMIT_THEN_SEND);
    let run = run(&scene, "kill:shop@committed#1");
    let lost = find(&run, |it| matches!(it.what, What::Lost { loss: Loss::Memory, .. }));
    assert_eq!((lost.part, lost.order), (part(&scene, "shop"), Some(1)));
}

#[test]
fn a_refused_commit_changes_nothing() {
    let scene = built_in(COMMIT_THEN_SEND);
    let run = run(&scene, "refuse:db@1");
    let refused = find(&run, |it| matches!(it.what, What::Refused { .. }));
    assert_eq!(refused.part, part(&scene, "db"));
    assert!(!run.accounts[0].placed && run.accounts[1].placed);
    assert_eq!(run.accounts[0].effects[0].got, 0);
}
