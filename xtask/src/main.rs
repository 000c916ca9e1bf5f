//! Development commands: `cargo xtask serve`, `build`, `test`, `conformance`.
//!
//! Each sets up what it needs and says what it installs and why. What is there in the right
//! version is left alone. A failure ends in one sentence: what failed, and what to do.
#![expect(
    clippy::print_stdout,
    clippy::print_stderr,
    reason = "a command line talks to a terminal"
)]

mod build;
mod chromium;
mod conformance;
#[allow(dead_code, reason = "the build script uses the rest")]
#[path = "../../src/words/generate/mod.rs"]
mod generate;
#[path = "../../src/words/marks.rs"]
mod marks;
mod parity;
mod project;
mod serve;
mod setup;
mod test;
mod words;

use std::process::ExitCode;

use project::{Done, Failure, Project};

const HELP: &str = "\
Development commands. Each installs what it needs and is missing.

  cargo xtask serve [--debug] [--port PORT]
      Build the page, serve it on this machine, rebuild on changes, open a browser if there is one.
      --debug builds faster; the page is larger and slower.
  cargo xtask build
      Build the release page into dist/: static files that work from any path of any host.
  cargo xtask words
      Write the files of words into target/words. The build of the page does it by itself.
  cargo xtask conformance [SCENE…] [--sample]
      Run scenes in Node on real PostgreSQL, RabbitMQ and SMTP, crash them at each boundary, or with
      --sample at some, and compare every order's outcome with the simulator's.
  cargo xtask test [GROUP…]
      Check everything, fast checks first, and stop at the first group that fails.
      With names, only these groups run:
";

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    match dispatch(&arguments) {
        Ok(()) => ExitCode::SUCCESS,
        Err(Failure(sentence)) => {
            eprintln!("\nFAILED: {sentence}");
            ExitCode::FAILURE
        }
    }
}

fn dispatch(arguments: &[String]) -> Done {
    let (command, rest) = arguments.split_first().map_or(("help", &[][..]), |(c, r)| (c, r));
    match command {
        "serve" => serve::serve(&Project::find()?, &serve::Options::parse(rest)?),
        "build" if rest.is_empty() => build::build(&Project::find()?),
        "test" => test::test(&Project::find()?, rest),
        "words" if rest.is_empty() => words::words(&Project::find()?),
        "conformance" => conformance::conformance(&Project::find()?, rest),
        "help" | "--help" | "-h" => {
            help();
            Ok(())
        }
        _ => {
            help();
            Err(Failure(format!("`{}` is not a command, see above", arguments.join(" "))))
        }
    }
}

fn help() {
    print!("{HELP}");
    for group in test::GROUPS {
        println!("      {:<12}{}", group.name, group.what);
    }
}
