//! Every check of the project, fast ones first; CI runs the same command.

use std::fs;
use std::path::Path;

use crate::build::{self, trunk};
use crate::project::{Done, Failure, Project, run};
use crate::setup::{Need, ensure};
use crate::{chromium, parity};

const SEE_ABOVE: &str = "the reason is above";

/// Checks that stand or fall together.
pub(crate) struct Group {
    /// The name on the command line.
    pub(crate) name: &'static str,
    /// What it checks, for the help.
    pub(crate) what: &'static str,
    needs: &'static [Need],
    check: fn(&Project) -> Done,
}

/// All groups in the order of running.
pub(crate) const GROUPS: &[Group] = &[
    Group {
        name: "format",
        what: "the format of the Rust code",
        needs: &[Need::Linters],
        check: format,
    },
    Group {
        name: "lints",
        what: "clippy, natively and for the page",
        needs: &[Need::Crates, Need::Linters, Need::WasmTarget],
        check: lints,
    },
    Group {
        name: "rust",
        what: "unit, integration and documentation tests",
        // Node tells what the step language has to mean.
        needs: &[Need::Crates, Need::Node],
        check: rust,
    },
    Group {
        name: "parity",
        what: "the library computes the same natively and in WASM",
        needs: &[Need::Crates, Need::WasmTarget, Need::WasmBindgen, Need::Node],
        check: parity::compare,
    },
    Group {
        name: "scenes",
        what: "TypeScript accepts every scene",
        needs: &[Need::NpmPackages],
        check: scenes,
    },
    Group { name: "build", what: "the release page", needs: build::NEEDS, check: release },
    Group {
        name: "size",
        what: "what a first visit downloads, against its budget",
        needs: &[Need::Node],
        check: size,
    },
    Group {
        name: "browser",
        what: "the page of dist/ in Chromium",
        needs: &[Need::NpmPackages, Need::Chromium],
        check: browser,
    },
];

/// Runs the named groups, or all; stops at the first that fails.
pub(crate) fn test(project: &Project, names: &[String]) -> Done {
    if let Some(name) = names.iter().find(|name| GROUPS.iter().all(|group| group.name != **name)) {
        let known: Vec<_> = GROUPS.iter().map(|group| group.name).collect();
        return Err(Failure(format!("no group is named `{name}`; there are {}", known.join(", "))));
    }
    let chosen = |group: &&Group| names.is_empty() || names.iter().any(|name| name == group.name);
    for group in GROUPS.iter().filter(chosen) {
        println!("\n== {}: {}", group.name, group.what);
        ensure(project, group.needs)?;
        (group.check)(project)
            .map_err(|Failure(reason)| Failure(format!("group `{}`: {reason}", group.name)))?;
    }
    println!("\nAll checks passed.");
    Ok(())
}

fn format(project: &Project) -> Done {
    let mut check = project.cargo(&["fmt", "--all", "--check"]);
    run(&mut check, "`cargo fmt --all` mends it")
}

fn lints(project: &Project) -> Done {
    let native = ["clippy", "--locked", "--workspace", "--all-targets", "--", "-D", "warnings"];
    run(&mut project.cargo(&native), SEE_ABOVE)?;
    let page = "clippy --locked --lib --bin lesson --example parity --features ui \
                --target wasm32-unknown-unknown -- -D warnings";
    run(&mut project.cargo(&page.split_whitespace().collect::<Vec<_>>()), SEE_ABOVE)
}

fn rust(project: &Project) -> Done {
    run(&mut project.cargo(&["test", "--locked", "--workspace"]), SEE_ABOVE)
}

fn scenes(project: &Project) -> Done {
    if !has_scene(&project.root.join("static/scenes")) {
        println!("There are no scenes.");
        return Ok(());
    }
    let compiler = "tests/node_modules/typescript/bin/tsc";
    run(project.command("node").args([compiler, "--project", "tests/tsconfig.json"]), SEE_ABOVE)
}

/// Whether a folder holds a JavaScript file, at any depth.
fn has_scene(folder: &Path) -> bool {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    entries
        .map(|entry| entry.path())
        .any(|path| has_scene(&path) || path.extension().is_some_and(|extension| extension == "js"))
}

fn release(project: &Project) -> Done {
    trunk(project, &["build", "--release"])
}

fn size(project: &Project) -> Done {
    run(
        project.command("node").arg("tests/size.mjs"),
        "make the page smaller, or argue for another budget in tests/size.mjs",
    )
}

fn browser(project: &Project) -> Done {
    let mut tests = project.command("node");
    tests
        .args(["--test", "--test-reporter=spec"])
        .args(browser_tests(&project.root.join("tests/browser")));
    tests.envs(chromium::find(project).map(|browser| ("CHROMIUM", browser)));
    run(&mut tests, SEE_ABOVE)
}

/// The test files of a folder, in the order of their names.
fn browser_tests(folder: &Path) -> Vec<std::path::PathBuf> {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    let paths = entries.map(|entry| entry.path());
    let mut tests: Vec<_> =
        paths.filter(|it| it.to_string_lossy().ends_with(".test.mjs")).collect();
    tests.sort();
    tests
}
