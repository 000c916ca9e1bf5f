//! `plug check`, and how all commands read a scene.
#![expect(clippy::print_stdout, clippy::print_stderr, reason = "a command line prints")]

use std::path::Path;

use pull_the_plug::diagnostic::Diagnostic;
use pull_the_plug::scene::Scene;
use pull_the_plug::text::LineIndex;
use serde_json::{Value, json};

use super::Ended;
use super::arguments::{Check, Output};

/// What is wrong with a file, ready to print.
struct Complaint {
    file: String,
    line: u32,
    column: u32,
    problem: String,
    message: String,
}

pub(crate) fn check(options: &Check) -> Ended {
    let results = options.files.iter().map(|file| read(file, options.output));
    let complaints: Vec<Complaint> = results.filter_map(Result::err).flatten().collect();
    if options.output.json || !complaints.is_empty() {
        say(&complaints, options.output);
    }
    if complaints.is_empty() { Ended::Ran } else { Ended::Invalid }
}

/// Reads a scene; says what is wrong with it.
pub(crate) fn open(file: &Path, output: Output) -> Option<Scene> {
    match read(file, output) {
        Ok(scene) => Some(scene),
        Err(complaints) => {
            say(&complaints, output);
            None
        }
    }
}

/// Says what is wrong with actions.
pub(crate) fn say_actions(errors: &[(&'static str, String)], output: Output) {
    let complaints: Vec<Complaint> = errors
        .iter()
        .map(|(problem, found)| Complaint {
            file: "--actions".to_owned(),
            line: 1,
            column: 1,
            problem: (*problem).to_owned(),
            message: output.words.problem(problem, found).unwrap_or_else(|| found.clone()),
        })
        .collect();
    say(&complaints, output);
}

fn read(file: &Path, output: Output) -> Result<Scene, Vec<Complaint>> {
    let name = file.display().to_string();
    let text = std::fs::read_to_string(file).map_err(|error| {
        let message = error.to_string();
        let problem = "unreadable".to_owned();
        vec![Complaint { file: name.clone(), line: 1, column: 1, problem, message }]
    })?;
    let lines = LineIndex::new(&text);
    let complaint = |error: &Diagnostic| {
        let place = lines.place(&text, error.span.start);
        Complaint {
            file: name.clone(),
            line: place.line,
            column: place.column,
            problem: error.problem.to_owned(),
            message: output.words.diagnostic(error),
        }
    };
    Scene::open(&text).map_err(|errors| errors.iter().map(complaint).collect())
}

fn say(complaints: &[Complaint], output: Output) {
    if output.json {
        let errors: Vec<Value> = complaints
            .iter()
            .map(|complaint| {
                json!({
                    "file": complaint.file,
                    "line": complaint.line,
                    "column": complaint.column,
                    "problem": complaint.problem,
                    "message": complaint.message,
                })
            })
            .collect();
        println!("{}", json!({ "errors": errors }));
        return;
    }
    for Complaint { file, line, column, message, .. } in complaints {
        eprintln!("{file}:{line}:{column}: {message}");
    }
}
