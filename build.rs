//! Turns the message catalogue `static/i18n/{ru,en}/*.ftl` into Rust: one method of `Words` per
//! message.
//!
//! The work is in `src/words/generate`, which the crate's tests include as well. Whatever is wrong
//! with the catalogue stops the build with the file and line of it.
#![allow(clippy::print_stdout, reason = "a build script speaks to cargo on its standard output")]

#[path = "src/words/generate/mod.rs"]
mod generate;
#[path = "src/words/marks.rs"]
mod marks;

use std::path::{Path, PathBuf};
use std::{env, fs};

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rerun-if-changed=src/words");
    println!("cargo::rerun-if-changed=static/i18n");
    if let Err(problems) = build() {
        for problem in problems {
            println!("cargo::error={problem}");
        }
    }
}

/// Writes `words.rs` and the tables of every language into cargo's output directory.
fn build() -> Result<(), Vec<String>> {
    let catalogue = generate::read(Path::new("static/i18n"))?;
    let out = PathBuf::from(env::var_os("OUT_DIR").unwrap_or_default());
    fs::write(out.join("words.rs"), &catalogue.code)
        .and_then(|()| catalogue.write_tables(&out))
        .map_err(|e| vec![format!("{}: {e}", out.display())])
}
