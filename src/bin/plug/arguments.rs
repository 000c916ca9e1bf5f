//! The command line's words.

use std::ffi::OsString;
use std::path::PathBuf;

use lexopt::Arg::{Long, Short, Value};
use lexopt::{Parser, ValueExt as _};
use pull_the_plug::explore::FaultKind;
use pull_the_plug::explore::search::{Kind, SearchOptions};
use pull_the_plug::words::{Lang, Words};

pub(crate) enum Command {
    Help,
    Check(Check),
    Run(Run),
    Map(Map),
    Explore(Explore),
}

pub(crate) struct Check {
    pub(crate) files: Vec<PathBuf>,
    pub(crate) output: Output,
}

pub(crate) struct Run {
    pub(crate) file: PathBuf,
    pub(crate) seed: u64,
    pub(crate) actions: String,
    pub(crate) output: Output,
}

pub(crate) struct Map {
    pub(crate) file: PathBuf,
    pub(crate) seed: u64,
    pub(crate) fault: FaultKind,
    pub(crate) restart_ms: u32,
    pub(crate) output: Output,
}

pub(crate) struct Explore {
    pub(crate) file: PathBuf,
    pub(crate) faults: u8,
    pub(crate) kinds: Vec<Kind>,
    pub(crate) states_max: u32,
    pub(crate) output: Output,
}

#[derive(Clone, Copy)]
pub(crate) struct Output {
    pub(crate) json: bool,
    pub(crate) words: Words,
}

/// How to call it.
pub(crate) const HELP: &str = "\
plug: checks, runs, maps and explores scenes of Pull the Plug

  plug check FILE…
  plug run FILE [--seed N] [--actions LIST]
  plug map FILE [--seed N] [--fault unplug|kill] [--restart MS]
  plug explore FILE [--faults K] [--kinds LIST] [--max-states N]

  --json        print JSON
  --lang en|ru  the language of messages (en)

LIST is comma-separated KIND:TARGET@WHERE:
  unplug:relay@17                    before step 17
  plug:relay@+500                    500 ms after the previous action
  kill:relay@relay.8#1:effect        when the first call on line 8 took effect
                                     (before, effect, answer)
  cut:relay-broker@published#2       at a moment that the scene names
  drop:relay.8@20  delay:relay.8-1500@20  refuse:db@12  order@30  next:relay.8@9

explore tries all orders of events and up to K faults (1) of the kinds
  crash,kill,cut,drop,delay,refuse (all of them), and stops at N states

Exit code: 0 it ran, 1 the input is invalid, 2 a limit came before rest.";

#[derive(Default)]
struct Given {
    files: Vec<PathBuf>,
    seed: Option<u64>,
    actions: Option<String>,
    fault: Option<FaultKind>,
    restart_ms: Option<u32>,
    faults: Option<u8>,
    kinds: Option<Vec<Kind>>,
    states_max: Option<u32>,
    json: bool,
    russian: bool,
}

/// Reads the arguments.
///
/// # Errors
/// What is wrong with them, in English.
pub(crate) fn read(arguments: Vec<OsString>) -> Result<Command, String> {
    let mut parser = Parser::from_args(arguments);
    let mut command = None;
    let mut given = Given::default();
    while let Some(argument) = parser.next().map_err(text)? {
        match argument {
            Short('h') | Long("help") => return Ok(Command::Help),
            Long("json") => given.json = true,
            Long("seed") => given.seed = Some(number(&mut parser)?),
            Long("actions") => given.actions = Some(word(&mut parser)?),
            Long("restart") => given.restart_ms = Some(number(&mut parser)?),
            Long("faults") => given.faults = Some(number(&mut parser)?),
            Long("kinds") => given.kinds = Some(kinds(&word(&mut parser)?)?),
            Long("max-states") => given.states_max = Some(number(&mut parser)?),
            Long("fault") => {
                given.fault = Some(match word(&mut parser)?.as_str() {
                    "unplug" => FaultKind::Unplug,
                    "kill" => FaultKind::Kill,
                    other => return Err(format!("no fault \"{other}\": unplug or kill")),
                });
            }
            Long("lang") => {
                let code = word(&mut parser)?;
                let lang = Lang::from_code(&code);
                let lang = lang.ok_or_else(|| format!("no language \"{code}\": en or ru"))?;
                given.russian = lang == Lang::Ru;
            }
            Value(value) if command.is_none() => command = Some(value.string().map_err(text)?),
            Value(value) => given.files.push(value.into()),
            other => return Err(text(other.unexpected())),
        }
    }
    build(command.as_deref(), given)
}

fn build(command: Option<&str>, given: Given) -> Result<Command, String> {
    let Some(command) = command else { return Ok(Command::Help) };
    fits(command, &given)?;
    let words = Words::native(if given.russian { Lang::Ru } else { Lang::En });
    let output = Output { json: given.json, words };
    let seed = given.seed.unwrap_or_default();
    match command {
        "help" => Ok(Command::Help),
        "check" if given.files.is_empty() => Err("a FILE is needed".to_owned()),
        "check" => Ok(Command::Check(Check { files: given.files, output })),
        "run" => {
            let (file, actions) = (one(given.files)?, given.actions.unwrap_or_default());
            Ok(Command::Run(Run { file, seed, actions, output }))
        }
        "map" => Ok(Command::Map(Map {
            file: one(given.files)?,
            seed,
            fault: given.fault.unwrap_or(FaultKind::Unplug),
            restart_ms: given.restart_ms.unwrap_or(1000),
            output,
        })),
        "explore" => {
            let usual = SearchOptions::default();
            Ok(Command::Explore(Explore {
                file: one(given.files)?,
                faults: given.faults.unwrap_or(usual.faults),
                kinds: given.kinds.unwrap_or(usual.kinds),
                states_max: given.states_max.unwrap_or(usual.states_max),
                output,
            }))
        }
        other => Err(format!("no command \"{other}\"")),
    }
}

/// Options that a command does not have are refused rather than passed over.
fn fits(command: &str, given: &Given) -> Result<(), String> {
    let (run, map, explore) = (command == "run", command == "map", command == "explore");
    let refused = [
        ("--seed", given.seed.is_some() && !run && !map),
        ("--actions", given.actions.is_some() && !run),
        ("--fault", given.fault.is_some() && !map),
        ("--restart", given.restart_ms.is_some() && !map),
        ("--faults", given.faults.is_some() && !explore),
        ("--kinds", given.kinds.is_some() && !explore),
        ("--max-states", given.states_max.is_some() && !explore),
    ];
    match refused.iter().find(|(_, is_wrong)| *is_wrong) {
        Some((option, _)) => Err(format!("{command} has no option {option}")),
        None => Ok(()),
    }
}

/// Comma-separated kinds of faults, each once.
fn kinds(list: &str) -> Result<Vec<Kind>, String> {
    let known = |word: &str| Kind::ALL.into_iter().find(|kind| kind.word() == word);
    let mut kinds = Vec::new();
    for word in list.split(',').map(str::trim) {
        let kind = known(word).ok_or_else(|| format!("no kind of faults \"{word}\""))?;
        if !kinds.contains(&kind) {
            kinds.push(kind);
        }
    }
    Ok(kinds)
}

fn one(files: Vec<PathBuf>) -> Result<PathBuf, String> {
    <[PathBuf; 1]>::try_from(files).map(|[file]| file).map_err(|_| "one FILE is needed".to_owned())
}

fn word(parser: &mut Parser) -> Result<String, String> {
    parser.value().and_then(|value| value.string()).map_err(text)
}

fn number<N: std::str::FromStr>(parser: &mut Parser) -> Result<N, String>
where
    N::Err: Into<Box<dyn std::error::Error + Send + Sync>>,
{
    parser.value().and_then(|value| value.parse()).map_err(text)
}

#[expect(clippy::needless_pass_by_value, reason = "fits map_err")]
fn text(error: lexopt::Error) -> String {
    error.to_string()
}
