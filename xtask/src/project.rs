//! The project's folders, and running commands in it.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// One sentence for the reader: what failed, and what to do.
#[derive(Debug)]
pub(crate) struct Failure(pub(crate) String);

/// The outcome of something done for its effect.
pub(crate) type Done = Result<(), Failure>;

/// Where the project is, and where its tools are looked for.
pub(crate) struct Project {
    /// The folder of the workspace's `Cargo.toml`.
    pub(crate) root: PathBuf,
    /// The search path of every command: the project's tools, Cargo's, then the user's own.
    path: OsString,
}

impl Project {
    /// The project that this command was started in.
    pub(crate) fn find() -> Result<Self, Failure> {
        let package = std::env::var_os("CARGO_MANIFEST_DIR").map(PathBuf::from);
        let root = package.as_deref().and_then(Path::parent).ok_or_else(|| {
            Failure("the project was not found: start this command as `cargo xtask`".to_owned())
        })?;
        let mut folders = vec![tools_root(root).join("bin"), npm_root(root).join(".bin")];
        folders.extend(cargo_home().map(|home| home.join("bin")));
        folders.extend(std::env::split_paths(&std::env::var_os("PATH").unwrap_or_default()));
        let path = std::env::join_paths(folders)
            .map_err(|error| Failure(format!("the search path cannot be built: {error}")))?;
        Ok(Self { root: root.to_owned(), path })
    }

    /// Where tools go if the user has another version of them.
    pub(crate) fn tools(&self) -> PathBuf {
        tools_root(&self.root)
    }

    /// Where npm packages go.
    pub(crate) fn npm_packages(&self) -> PathBuf {
        npm_root(&self.root)
    }

    /// A program on the search path, to run in the project's root.
    pub(crate) fn command(&self, program: &str) -> Command {
        let mut command = Command::new(program);
        command.current_dir(&self.root).env("PATH", &self.path);
        command
    }

    /// Cargo, the same that started this command.
    pub(crate) fn cargo(&self, arguments: &[&str]) -> Command {
        let cargo = std::env::var("CARGO").unwrap_or_else(|_| "cargo".to_owned());
        let mut command = self.command(&cargo);
        command.args(arguments);
        command
    }

    /// What a program prints, or nothing if it is not there or fails.
    pub(crate) fn output(&self, program: &str, arguments: &[&str]) -> Option<String> {
        let mut command = self.command(program);
        let output = command.args(arguments).stderr(Stdio::null()).output().ok()?;
        output.status.success().then(|| String::from_utf8_lossy(&output.stdout).trim().to_owned())
    }

    /// A program's full name, if it is on the search path.
    pub(crate) fn which(&self, program: &str) -> Option<PathBuf> {
        let name = format!("{program}{}", std::env::consts::EXE_SUFFIX);
        std::env::split_paths(&self.path).map(|folder| folder.join(&name)).find(|it| it.is_file())
    }
}

/// Runs a command to its end; `advice` says what to do if it fails.
pub(crate) fn run(command: &mut Command, advice: &str) -> Done {
    match command.status() {
        Ok(status) if status.success() => Ok(()),
        Ok(status) => Err(Failure(format!("`{}` ended with {status}; {advice}", shown(command)))),
        Err(error) => Err(not_started(command, &error)),
    }
}

/// Runs a command to its end and returns what it printed; its errors go to the terminal.
pub(crate) fn capture(command: &mut Command, advice: &str) -> Result<String, Failure> {
    match command.stderr(Stdio::inherit()).output() {
        Ok(output) if output.status.success() => {
            Ok(String::from_utf8_lossy(&output.stdout).into_owned())
        }
        Ok(output) => {
            let status = output.status;
            Err(Failure(format!("`{}` ended with {status}; {advice}", shown(command))))
        }
        Err(error) => Err(not_started(command, &error)),
    }
}

fn not_started(command: &Command, error: &std::io::Error) -> Failure {
    Failure(format!("`{}` could not be started: {error}", shown(command)))
}

/// The command as one would type it: the program without its folder, and the arguments.
fn shown(command: &Command) -> String {
    let program = Path::new(command.get_program()).file_stem().unwrap_or_default();
    let words = std::iter::once(program).chain(command.get_args());
    words.map(|word| word.to_string_lossy()).collect::<Vec<_>>().join(" ")
}

fn tools_root(root: &Path) -> PathBuf {
    root.join("target/tools")
}

fn npm_root(root: &Path) -> PathBuf {
    root.join("tests/node_modules")
}

fn cargo_home() -> Option<PathBuf> {
    let set = std::env::var_os("CARGO_HOME").map(PathBuf::from);
    set.or_else(|| Some(std::env::home_dir()?.join(".cargo")))
}
