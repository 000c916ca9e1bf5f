//! The same program natively and in WASM must print the same.

use crate::project::{Done, Failure, Project, capture, run};

const EXAMPLE: &[&str] = &["--quiet", "--locked", "--example", "parity"];
const WASM_TARGET: &str = "wasm32-unknown-unknown";
const ADVICE: &str = "the reason is above";

/// Runs `tests/parity/program.rs` both ways and compares.
pub(crate) fn compare(project: &Project) -> Done {
    let native = capture(project.cargo(&["run"]).args(EXAMPLE), ADVICE)?;
    let wasm = in_node(project)?;
    if native.trim().is_empty() {
        return Err(Failure(
            "the parity program printed nothing, so nothing is compared".to_owned(),
        ));
    }
    match first_difference(&native, &wasm) {
        None => {
            println!("Lines compared: {}, all the same.", native.lines().count());
            Ok(())
        }
        Some((number, native, wasm)) => Err(Failure(format!(
            "the library computes something else in WASM, see line {number} of the parity \
             program: `{native}` natively, `{wasm}` in WASM"
        ))),
    }
}

/// What the program prints as WASM in Node.
fn in_node(project: &Project) -> Result<String, Failure> {
    let build = project.cargo(&["build", "--target", WASM_TARGET]).args(EXAMPLE).status();
    if !build.is_ok_and(|status| status.success()) {
        return Err(Failure("the parity program did not build for WASM, see above".to_owned()));
    }
    let folder = target_folder(project);
    let module = format!("{folder}/{WASM_TARGET}/debug/examples/parity.wasm");
    let out = format!("{folder}/parity");
    let bind = ["--target", "nodejs", "--no-typescript", "--out-dir", &out, &module];
    run(project.command("wasm-bindgen").args(bind), ADVICE)?;
    capture(project.command("node").arg(format!("{out}/parity.js")), ADVICE)
}

/// Cargo's output folder.
fn target_folder(project: &Project) -> String {
    std::env::var("CARGO_TARGET_DIR")
        .unwrap_or_else(|_| project.root.join("target").to_string_lossy().into_owned())
}

/// The first line in which two texts differ: its number from 1, and both versions.
fn first_difference<'a>(left: &'a str, right: &'a str) -> Option<(usize, &'a str, &'a str)> {
    let length = left.lines().count().max(right.lines().count());
    let padded = |text: &'a str| text.lines().chain(std::iter::repeat("(no such line)"));
    let mut pairs = padded(left).zip(padded(right)).take(length).zip(1..);
    pairs.find(|((left, right), _)| left != right).map(|((left, right), n)| (n, left, right))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_difference_is_found() {
        assert_eq!(first_difference("a\nb\n", "a\nb"), None);
        assert_eq!(first_difference("a\nb\n", "a\nc\n"), Some((2, "b", "c")));
        assert_eq!(first_difference("a\n", "a\nb\n"), Some((2, "(no such line)", "b")));
    }
}
