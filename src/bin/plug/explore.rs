//! `plug explore`: all orders of events and all choices of a few faults.

use std::fmt::Write as _;
use std::sync::Arc;
// The one place where time is real: how long the search itself took.
#[expect(clippy::disallowed_types, reason = "measures the tool, not the model")]
use std::time::Instant;

use pull_the_plug::audit::Verdict;
use pull_the_plug::explore::search::{Counterexample, Found, Reductions, Search, SearchOptions};
use pull_the_plug::run::action;
use serde_json::{Value, json};

use super::arguments::Explore;
use super::report::{Ended, Report};
use super::{check, json};

pub(crate) fn explore(options: &Explore) -> Report {
    let scene = match check::open(&options.file, options.output) {
        Ok(scene) => Arc::new(scene),
        Err(report) => return report,
    };
    let search = SearchOptions {
        faults: options.faults,
        kinds: options.kinds.clone(),
        states_max: options.states_max,
        reductions: Reductions::ALL,
    };
    let (found, ms) = timed(|| Search::new(scene, &search).finish());
    let complete = found.complete && !found.needs_time;
    Report {
        out: if options.output.json { as_json(&found, ms) } else { as_text(&found, ms, options) },
        err: warning(&found, options.output.json).to_owned(),
        ended: if complete { Ended::Ran } else { Ended::Limit },
    }
}

/// What a search gives, and how many milliseconds it took.
#[expect(clippy::disallowed_types, reason = "measures the tool, not the model")]
fn timed(search: impl FnOnce() -> Found) -> (Found, u64) {
    let start = Instant::now();
    let found = search();
    (found, u64::try_from(start.elapsed().as_millis()).unwrap_or(u64::MAX))
}

fn warning(found: &Found, json: bool) -> &'static str {
    match (found.needs_time, json) {
        (true, false) => {
            "plug: the scene compares times, which a search does not know: there may be more\n"
        }
        _ => "",
    }
}

fn as_json(found: &Found, ms: u64) -> String {
    let counterexample = found.counterexample.as_ref().map(|smallest| {
        json!({
            "actions": action::list_text(&smallest.actions),
            "faults": smallest.faults,
            "steps": smallest.steps,
            "verdict": smallest.verdict.id(),
            "order": smallest.order,
        })
    });
    let result = json!({
        "complete": found.complete && !found.needs_time,
        "states": found.states,
        "unique": found.unique,
        "depth": found.depth,
        "seconds": seconds(ms),
        "verdicts": json::counts(&found.verdicts),
        "counterexample": counterexample.unwrap_or(Value::Null),
    });
    format!("{result}\n")
}

/// Milliseconds as a number of seconds.
fn seconds(ms: u64) -> Value {
    serde_json::from_str(&format!("{}.{:03}", ms / 1000, ms % 1000)).unwrap_or(Value::Null)
}

fn as_text(found: &Found, ms: u64, options: &Explore) -> String {
    let kinds: Vec<&str> = options.kinds.iter().map(|kind| kind.word()).collect();
    let mut text = format!(
        "{} states, {} different, depth {}, {}.{:03} s\n\n",
        found.states,
        found.unique,
        found.depth,
        ms / 1000,
        ms % 1000,
    );
    for (verdict, ends) in Verdict::ALL.iter().zip(found.verdicts) {
        if ends > 0 {
            // Writing to a string cannot fail.
            let _done = writeln!(text, "{:>14} {ends}", verdict.id());
        }
    }
    text.push('\n');
    let bounds = format!("{} faults ({})", options.faults, kinds.join(", "));
    text += &match (&found.counterexample, found.complete && !found.needs_time) {
        (Some(smallest), _) => wrong(smallest),
        (None, true) if found.delivers() => {
            format!("No order of events and no {bounds} go wrong.\n")
        }
        (None, true) => format!("No {bounds} go wrong, but no order is delivered either.\n"),
        (None, false) => "Stopped at the limit; nothing went wrong so far.\n".to_owned(),
    };
    text
}

fn wrong(smallest: &Counterexample) -> String {
    let Counterexample { actions, faults, steps, verdict, order } = smallest;
    let actions = action::list_text(actions);
    format!("№ {order} {}: {faults} faults, {steps} steps\n--actions {actions}\n", verdict.id())
}
