//! `plug`: checks, runs, maps and explores scenes without a browser.

use std::process::ExitCode;

#[path = "plug/arguments.rs"]
mod arguments;
#[path = "plug/check.rs"]
mod check;
#[path = "plug/explore.rs"]
mod explore;
#[path = "plug/json.rs"]
mod json;
#[path = "plug/map.rs"]
mod map;
#[path = "plug/report.rs"]
mod report;
#[path = "plug/run.rs"]
mod run;

use arguments::{Command, HELP};
use report::{Complaint, Ended, Report};

fn main() -> ExitCode {
    let arguments: Vec<_> = std::env::args_os().skip(1).collect();
    let json = arguments.iter().any(|argument| argument == "--json");
    let report = match arguments::read(arguments) {
        Ok(Command::Help) => Report::ran(format!("{HELP}\n")),
        Ok(Command::Check(options)) => check::check(&options),
        Ok(Command::Run(options)) => run::run(&options),
        Ok(Command::Map(options)) => map::map(&options),
        Ok(Command::Explore(options)) => explore::explore(&options),
        Err(message) => misused(message, json),
    };
    match (report.print(), report.ended) {
        (Err(_), _) | (_, Ended::Invalid) => ExitCode::from(1),
        (Ok(()), Ended::Ran) => ExitCode::SUCCESS,
        (Ok(()), Ended::Limit) => ExitCode::from(2),
    }
}

/// The arguments are wrong.
fn misused(message: String, json: bool) -> Report {
    if !json {
        let err = format!("plug: {message}\n\n{HELP}\n");
        return Report { out: String::new(), err, ended: Ended::Invalid };
    }
    let problem = "bad-arguments".to_owned();
    let complaint = Complaint { file: "plug".to_owned(), line: 1, column: 1, problem, message };
    Report::invalid(&[complaint], true)
}
