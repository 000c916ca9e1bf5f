//! The page on this machine, rebuilt on changes.

use std::net::TcpListener;

use crate::build::{NEEDS, trunk};
use crate::project::{Done, Failure, Project};
use crate::setup::ensure;

/// The port that is tried first, and how many after it.
const FIRST_PORT: u16 = 8080;
const PORTS_TRIED: u16 = 20;

/// What the command line asks for.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Options {
    debug: bool,
    port: Option<u16>,
}

impl Options {
    /// Reads the arguments after `serve`.
    pub(crate) fn parse(arguments: &[String]) -> Result<Self, Failure> {
        let mut options = Self::default();
        let mut rest = arguments.iter().map(String::as_str);
        while let Some(argument) = rest.next() {
            match argument {
                "--debug" => options.debug = true,
                "--port" => options.port = Some(port(rest.next())?),
                other => return Err(Failure(format!("`serve` has no option `{other}`"))),
            }
        }
        Ok(options)
    }
}

fn port(value: Option<&str>) -> Result<u16, Failure> {
    value
        .and_then(|text| text.parse().ok())
        .ok_or_else(|| Failure("`--port` needs a number from 0 to 65535".to_owned()))
}

/// Serves the page until interrupted.
pub(crate) fn serve(project: &Project, options: &Options) -> Done {
    ensure(project, NEEDS)?;
    let port = match options.port {
        Some(port) => port,
        None => free_port()?,
    };
    println!("\nThe page will be at http://127.0.0.1:{port}/ once it is built. Ctrl+C ends.\n");
    let port = port.to_string();
    // A folder of its own: Trunk adds a reloading script to what it serves, and dist/ is for hosts.
    let mut arguments =
        vec!["serve", "--dist", "target/serve", "--address", "127.0.0.1", "--port", &port];
    if !options.debug {
        arguments.push("--release");
    }
    if has_browser() {
        arguments.push("--open");
    }
    trunk(project, &arguments)
}

/// The first free port of the loopback interface among those tried.
fn free_port() -> Result<u16, Failure> {
    (FIRST_PORT..FIRST_PORT + PORTS_TRIED)
        .find(|port| TcpListener::bind(("127.0.0.1", *port)).is_ok())
        .ok_or_else(|| Failure(format!("no port from {FIRST_PORT} on is free; name one: --port N")))
}

/// Whether a browser could open a window here.
fn has_browser() -> bool {
    let set = |name| std::env::var_os(name).is_some_and(|value| !value.is_empty());
    cfg!(any(windows, target_os = "macos")) || set("DISPLAY") || set("WAYLAND_DISPLAY")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(line: &str) -> Result<Options, Failure> {
        Options::parse(&line.split_whitespace().map(str::to_owned).collect::<Vec<_>>())
    }

    #[test]
    fn options_are_read_and_wrong_ones_refused() {
        assert_eq!(parse("").unwrap(), Options::default());
        let both = parse("--debug --port 9000").unwrap();
        assert_eq!(both, Options { debug: true, port: Some(9000) });
        assert!(parse("--port").is_err());
        assert!(parse("--port x").is_err());
        assert!(parse("--fast").is_err());
    }
}
