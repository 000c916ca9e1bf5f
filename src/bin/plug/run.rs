//! `plug run`: to rest.

use std::fmt::Write as _;
use std::sync::Arc;

use pull_the_plug::audit::{Account, tally};
use pull_the_plug::run::action::{Action, Target, When};
use pull_the_plug::run::{Finished, Missed, Why, action, finish};
use pull_the_plug::sim::{Digest, Event, Limits, Setup};
use pull_the_plug::words::{Lang, Words};
use serde_json::{Value, json};

use super::arguments::{Output, Run};
use super::report::{Complaint, Ended, Report};
use super::{check, json};

pub(crate) fn run(options: &Run) -> Report {
    let output = options.output;
    let scene = match check::open(&options.file, output) {
        Ok(scene) => Arc::new(scene),
        Err(report) => return report,
    };
    let (actions, errors) = action::parse_list(&options.actions);
    if !errors.is_empty() {
        return refuse(errors.into_iter().map(|error| (error.problem, error.found)), output);
    }
    let setup = scene.setup(options.seed);
    let finished = match finish(&scene, options.seed, &actions, Limits::default()) {
        Ok(finished) => finished,
        Err(missed) => {
            return refuse(missed.iter().map(|missed| misnamed(missed, &actions, &setup)), output);
        }
    };
    let out = if output.json {
        as_json(&finished, &setup, &actions)
    } else {
        as_text(&finished, &setup, output.words)
    };
    Report {
        out,
        err: if output.json { String::new() } else { warnings(&finished, &actions, output.words) },
        ended: if finished.at_rest { Ended::Ran } else { Ended::Limit },
    }
}

/// The actions are wrong.
fn refuse(errors: impl Iterator<Item = (&'static str, String)>, output: Output) -> Report {
    let complaints = errors.map(|(problem, found)| Complaint {
        file: "--actions".to_owned(),
        line: 1,
        column: 1,
        problem: problem.to_owned(),
        message: output.words.problem(problem, &found).unwrap_or(found),
    });
    Report::invalid(&complaints.collect::<Vec<_>>(), output.json)
}

/// Which name of an action the scene does not have.
fn misnamed(missed: &Missed, actions: &[Action], setup: &Setup) -> (&'static str, String) {
    let action = &actions[missed.index as usize];
    if let (Why::NoSuchMoment, When::Moment { name, .. }) = (missed.why, &action.when) {
        return ("link-unknown-moment", name.to_string());
    }
    let mut names = match &action.target {
        Target::None => Vec::new(),
        Target::Part(part) | Target::Event(part, _) | Target::Late(part, ..) => vec![part],
        Target::Link(a, b) => vec![a, b],
    };
    if let When::Call { part, .. } = &action.when {
        names.push(part);
    }
    let unknown = names.into_iter().find(|name| setup.part_named(name).is_none());
    ("link-unknown-part", unknown.map_or_else(|| action.to_string(), ToString::to_string))
}

fn digest(events: &[Event]) -> String {
    let mut digest = Digest::default();
    for event in events {
        digest.add(event);
    }
    digest.text()
}

fn as_json(finished: &Finished, setup: &Setup, actions: &[Action]) -> String {
    let words = Words::native(Lang::En);
    let missed = finished.missed.iter();
    let missed = missed.map(|missed| actions[missed.index as usize].to_string());
    let run = json!({
        "digest": digest(&finished.events),
        "steps": finished.steps,
        "at_rest": finished.at_rest,
        "verdict_counts": json::counts(&tally(&finished.accounts)),
        "orders": finished.accounts.iter().map(json::account).collect::<Vec<_>>(),
        "missed": missed.collect::<Vec<_>>(),
        "events": finished.events.iter().map(|e| event(e, setup, words)).collect::<Vec<_>>(),
    });
    format!("{run}\n")
}

fn event(event: &Event, setup: &Setup, words: Words) -> Value {
    json!({
        "step": event.step,
        "time_us": event.time_us,
        "part": setup.part(event.part).name.as_ref(),
        "kind": event.what.kind(),
        "line": event.call.map(|(site, _)| site.line),
        "order": event.order,
        "cause": event.cause.map(|cause| cause.text(setup)),
        "text": words.story(event, setup),
    })
}

fn as_text(finished: &Finished, setup: &Setup, words: Words) -> String {
    let mut text = String::new();
    for event in &finished.events {
        let time = words.seconds(event.time_us);
        // Writing to a string cannot fail.
        let _done = writeln!(text, "{:>5}  {time:>9}  {}", event.step, words.story(event, setup));
    }
    text.push('\n');
    for Account { order, verdict, effects, .. } in &finished.accounts {
        let effects = effects.iter().map(|e| format!("{} {}/{}", e.name, e.got, e.owed));
        let effects = effects.collect::<Vec<_>>().join(", ");
        let _done = writeln!(text, "№ {order}  {}  {effects}", verdict.id());
    }
    let _done = writeln!(text, "digest {}", digest(&finished.events));
    text
}

/// Actions that were not done.
fn warnings(finished: &Finished, actions: &[Action], words: Words) -> String {
    let missed = finished.missed.iter().map(|missed| {
        let action = actions[missed.index as usize].to_string();
        let message = words.problem("link-action-impossible", &action);
        format!("plug: {}\n", message.unwrap_or(action))
    });
    missed.collect()
}
