//! Checks of the source text itself: layers, sizes, banned words, headings.
//!
//! The rules are in `rules.rs` and `layers.rs`, each with samples that it must complain about, so
//! that a rule that stopped working is noticed.

mod layers;
mod rules;

use std::path::Path;
use std::{fs, io};

/// A file of the project: its path from the root with `/` between names, and its text.
struct Source {
    path: String,
    text: String,
}

/// What is wrong with a file, and on which line (from 1).
#[derive(Debug, PartialEq, Eq)]
struct Complaint {
    line: usize,
    what: String,
}

impl Complaint {
    fn new(line: usize, what: impl Into<String>) -> Self {
        Self { line, what: what.into() }
    }
}

/// A rule reads one file; it decides by the path whether the file concerns it.
type Rule = fn(&Source) -> Vec<Complaint>;

const RULES: &[Rule] = &[
    layers::modules_use_only_lower_layers,
    layers::only_the_page_knows_a_browser,
    rules::files_are_short,
    rules::lines_are_short,
    rules::files_begin_with_their_purpose,
    rules::nothing_depends_on_hash_order_or_clocks,
    rules::what_ships_uses_small_collections,
    rules::nothing_is_left_for_later,
    rules::a_text_has_one_title,
];

/// Folders that hold nothing of ours.
const SKIPPED: &[&str] = &[".git", "target", "dist", "node_modules"];

/// Kinds of files that some rule reads.
const KINDS: &[&str] = &["rs", "md", "js", "mjs", "ts", "css", "html", "toml", "ftl"];

#[test]
fn the_project_is_tidy() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut sources = Vec::new();
    collect(root, "", &mut sources).unwrap();
    assert!(sources.iter().any(|source| source.path == "src/lib.rs"), "no sources were found");
    let complaints: Vec<String> = sources
        .iter()
        .flat_map(|source| RULES.iter().map(move |rule| (source, rule(source))))
        .flat_map(|(source, found)| found.into_iter().map(move |c| (&source.path, c)))
        .map(|(path, Complaint { line, what })| format!("{path}:{line}: {what}"))
        .collect();
    assert!(complaints.is_empty(), "\n{}\n", complaints.join("\n"));
}

/// Reads the files below a folder.
fn collect(folder: &Path, prefix: &str, sources: &mut Vec<Source>) -> io::Result<()> {
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        let name = entry.file_name().to_string_lossy().into_owned();
        let path = format!("{prefix}{name}");
        if entry.file_type()?.is_dir() {
            if !SKIPPED.contains(&name.as_str()) {
                collect(&entry.path(), &format!("{path}/"), sources)?;
            }
        } else if KINDS.iter().any(|kind| name.ends_with(&format!(".{kind}"))) {
            sources.push(Source { path, text: fs::read_to_string(entry.path())? });
        }
    }
    Ok(())
}

/// Runs a rule on a sample and shows its complaints as `line: what`.
fn complaints(rule: Rule, path: &str, text: &str) -> Vec<String> {
    let source = Source { path: path.to_owned(), text: text.to_owned() };
    rule(&source).into_iter().map(|c| format!("{}: {}", c.line, c.what)).collect()
}
