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

use generate::{LANGUAGES, Source};
use std::path::{Path, PathBuf};
use std::{env, fs, io};

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

/// Reads every language's files and writes `words.rs` into cargo's output directory.
fn build() -> Result<(), Vec<String>> {
    let mut languages = Vec::new();
    for language in &LANGUAGES {
        let directory = Path::new("static/i18n").join(language.code);
        let sources = read_sources(&directory);
        languages.push(sources.map_err(|e| vec![format!("{}: {e}", directory.display())])?);
    }
    let code = generate::generate(&languages)?;
    let out = PathBuf::from(env::var_os("OUT_DIR").unwrap_or_default()).join("words.rs");
    fs::write(&out, code).map_err(|e| vec![format!("{}: {e}", out.display())])
}

/// The `.ftl` files of one directory, by name, so that the order of messages is stable.
fn read_sources(directory: &Path) -> io::Result<Vec<Source>> {
    let mut sources = Vec::new();
    for entry in fs::read_dir(directory)? {
        let path = entry?.path();
        if path.extension().is_some_and(|extension| extension == "ftl") {
            let text = fs::read_to_string(&path)?;
            sources.push(Source { path: path.to_string_lossy().replace('\\', "/"), text });
        }
    }
    sources.sort_by(|a, b| a.path.cmp(&b.path));
    Ok(sources)
}
