//! What a command has to say, and how it ended. Commands only compute it; `main` prints it.

use std::io::{self, ErrorKind, Write};

use serde_json::{Value, json};

/// What a command ends with, by the process's exit code.
#[derive(Clone, Copy)]
pub(crate) enum Ended {
    /// 0: it ran.
    Ran,
    /// 1: the input is invalid.
    Invalid,
    /// 2: a limit came before rest.
    Limit,
}

/// The result of a command.
pub(crate) struct Report {
    /// For the standard output.
    pub(crate) out: String,
    /// For the standard error.
    pub(crate) err: String,
    pub(crate) ended: Ended,
}

/// Something wrong with the input, at its place.
pub(crate) struct Complaint {
    /// A file, or the option that was wrong.
    pub(crate) file: String,
    pub(crate) line: u32,
    pub(crate) column: u32,
    /// The catalogue's id.
    pub(crate) problem: String,
    pub(crate) message: String,
}

impl Report {
    /// It ran, and this is the result.
    pub(crate) fn ran(out: String) -> Self {
        Self { out, err: String::new(), ended: Ended::Ran }
    }

    /// The input is invalid.
    pub(crate) fn invalid(complaints: &[Complaint], json: bool) -> Self {
        let (out, err) = if json {
            (errors(complaints), String::new())
        } else {
            let lines =
                complaints.iter().map(|Complaint { file, line, column, message, .. }| {
                    format!("{file}:{line}:{column}: {message}\n")
                });
            (String::new(), lines.collect())
        };
        Self { out, err, ended: Ended::Invalid }
    }

    /// Prints it. A reader who has gone away, as `head` does, is no error.
    pub(crate) fn print(&self) -> io::Result<()> {
        let written = write(&mut io::stdout().lock(), &self.out);
        write(&mut io::stderr().lock(), &self.err)?;
        written
    }
}

/// `{"errors":[…]}`, on one line.
pub(crate) fn errors(complaints: &[Complaint]) -> String {
    let errors = complaints.iter().map(|complaint| {
        json!({
            "file": complaint.file,
            "line": complaint.line,
            "column": complaint.column,
            "problem": complaint.problem,
            "message": complaint.message,
        })
    });
    format!("{}\n", json!({ "errors": errors.collect::<Vec<Value>>() }))
}

fn write(to: &mut impl Write, text: &str) -> io::Result<()> {
    match to.write_all(text.as_bytes()).and_then(|()| to.flush()) {
        Err(error) if error.kind() == ErrorKind::BrokenPipe => Ok(()),
        other => other,
    }
}
