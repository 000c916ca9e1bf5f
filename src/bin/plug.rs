//! `plug`: checks, runs and maps scenes without a browser.

use std::process::ExitCode;

#[path = "plug/arguments.rs"]
mod arguments;
#[path = "plug/check.rs"]
mod check;
#[path = "plug/json.rs"]
mod json;
#[path = "plug/map.rs"]
mod map;
#[path = "plug/run.rs"]
mod run;

use arguments::Command;

/// What a command ends with, by the process's exit code.
enum Ended {
    /// 0: it ran.
    Ran,
    /// 1: the input is invalid.
    Invalid,
    /// 2: a limit came before rest.
    Limit,
}

fn main() -> ExitCode {
    let ended = match arguments::read(std::env::args_os().skip(1)) {
        Ok(Command::Help) => {
            arguments::help();
            Ended::Ran
        }
        Ok(Command::Check(options)) => check::check(&options),
        Ok(Command::Run(options)) => run::run(&options),
        Ok(Command::Map(options)) => map::map(&options),
        Err(message) => {
            arguments::complain(&message);
            Ended::Invalid
        }
    };
    match ended {
        Ended::Ran => ExitCode::SUCCESS,
        Ended::Invalid => ExitCode::from(1),
        Ended::Limit => ExitCode::from(2),
    }
}
