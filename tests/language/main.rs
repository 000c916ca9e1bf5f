//! One meaning in the simulator and in Node: the same programs run in the interpreter and in
//! Node against hosts that answer by the same schedule, and must make the same calls in the
//! same order and end alike.

#![expect(clippy::panic, reason = "a test says what is wrong by a panic")]

mod generator;
mod interpreter;
mod prepared;
mod programs;

use std::path::{Path, PathBuf};
use std::process::Command;
use std::{fs, io};

use interpreter::{Schedule, play};
use serde_json::{Value, json};

/// Random programs to compare.
const RANDOM: u64 = 200;

struct Case {
    name: String,
    text: String,
    schedule: Schedule,
}

#[test]
fn node_does_the_same_with_every_construct() {
    let mut cases = Vec::new();
    for (name, text) in programs::ALL {
        for (number, schedule) in schedules().into_iter().enumerate() {
            let name = format!("{name}-{number}");
            cases.push(Case { name, text: (*text).to_owned(), schedule });
        }
    }
    same_in_node("constructs", &cases);
}

#[test]
fn node_does_the_same_at_random() {
    let cases: Vec<Case> = (0..RANDOM)
        .map(|seed| {
            let (text, schedule) = generator::generate(seed);
            Case { name: format!("random-{seed}"), text, schedule }
        })
        .collect();
    same_in_node("random", &cases);
}

#[test]
fn node_accepts_what_is_accepted() {
    let damaged = (0..RANDOM).map(|seed| {
        let (text, schedule) = generator::generate(seed);
        let text = generator::damage(&text, seed);
        Case { name: format!("damaged-{seed}"), text, schedule }
    });
    let accepted: Vec<Case> = damaged
        .filter(|case| !play(&case.text, &case.schedule).iter().any(|line| is_refusal(line)))
        .collect();
    assert!(accepted.len() as u64 > RANDOM / 10, "only {} are accepted", accepted.len());
    same_in_node("damaged", &accepted);
}

/// Whether a program stops at what it may not do. At run time that is mostly a calculation with
/// something like `undefined`, of which JavaScript makes NaN.
fn is_refusal(line: &str) -> bool {
    line.starts_with("refused") || line.contains("type-error") || line.contains("TypeError")
}

fn same_in_node(name: &str, cases: &[Case]) {
    let Some(logs) = in_node(name, cases) else { return };
    assert_eq!(logs.len(), cases.len());
    let mut lines = 0;
    for (case, theirs) in cases.iter().zip(logs) {
        let ours = play(&case.text, &case.schedule);
        lines += ours.len();
        let Case { name, text, schedule } = case;
        assert!(
            ours == theirs,
            "{name}\n{text}\n{schedule:?}\n\nhere: {ours:#?}\nNode: {theirs:#?}"
        );
    }
    assert!(lines > 3 * cases.len(), "the programs do next to nothing: {lines} lines");
}

#[test]
fn refusals_are_refusals() {
    for (name, problem, text) in programs::REFUSED {
        let error = interpreter::compiled(text).err().unwrap_or_default();
        assert!(error.contains(problem), "{name}: {text}\n{error}");
    }
}

#[test]
fn what_looks_like_a_mistake_but_is_none_is_accepted() {
    for (name, text) in programs::ACCEPTED {
        assert_eq!(interpreter::compiled(text).err(), None, "{name}: {text}");
    }
}

/// In order; the last first; with every third call failing; all failing.
fn schedules() -> Vec<Schedule> {
    vec![
        vec![(0, false); 40],
        (0..40).map(|turn| (6 - turn % 7, false)).collect(),
        (0..40).map(|turn| (turn % 3, turn % 3 == 1)).collect(),
        vec![(0, true); 40],
    ]
}

/// The logs of all cases in Node; `None` without Node.
#[expect(clippy::print_stderr, reason = "a skipped test says so")]
fn in_node(name: &str, cases: &[Case]) -> Option<Vec<Vec<String>>> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("language").join(name);
    write_all(root, &folder, cases).unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
    let run = root.join("tests/language/run.mjs");
    let output = match Command::new("node").arg(run).arg(&folder).output() {
        Ok(output) => output,
        Err(error) if error.kind() == io::ErrorKind::NotFound => {
            eprintln!("skipped: `node` is not on PATH; `cargo xtask test` says how to get it");
            return None;
        }
        Err(error) => panic!("node: {error}"),
    };
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    match serde_json::from_slice::<Value>(&output.stdout).map(serde_json::from_value) {
        Ok(Ok(logs)) => Some(logs),
        other => panic!("node printed no logs: {other:?}"),
    }
}

fn write_all(root: &Path, folder: &Path, cases: &[Case]) -> io::Result<()> {
    fs::create_dir_all(folder)?;
    let prelude = fs::read_to_string(root.join("src/script/prelude.js"))?;
    fs::write(folder.join("prelude.mjs"), format!("{prelude}\nexport {{ transaction }};\n"))?;
    let mut list = Vec::new();
    for Case { name, text, schedule } in cases {
        let file = format!("{name}.mjs");
        fs::write(folder.join(&file), format!("{text}\nexport {{ main }};\n"))?;
        list.push(json!({ "file": file, "schedule": schedule }));
    }
    fs::write(folder.join("cases.json"), Value::from(list).to_string())
}
