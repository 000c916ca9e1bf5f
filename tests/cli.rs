//! The command line by its program: exit codes, located errors, actions, JSON.
#![expect(clippy::expect_used, clippy::panic, reason = "a test fails by panicking")]

use std::collections::BTreeSet;
use std::fs;
use std::path::PathBuf;
use std::process::{Command, Stdio};

use serde_json::Value;

const OUTBOX: &str = "static/scenes/outbox/one-relay.js";
const VERDICTS: [&str; 10] = [
    "once",
    "not-placed",
    "in-flight",
    "lost",
    "doubled",
    "phantom",
    "out-of-order",
    "stuck",
    "inconsistent",
    "undecided",
];

/// What a call of the program gave.
struct Output {
    code: Option<i32>,
    out: String,
    err: String,
}

impl Output {
    fn json(&self) -> Value {
        serde_json::from_str(&self.out).unwrap_or_else(|error| panic!("{error}: {}", self.out))
    }

    /// Its errors, as `line:column problem`.
    fn errors(&self) -> Vec<String> {
        let json = self.json();
        let errors = json["errors"].as_array().expect("errors").iter();
        errors
            .map(|it| format!("{}:{} {}", it["line"], it["column"], it["problem"]).replace('"', ""))
            .collect()
    }
}

fn command(arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_plug"));
    command.current_dir(env!("CARGO_MANIFEST_DIR")).args(arguments);
    command
}

fn plug(arguments: &[&str]) -> Output {
    let output = command(arguments).output().expect("the program starts");
    Output {
        code: output.status.code(),
        out: String::from_utf8(output.stdout).expect("text"),
        err: String::from_utf8(output.stderr).expect("text"),
    }
}

/// Writes a file of this test and gives its path.
fn file(name: &str, bytes: impl AsRef<[u8]>) -> String {
    let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
    fs::write(&path, bytes).expect("the folder for tests is writable");
    path.display().to_string()
}

fn run(actions: &str) -> Value {
    let output = plug(&["run", OUTBOX, "--json", "--actions", actions]);
    assert_eq!(output.code, Some(0), "{actions}: {}{}", output.out, output.err);
    output.json()
}

/// Events of a kind, as `step time_us part`.
fn events(run: &Value, kind: &str) -> Vec<String> {
    let events = run["events"].as_array().expect("events").iter();
    let events = events.filter(|event| event["kind"] == kind);
    events.map(|it| format!("{} {} {}", it["step"], it["time_us"], it["part"])).collect()
}

fn step(event: &str) -> u64 {
    event.split(' ').next().and_then(|step| step.parse().ok()).expect("a step")
}

fn time(event: &str) -> i64 {
    event.split(' ').nth(1).and_then(|time| time.parse().ok()).expect("a time")
}

/// A scene whose worker changes a table for ever, so that it never comes to rest.
fn restless() -> String {
    file(
        "restless.js",
        r#"import { scene, worker, postgres, exactly, sql } from "pull-the-plug";

export default scene({
  title: { ru: "Без конца", en: "Without end" },
  parts: {
    db: postgres({ tables: sql`CREATE TABLE ticks (id bigserial PRIMARY KEY, n int NOT NULL);` }),
    clock: worker({ program: tick }),
  },
  orders: { count: 0, everyMs: 500 },
  placed: { db: sql`SELECT id FROM ticks` },
  claims: [exactly(1, "tick").perOrder({ db: sql`SELECT id, n FROM ticks` })],
});

async function tick({ db, sleep }) {
  while (true) {
    await db.query(sql`INSERT INTO ticks (n) VALUES (1)`);
    await sleep(1000);
  }
}
"#,
    )
}

const WRONG: &str = r#"import { scene, service, postgres, mail, exactly, sql, redis } from "pull-the-plug";

export default scene({
  title: { ru: "Ошибки", en: "Errors" },
  parts: {
    shop: service({ program: placeOrder }),
    db: postgres({ tables: sql`CREATE TABLE orders (id bigint PRIMARY KEY);` }),
    cache: redis({}),
    Mailer: mail({ honorsKeys: true }),
  },
  orders: { count: -1, everyMs: 500 },
  placed: { db: sql`SELECT id FROM order` },
  claims: [exactly(1, "letter").perOrder()],
  "цвет": 1, colour: "red",
});

async function placeOrder({ db, order }) {
  await db.query(sql`INSERT INTO orders (id, name) VALUES (${order.id}, 1)`);
}
"#;

#[test]
fn check_is_silent_about_good_scenes() {
    let output = plug(&["check", OUTBOX, "static/scenes/inbox/one-transaction.js"]);
    assert_eq!((output.code, &*output.out, &*output.err), (Some(0), "", ""));
    let output = plug(&["check", "--json", OUTBOX]);
    assert_eq!((output.code, &*output.out), (Some(0), "{\"errors\":[]}\n"));
}

#[test]
fn check_finds_everything_at_its_place() {
    let file = file("wrong.js", WRONG);
    let output = plug(&["check", "--json", &file]);
    assert_eq!(output.code, Some(1));
    let expected = [
        "1:56 scene-unknown-import",
        "8:12 scene-unknown-kind",
        "9:5 scene-bad-name",
        "9:20 scene-unknown-setting",
        "11:20 scene-out-of-range",
        "12:36 sql-reserved",
        "14:3 scene-unknown-field",
        "14:14 scene-unknown-field",
        "18:46 sql-unknown-column",
    ];
    assert_eq!(output.errors(), expected);
    for error in output.json()["errors"].as_array().expect("errors") {
        assert_eq!(error["file"], file);
        assert_ne!(error["message"], "");
    }
}

#[test]
fn errors_are_said_in_both_languages() {
    let file = file("kind.js", WRONG);
    let english = plug(&["check", &file]);
    let line = format!("{file}:8:12: There is no kind of part “redis”.");
    assert!(english.err.lines().any(|it| it.starts_with(&line)), "{}", english.err);
    assert_eq!((english.code, &*english.out), (Some(1), ""));
    let russian = plug(&["check", "--lang", "ru", &file]);
    let line = format!("{file}:8:12: Вида узлов «redis» нет.");
    assert!(russian.err.lines().any(|it| it.starts_with(&line)), "{}", russian.err);
    assert_eq!(english.err.lines().count(), russian.err.lines().count());
}

#[test]
fn errors_of_syntax_are_located_and_several_at_once() {
    let text = "import { scene } from \"pull-the-plug\";\nconst x = \"письмо\" + ; let y = 5\n\
                class A {}\nvar z;\n";
    let output = plug(&["check", "--json", &file("syntax.js", text)]);
    let places: Vec<_> = output.errors().iter().map(|it| it.replace(' ', ": ")).collect();
    let starts = ["2:22:", "2:24:", "3:1:", "4:1:"];
    assert_eq!(places.len(), starts.len(), "{places:?}");
    for (place, start) in places.iter().zip(starts) {
        assert!(place.starts_with(start), "{places:?}");
    }
}

#[test]
fn a_good_file_does_not_hide_a_bad_one() {
    let empty = file("empty-too.js", "");
    let output = plug(&["check", "--json", OUTBOX, &empty, "no/such/file.js"]);
    assert_eq!(output.code, Some(1));
    assert_eq!(output.errors(), ["1:1 scene-no-export", "1:1 unreadable"]);
}

#[test]
fn files_that_are_no_scenes_are_refused_by_every_command() {
    let noise: Vec<u8> =
        (0..5000u32).map(|n| (n.wrapping_mul(2_654_435_761) >> 24) as u8).collect();
    let files = [
        "no/such/file.js".to_owned(),
        "static".to_owned(),
        file("noise.js", noise),
        file("zeros.js", [0; 100]),
        file("empty.js", ""),
        file("deep.js", "(".repeat(200_000)),
        file("deep-objects.js", "export default ".to_owned() + &"{a:".repeat(50_000)),
        file("large.js", "//".repeat(200_000)),
        file("half.js", &WRONG[..WRONG.len() / 3]),
    ];
    for file in &files {
        for command in ["check", "run", "map", "explore"] {
            let output = plug(&[command, file]);
            assert_eq!(output.code, Some(1), "{command} {file}: {}", output.err);
            assert!(output.err.starts_with(&format!("{file}:1:")) || file.ends_with("half.js"));
            assert_eq!(output.out, "", "{command} {file}");
            let output = plug(&[command, "--json", file]);
            assert_eq!(output.code, Some(1), "{command} --json {file}");
            assert!(!output.errors().is_empty(), "{command} --json {file}");
            assert_eq!(output.err, "", "{command} --json {file}");
        }
    }
}

#[test]
fn wrong_arguments_are_refused() {
    let wrong: [&[&str]; 18] = [
        &["fly"],
        &["check"],
        &["run"],
        &["map"],
        &["run", OUTBOX, OUTBOX],
        &["run", OUTBOX, "--colour"],
        &["run", OUTBOX, "--seed", "-1"],
        &["run", OUTBOX, "--seed"],
        &["run", OUTBOX, "--fault", "kill"],
        &["check", OUTBOX, "--seed", "1"],
        &["map", OUTBOX, "--fault", "explode"],
        &["map", OUTBOX, "--restart", "soon"],
        &["map", OUTBOX, "--faults", "1"],
        &["explore", OUTBOX, "--faults", "many"],
        &["explore", OUTBOX, "--kinds", "crash,explode"],
        &["explore", OUTBOX, "--seed", "1"],
        &["map", OUTBOX, "--actions", "order@1"],
        &["check", OUTBOX, "--lang", "de"],
    ];
    for arguments in wrong {
        let output = plug(arguments);
        assert_eq!(output.code, Some(1), "{arguments:?}");
        assert!(output.err.starts_with("plug: "), "{arguments:?}: {}", output.err);
        let output = plug(&[&["--json"], arguments].concat());
        assert_eq!(output.code, Some(1), "{arguments:?}");
        assert_eq!(output.errors(), ["1:1 bad-arguments"], "{arguments:?}");
        assert_ne!(output.json()["errors"][0]["message"], "");
    }
    let help = plug(&["--help"]);
    assert_eq!(help.code, Some(0));
    assert!(help.out.contains("plug map FILE"), "{}", help.out);
}

#[test]
fn wrong_actions_are_refused_all_at_once() {
    let wrong = "fly:relay@3,unplug:@4,unplug:relay,kill:relay@,kill:relay@relay.1#0:effect,\
                 unplug:relay@0,delay:relay.8@2,order:db@1,kill:relay@relay.1:later";
    let output = plug(&["run", OUTBOX, "--json", "--actions", wrong]);
    assert_eq!((output.code, output.errors().len()), (Some(1), 9), "{}", output.out);
    assert_eq!(output.json()["errors"][0]["file"], "--actions");

    let unknown = "unplug:relais@3,unplug:relay@publish#1,next:rely.1@4,kill:db@rellay.54#1:effect,\
                   cut:relay-brokr@4";
    let output = plug(&["run", OUTBOX, "--json", "--actions", unknown]);
    let part = "1:1 link-unknown-part";
    assert_eq!(output.errors(), [part, "1:1 link-unknown-moment", part, part, part]);
    let message = &output.json()["errors"][0]["message"];
    assert_eq!(message, "This scene has no part “relais”.");
}

#[test]
fn a_run_says_all_that_is_promised() {
    let output = plug(&["run", OUTBOX, "--json"]);
    assert_eq!((output.code, &*output.err), (Some(0), ""));
    let run = output.json();
    let digest = run["digest"].as_str().expect("a digest");
    assert!(digest.len() == 16 && digest.bytes().all(|it| it.is_ascii_hexdigit()), "{digest}");
    let counts = run["verdict_counts"].as_object().expect("counts");
    for verdict in VERDICTS {
        assert_eq!(counts[verdict], if verdict == "once" { 3 } else { 0 }, "{verdict}");
    }
    assert_eq!(counts.len(), VERDICTS.len());
    let order = serde_json::json!({
        "order": 2, "verdict": "once", "owed": { "letter": 1 }, "got": { "letter": 1 },
    });
    assert_eq!(run["orders"][1], order);
    let events = run["events"].as_array().expect("events");
    let steps: Vec<_> = events.iter().map(|event| event["step"].as_u64()).collect();
    assert!(steps.is_sorted() && steps[0] == Some(1));
    assert!(steps.last() <= Some(&run["steps"].as_u64()));
    let line = "        await broker.publish(";
    let text = fs::read_to_string(OUTBOX).expect("the scene");
    let line = text.lines().position(|it| it.starts_with(line)).expect("the line") + 1;
    let is_call = |event: &&Value| event["kind"] == "called" && event["line"] == line;
    let call = events.iter().find(is_call).expect("the publish");
    assert_eq!(call["part"], "relay");
    assert!(call["time_us"].as_i64() > Some(0));

    let text = plug(&["run", OUTBOX]);
    assert_eq!(text.code, Some(0));
    assert!(text.out.ends_with(&format!("№ 3  once  letter 1/1\ndigest {digest}\n")));
}

#[test]
fn the_seed_decides_the_run_and_nothing_else_does() {
    let digest = |seed: &str| {
        let output = plug(&["run", OUTBOX, "--json", "--seed", seed]);
        output.json()["digest"].to_string()
    };
    assert_eq!(digest("7"), digest("7"));
    assert_ne!(digest("7"), digest("8"));
    assert_eq!(digest("0"), run("")["digest"].to_string());
    assert_ne!(digest("18446744073709551615"), digest("0"));
}

#[test]
fn an_action_at_a_step_comes_before_it() {
    let run = run("unplug:relay@17,plug:relay@+500");
    let [unplugged] = &events(&run, "unplugged")[..] else { panic!("one cord was pulled") };
    let [plugged] = &events(&run, "plugged")[..] else { panic!("it was put back once") };
    assert_eq!(step(unplugged), 17);
    assert!(unplugged.ends_with("\"relay\""));
    assert_eq!(time(plugged), time(unplugged) + 500_000);
}

#[test]
fn an_action_at_a_call_comes_before_or_after_its_step() {
    let line = 1 + fs::read_to_string(OUTBOX)
        .expect("the scene")
        .lines()
        .position(|line| line.contains("broker.publish("))
        .expect("the line") as u64;
    let calm = run("");
    let at = |kind: &str, part: &str, nth: usize| {
        let events = calm["events"].as_array().expect("events").iter();
        let fits = |event: &&Value| {
            event["kind"] == kind && event["part"] == part && event["line"] == line
        };
        events.filter(fits).nth(nth).and_then(|event| event["step"].as_u64()).expect("an event")
    };
    let killed = |place: &str| {
        let run = run(&format!("kill:relay@relay.{line}{place}"));
        let killed = events(&run, "killed");
        assert_eq!(killed.len(), 1, "{place}");
        step(&killed[0])
    };
    assert_eq!(killed("#1:before"), at("called", "relay", 0));
    assert_eq!(killed("#1:effect"), at("stored", "broker", 0) + 1);
    assert_eq!(killed("#2:effect"), at("stored", "broker", 1) + 1);
    assert_eq!(killed(":effect"), killed("#1:effect"));
    assert_eq!(killed("#1:answer"), at("answered", "relay", 0) + 1);
    // A moment is the effect of the call on its line.
    let run = run("kill:relay@published#1");
    assert_eq!(step(&events(&run, "killed")[0]), killed("#1:effect"));
}

#[test]
fn an_event_can_be_run_before_its_time() {
    let run = run("next:customers.2@5");
    let ordered = events(&run, "ordered");
    // The second order is due at 0.5 s and runs as step 5; time does not go back for the first.
    assert_eq!(ordered[0], "5 500000 \"customers\"");
    assert_eq!(time(&ordered[1]), 500_000);
    assert_eq!(run["missed"], serde_json::json!([]));
}

#[test]
fn an_action_that_makes_no_sense_is_reported_and_the_rest_done() {
    let actions = "next:relay.77@5,plug:relay@6,unplug:relay@7,unplug:relay@8";
    let run = run(actions);
    let missed = ["next:relay.77@5", "plug:relay@6", "unplug:relay@8"];
    assert_eq!(run["missed"], serde_json::json!(missed));
    assert_eq!(events(&run, "unplugged").len(), 1);
    let text = plug(&["run", OUTBOX, "--actions", actions]);
    assert_eq!(text.err.lines().count(), 3, "{}", text.err);
}

#[test]
fn an_action_that_rest_would_overtake_is_still_done() {
    let rest = run("")["steps"].as_u64().expect("steps");
    for when in ["99999", "published#99", "relay.54#99:effect", "relay.54#99:before", "+60000"] {
        let run = run(&format!("order@{when}"));
        assert_eq!(run["orders"].as_array().map(Vec::len), Some(4), "{when}");
        assert_eq!(run["orders"][3]["verdict"], "once", "{when}");
        let last = events(&run, "ordered").pop().expect("an order");
        assert!(step(&last) > rest, "{when}: {last}");
    }
}

#[test]
fn what_the_other_actions_do_can_be_seen() {
    let calm = run("");
    let first_call =
        calm["events"].as_array().expect("events").iter().find(|event| {
            event["part"] == "db" && event["kind"] == "executed" && event["order"] == 1
        });
    let cause = first_call.and_then(|event| event["cause"].as_str()).expect("a message");
    let at = first_call.and_then(|event| event["step"].as_u64()).expect("a step");
    let late = run(&format!("delay:{cause}-1500@{at}"));
    assert_eq!(events(&late, "delayed").len(), 1);
    let dropped = run(&format!("drop:{cause}@{at}"));
    assert_eq!(dropped["orders"][0]["verdict"], "not-placed");
    let refused = run("refuse:db@8");
    assert_eq!(events(&refused, "refused").len(), 1);
    let cut = run("cut:relay-broker@30,mend:relay-broker@+2000");
    let [mended] = &events(&cut, "mended")[..] else { panic!("mended once") };
    assert_eq!(time(mended), time(&events(&cut, "cut")[0]) + 2_000_000);
    let killed = run("kill:shop@8,restart:shop@+10");
    assert_eq!((events(&killed, "killed").len(), events(&killed, "restarted").len()), (1, 1));
}

#[test]
fn a_map_says_all_that_is_promised() {
    let scene = "static/scenes/dual-write/commit-then-send.js";
    let map = |options: &[&str]| {
        let output = plug(&[&["map", scene, "--json"], options].concat());
        assert_eq!(output.code, Some(0), "{}", output.err);
        output.out
    };
    let standard = map(&[]);
    assert!(standard == map(&["--seed", "0", "--fault", "unplug", "--restart", "1000"]));
    let short = map(&["--restart", "1"]);
    assert!(standard != short && short != map(&["--restart", "1", "--fault", "kill"]));
    // Two seeds can give one map, five cannot.
    assert!(["1", "2", "3", "4"].iter().any(|seed| standard != map(&["--seed", seed])));
    let json: Value = serde_json::from_str(&standard).expect("JSON");
    assert_eq!(json["steps"], plug(&["run", scene, "--json"]).json()["steps"]);
    let cells = json["cells"].as_array().expect("cells");
    for verdict in VERDICTS {
        let with = cells.iter().filter(|cell| cell["verdicts"][verdict].as_u64() > Some(0));
        assert_eq!(json["totals"][verdict], with.count(), "{verdict}");
    }
    for cell in cells {
        assert_eq!(cell["verdicts"].as_object().map(serde_json::Map::len), Some(10), "{cell}");
        assert!(
            cell["step"].as_u64() >= Some(1) && cell["step"].as_u64() <= json["steps"].as_u64()
        );
        assert!(cell["line"].is_null() || cell["part"] == "shop", "{cell}");
    }
    assert!(cells.iter().any(|cell| cell["line"].is_u64()));
    let text = plug(&["map", scene]);
    assert_eq!(text.code, Some(0));
    assert!(text.out.contains(&format!("lost 0 {}", json["totals"]["lost"])), "{}", text.out);
}

#[test]
fn an_exploration_says_all_that_is_promised() {
    let scene = fs::read_to_string("static/scenes/dual-write/commit-then-send.js");
    let scene = scene.expect("a scene").replace("count: 2", "count: 1");
    let scene = file("one-order.js", scene);
    let output = plug(&["explore", &scene, "--json", "--kinds", "crash"]);
    assert_eq!(output.code, Some(0), "{}", output.err);
    let json = output.json();
    assert_eq!(json["complete"], true);
    for number in ["states", "unique", "depth", "seconds"] {
        assert!(json[number].is_number(), "{number}: {json}");
    }
    let verdicts: BTreeSet<&str> =
        json["verdicts"].as_object().expect("verdicts").keys().map(String::as_str).collect();
    assert_eq!(verdicts, BTreeSet::from(VERDICTS));
    let smallest = &json["counterexample"];
    assert_eq!((&smallest["verdict"], &smallest["faults"]), (&"lost".into(), &1.into()));
    let actions = smallest["actions"].as_str().expect("a list");
    let run = plug(&["run", &scene, "--json", "--actions", actions]).json();
    assert_eq!(run["orders"][0]["verdict"], "lost", "{actions}");
    assert_eq!(run["missed"].as_array().map(Vec::len), Some(0), "{actions}");

    let well = plug(&["explore", &scene, "--json", "--faults", "0"]).json();
    assert!(well["counterexample"].is_null(), "{well}");
    let limited = plug(&["explore", &scene, "--json", "--max-states", "20"]);
    assert_eq!((limited.code, &limited.json()["complete"]), (Some(2), &false.into()));
}

#[test]
fn a_limit_before_rest_has_an_exit_code_of_its_own() {
    let scene = restless();
    assert_eq!(plug(&["check", &scene]).code, Some(0));
    let run = plug(&["run", "--json", &scene]);
    assert_eq!(run.code, Some(2));
    let counts = &run.json()["verdict_counts"];
    assert!(counts["undecided"].as_u64() > Some(0) && counts["once"] == 0, "{counts}");
    assert_eq!(plug(&["run", &scene]).code, Some(2));
    let map = plug(&["map", "--json", &scene]);
    assert_eq!((map.code, &map.json()["cells"]), (Some(2), &serde_json::json!([])));
}

#[test]
fn a_reader_who_goes_away_is_no_error() {
    for arguments in [&["run", OUTBOX][..], &["run", OUTBOX, "--json"], &["--help"]] {
        let mut child = command(arguments)
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("the program starts");
        drop(child.stdout.take());
        let output = child.wait_with_output().expect("it ends");
        assert_eq!(output.status.code(), Some(0), "{arguments:?}");
        assert_eq!(String::from_utf8_lossy(&output.stderr), "", "{arguments:?}");
    }
}
