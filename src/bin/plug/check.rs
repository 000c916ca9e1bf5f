//! `plug check`, and how all commands read a scene.

use std::path::Path;

use pull_the_plug::diagnostic::Diagnostic;
use pull_the_plug::scene::{SOURCE_MAX, Scene};
use pull_the_plug::text::LineIndex;

use super::arguments::{Check, Output};
use super::report::{Complaint, Report, errors};

pub(crate) fn check(options: &Check) -> Report {
    let results = options.files.iter().map(|file| read(file, options.output));
    let complaints: Vec<Complaint> = results.filter_map(Result::err).flatten().collect();
    let json = options.output.json;
    if !complaints.is_empty() {
        return Report::invalid(&complaints, json);
    }
    Report::ran(if json { errors(&[]) } else { String::new() })
}

/// Reads a scene.
///
/// # Errors
/// What to say about the file if it is none.
pub(crate) fn open(file: &Path, output: Output) -> Result<Scene, Report> {
    read(file, output).map_err(|complaints| Report::invalid(&complaints, output.json))
}

fn read(file: &Path, output: Output) -> Result<Scene, Vec<Complaint>> {
    let name = file.display().to_string();
    let whole = |problem: &str, message: String| {
        let problem = problem.to_owned();
        vec![Complaint { file: name.clone(), line: 1, column: 1, problem, message }]
    };
    let bytes = std::fs::read(file).map_err(|error| whole("unreadable", error.to_string()))?;
    if bytes.len() > SOURCE_MAX {
        let given = [("found", &*bytes.len().to_string()), ("expected", &*SOURCE_MAX.to_string())];
        let message = output.words.problem_with("scene-too-large", &given);
        return Err(whole("scene-too-large", message.unwrap_or_default()));
    }
    let text = String::from_utf8(bytes)
        .map_err(|error| whole("unreadable", error.utf8_error().to_string()))?;
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
