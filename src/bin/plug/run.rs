//! `plug run`: to rest.
#![expect(clippy::print_stdout, reason = "a command line prints")]

use std::sync::Arc;

use pull_the_plug::audit::{Account, tally};
use pull_the_plug::run::{Finished, Missed, Why, action, finish};
use pull_the_plug::sim::{Digest, Event, Limits, Setup};
use pull_the_plug::words::Words;
use serde_json::{Value, json};

use super::Ended;
use super::arguments::{Output, Run};
use super::{check, json};

pub(crate) fn run(options: &Run) -> Ended {
    let output = options.output;
    let Some(scene) = check::open(&options.file, output) else { return Ended::Invalid };
    let (actions, errors) = action::parse_list(&options.actions);
    if !errors.is_empty() {
        let errors: Vec<_> = errors.into_iter().map(|e| (e.problem, e.found)).collect();
        check::say_actions(&errors, output);
        return Ended::Invalid;
    }
    let scene = Arc::new(scene);
    let finished = match finish(&scene, options.seed, &actions, Limits::default()) {
        Ok(finished) => finished,
        Err(misnamed) => {
            let named = |missed: &Missed| {
                let problem = match missed.why {
                    Why::NoSuchMoment => "link-unknown-moment",
                    _ => "link-unknown-part",
                };
                (problem, actions[missed.index as usize].to_string())
            };
            let errors: Vec<_> = misnamed.iter().map(named).collect();
            check::say_actions(&errors, output);
            return Ended::Invalid;
        }
    };
    let setup = scene.setup(options.seed);
    if output.json {
        println!("{}", as_json(&finished, &setup, &actions));
    } else {
        as_text(&finished, &setup, output);
    }
    if finished.at_rest { Ended::Ran } else { Ended::Limit }
}

fn digest(events: &[Event]) -> String {
    let mut digest = Digest::default();
    for event in events {
        digest.add(event);
    }
    digest.text()
}

fn as_json(finished: &Finished, setup: &Setup, actions: &[action::Action]) -> Value {
    let words = Words::native(pull_the_plug::words::Lang::En);
    let missed = finished.missed.iter();
    let missed = missed.map(|missed| actions[missed.index as usize].to_string());
    json!({
        "digest": digest(&finished.events),
        "steps": finished.steps,
        "at_rest": finished.at_rest,
        "verdict_counts": json::counts(&tally(&finished.accounts)),
        "orders": finished.accounts.iter().map(json::account).collect::<Vec<_>>(),
        "missed": missed.collect::<Vec<_>>(),
        "events": finished.events.iter().map(|e| event(e, setup, words)).collect::<Vec<_>>(),
    })
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

fn as_text(finished: &Finished, setup: &Setup, output: Output) {
    let words = output.words;
    for event in &finished.events {
        let time = words.seconds(event.time_us);
        println!("{:>5}  {time:>9}  {}", event.step, words.story(event, setup));
    }
    println!();
    for Account { order, verdict, effects, .. } in &finished.accounts {
        let effects = effects.iter().map(|e| format!("{} {}/{}", e.name, e.got, e.owed));
        println!("№ {order}  {}  {}", verdict.id(), effects.collect::<Vec<_>>().join(", "));
    }
    println!("digest {}", digest(&finished.events));
}
