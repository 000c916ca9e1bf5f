//! Installs the tools that a command needs and that are missing, saying what and why.

use std::fs;
use std::process::Command;

use crate::chromium;
use crate::project::{Done, Failure, Project, run};

const WASM_TARGET: &str = "wasm32-unknown-unknown";
const TRUNK_VERSION: &str = "0.21.14";

/// A tool that some command needs.
#[derive(Clone, Copy)]
pub(crate) enum Need {
    /// The crates of `Cargo.lock`, so that later steps work offline.
    Crates,
    /// rustfmt and clippy.
    Linters,
    /// The standard library for WASM.
    WasmTarget,
    /// The command that writes the JavaScript around a WASM module.
    WasmBindgen,
    /// The bundler of the page.
    Trunk,
    /// Node.js.
    Node,
    /// The npm packages of `tests/package.json`.
    NpmPackages,
    /// The browser of the tests.
    Chromium,
}

/// Makes sure that the tools are there.
pub(crate) fn ensure(project: &Project, needs: &[Need]) -> Done {
    needs.iter().try_for_each(|need| match need {
        Need::Crates => crates(project),
        Need::Linters => linters(project),
        Need::WasmTarget => wasm_target(project),
        Need::WasmBindgen => wasm_bindgen(project),
        Need::Trunk => trunk(project),
        Need::Node => node(project),
        Need::NpmPackages => npm_packages(project),
        Need::Chromium => chromium::ensure(project),
    })
}

/// Announces an installation.
pub(crate) fn announce(what: &str, why: &str) {
    println!("\n>> Installing {what}: {why}");
}

fn crates(project: &Project) -> Done {
    run(
        &mut project.cargo(&["fetch", "--quiet", "--locked"]),
        "check that crates.io can be reached and that Cargo.lock matches Cargo.toml",
    )
}

fn linters(project: &Project) -> Done {
    let present =
        |name| project.cargo(&[name, "--version"]).output().is_ok_and(|o| o.status.success());
    if present("fmt") && present("clippy") {
        return Ok(());
    }
    announce("rustfmt and clippy", "they check the format and the habits of the code");
    rustup(project, &["component", "add", "rustfmt", "clippy"])
}

fn wasm_target(project: &Project) -> Done {
    let folder = project.output("rustc", &["--print", "target-libdir", "--target", WASM_TARGET]);
    if folder.is_some_and(|folder| fs::exists(folder).unwrap_or(false)) {
        return Ok(());
    }
    announce(WASM_TARGET, "the page is Rust compiled to WebAssembly");
    rustup(project, &["target", "add", WASM_TARGET])
}

fn rustup(project: &Project, arguments: &[&str]) -> Done {
    if project.which("rustup").is_none() {
        let wanted = arguments.join(" ");
        return Err(Failure(format!(
            "this Rust is not managed by rustup; install what `rustup {wanted}` would, then retry"
        )));
    }
    run(
        project.command("rustup").args(arguments),
        "check that static.rust-lang.org can be reached, then retry",
    )
}

fn trunk(project: &Project) -> Done {
    let tool = CargoTool {
        package: "trunk",
        program: "trunk",
        version: TRUNK_VERSION.to_owned(),
        locked: true,
        why: "it bundles the page (compiling it takes some minutes, once)",
    };
    tool.ensure(project)
}

fn wasm_bindgen(project: &Project) -> Done {
    let lock = fs::read_to_string(project.root.join("Cargo.lock")).unwrap_or_default();
    let version = locked_version(&lock, "wasm-bindgen").ok_or_else(|| {
        Failure("Cargo.lock names no wasm-bindgen; restore it from git".to_owned())
    })?;
    let tool = CargoTool {
        package: "wasm-bindgen-cli",
        program: "wasm-bindgen",
        version: version.to_owned(),
        // Its own lock file may name crates that a mirror does not hold.
        locked: false,
        why: "it writes the JavaScript around the WASM module, and must match Cargo.lock",
    };
    tool.ensure(project)
}

/// A command-line tool that Cargo installs, needed in one exact version.
struct CargoTool {
    package: &'static str,
    program: &'static str,
    version: String,
    locked: bool,
    why: &'static str,
}

impl CargoTool {
    fn ensure(&self, project: &Project) -> Done {
        let present = project.output(self.program, &["--version"]);
        if present.as_deref().is_some_and(|text| is_version(text, &self.version)) {
            return Ok(());
        }
        announce(&format!("{} {}", self.package, self.version), self.why);
        let mut install = self.install_command(project);
        if let Some(other) = present {
            println!("   ({other} stays as it is; this one goes to target/tools)");
            install.arg("--root").arg(project.tools());
        }
        run(&mut install, "check that crates.io can be reached and that a C linker is there")
    }

    /// `cargo binstall` if the user has it, since it fetches a built program; else `cargo install`.
    fn install_command(&self, project: &Project) -> Command {
        if project.which("cargo-binstall").is_some() {
            let spec = format!("{}@{}", self.package, self.version);
            return project.cargo(&["binstall", "--no-confirm", &spec]);
        }
        let mut command = project.cargo(&["install", self.package, "--version", &self.version]);
        if self.locked {
            command.arg("--locked");
        }
        command
    }
}

fn node(project: &Project) -> Done {
    let version = project.output("node", &["--version"]);
    let major = version.as_deref().and_then(major_version);
    if major.is_some_and(|major| major >= 20) && npm(project).output().is_ok() {
        return Ok(());
    }
    let found = version.map_or("none was found".to_owned(), |it| format!("{it} was found"));
    Err(Failure(format!(
        "Node.js 20 or newer with npm is needed and {found}; install it (https://nodejs.org or \
         `apt-get install nodejs npm`), then retry"
    )))
}

fn npm(project: &Project) -> Command {
    project.command(if cfg!(windows) { "npm.cmd" } else { "npm" })
}

/// Installs `tests/package-lock.json`, unless the installed packages came from the same file.
fn npm_packages(project: &Project) -> Done {
    node(project)?;
    let lock = fs::read(project.root.join("tests/package-lock.json")).unwrap_or_default();
    let stamp = project.npm_packages().join(".installed-lock.json");
    if fs::read(&stamp).is_ok_and(|installed| installed == lock) {
        return Ok(());
    }
    announce("npm packages of tests/package.json", "wasm-opt, TypeScript and the browser driver");
    run(
        npm(project)
            .args(["ci", "--no-audit", "--no-fund"])
            .current_dir(project.root.join("tests")),
        "check that the npm registry can be reached, then retry",
    )?;
    fs::write(&stamp, lock).map_err(|error| Failure(format!("{}: {error}", stamp.display())))
}

/// Whether the output of `--version` names this version.
fn is_version(output: &str, version: &str) -> bool {
    output.split_whitespace().any(|word| word == version)
}

/// The major number of `v20.1.2`.
fn major_version(text: &str) -> Option<u32> {
    text.trim_start_matches('v').split('.').next()?.parse().ok()
}

/// The version of a package in the text of a `Cargo.lock`.
fn locked_version<'a>(lock: &'a str, package: &str) -> Option<&'a str> {
    let name = format!("name = \"{package}\"");
    let mut lines = lock.lines().skip_while(|line| *line != name);
    lines.nth(1)?.strip_prefix("version = \"")?.strip_suffix('"')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_are_read_exactly() {
        assert!(is_version("trunk 0.21.14", "0.21.14"));
        assert!(!is_version("trunk 0.21.140", "0.21.14"));
        assert_eq!(major_version("v20.20.2"), Some(20));
        assert_eq!(major_version("none"), None);
    }

    #[test]
    fn the_locked_version_is_that_of_the_very_package() {
        let lock = "[[package]]\nname = \"wasm-bindgen-macro\"\nversion = \"1.0.0\"\n\n\
                    [[package]]\nname = \"wasm-bindgen\"\nversion = \"0.2.130\"\n";
        assert_eq!(locked_version(lock, "wasm-bindgen"), Some("0.2.130"));
        assert_eq!(locked_version(lock, "yew"), None);
    }
}
