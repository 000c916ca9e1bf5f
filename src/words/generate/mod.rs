//! From the `.ftl` files of all languages to the Rust of the catalogue. Runs in the build script.
//!
//! Every language must say the same messages with the same arguments, and a plural choice must
//! have each of its language's forms. An argument is a number if some language chooses a plural
//! form by it or writes it through `NUMBER()`; every other argument is text.

mod emit;
mod lower;

use super::marks;
use std::collections::BTreeMap;
use std::path::Path;
use std::{fs, io};

/// A language and the plural forms (CLDR, cardinal) that each plural choice in it must have.
pub(crate) struct Language {
    /// Its code, which is also the name of its directory.
    pub(crate) code: &'static str,
    /// Its plural forms; `other` must be the default variant.
    pub(crate) forms: &'static [&'static str],
}

/// The languages of the catalogue, in the order of the generated tables.
pub(crate) const LANGUAGES: [Language; 2] = [
    Language { code: "ru", forms: &["one", "few", "many", "other"] },
    Language { code: "en", forms: &["one", "other"] },
];

/// Messages with these beginnings are looked up by id when the program or the link is wrong.
pub(crate) const PROBLEM_PREFIXES: [&str; 5] = ["script-", "sql-", "scene-", "link-", "expected-"];

/// Whether a message is looked up by its id.
fn is_problem(id: &str) -> bool {
    PROBLEM_PREFIXES.iter().any(|prefix| id.starts_with(prefix))
}

/// What a language says, as the interpreter of templates reads it.
#[derive(Debug, Default)]
pub(crate) struct Tables {
    /// The messages that have methods, in the order of those.
    pub(crate) lesson: String,
    /// The messages that are looked up by id.
    pub(crate) problems: String,
}

/// The catalogue as built.
#[derive(Debug)]
pub(crate) struct Generated {
    /// The methods, in Rust.
    pub(crate) code: String,
    /// The tables of each language in the order of [`LANGUAGES`].
    pub(crate) tables: Vec<Tables>,
}

/// One `.ftl` file.
pub(crate) struct Source {
    /// How the file is named in complaints.
    pub(crate) path: String,
    /// What it holds.
    pub(crate) text: String,
}

/// A part of a message, with references already replaced by what they refer to.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Piece {
    Text(String),
    Argument { name: String, form: Form },
    Choice { argument: String, plural: bool, variants: Vec<(String, Vec<Piece>)> },
}

/// How an argument is written out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Form {
    /// `{ $x }`.
    AsIs,
    /// `{ NUMBER($x, useGrouping: 0) }`: a number's bare digits, for what is counted as a name.
    Digits,
    /// `{ NUMBER($x) }`: digits in groups of three.
    Grouped,
}

/// A message of one language.
struct Message {
    /// `path:line` of its id.
    place: String,
    pieces: Vec<Piece>,
}

type Messages = BTreeMap<String, Message>;

/// How a message uses an argument.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    /// Only written out.
    Any,
    /// Chosen by, as text.
    Text,
    /// Chosen by as a plural, or grouped.
    Number,
}

/// A message's arguments by name.
type Signature = BTreeMap<String, Kind>;

/// Reads the files of every language under `directory` and generates the catalogue.
///
/// # Errors
/// Everything that is wrong, each with its place.
pub(crate) fn read(directory: &Path) -> Result<Generated, Vec<String>> {
    let mut languages = Vec::new();
    for language in &LANGUAGES {
        let directory = directory.join(language.code);
        let sources = read_sources(&directory);
        languages.push(sources.map_err(|e| vec![format!("{}: {e}", directory.display())])?);
    }
    generate(&languages)
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

impl Generated {
    /// Writes the tables into a directory: `ru.txt`, `ru-problems.txt` and so on.
    ///
    /// # Errors
    /// A file that cannot be written.
    pub(crate) fn write_tables(&self, directory: &Path) -> io::Result<()> {
        for (language, tables) in LANGUAGES.iter().zip(&self.tables) {
            fs::write(directory.join(format!("{}.txt", language.code)), &tables.lesson)?;
            fs::write(directory.join(format!("{}-problems.txt", language.code)), &tables.problems)?;
        }
        Ok(())
    }
}

/// The whole catalogue, given each language's files in the order of [`LANGUAGES`].
///
/// # Errors
/// Everything that is wrong, each with `path:line`.
pub(crate) fn generate(languages: &[Vec<Source>]) -> Result<Generated, Vec<String>> {
    let mut problems = Vec::new();
    let mut all = Vec::new();
    for (language, sources) in LANGUAGES.iter().zip(languages) {
        all.push(lower::messages(language, sources, &mut problems));
    }
    if !problems.is_empty() {
        return Err(problems);
    }
    let signatures = signatures(&all, &mut problems);
    if !problems.is_empty() {
        return Err(problems);
    }
    let tables = all.iter().map(|messages| emit::tables(messages, &signatures)).collect();
    Ok(Generated { code: emit::rust(&all, &signatures), tables })
}

/// Each message's arguments, which all languages must agree on.
fn signatures(all: &[Messages], problems: &mut Vec<String>) -> BTreeMap<String, Signature> {
    let mut merged: BTreeMap<String, Signature> = BTreeMap::new();
    for messages in all {
        for (id, message) in messages {
            let Message { place, pieces } = message;
            for (language, others) in LANGUAGES.iter().zip(all) {
                if !others.contains_key(id) {
                    problems.push(format!("{place}: `{id}` is missing in `{}`", language.code));
                }
            }
            let mut own = Signature::new();
            collect(pieces, &mut own).unwrap_or_else(|e| problems.push(format!("{place}: {e}")));
            match merged.get_mut(id) {
                None => {
                    merged.insert(id.clone(), own);
                }
                Some(known) => {
                    unite(known, own).unwrap_or_else(|e| problems.push(format!("{place}: {e}")));
                }
            }
        }
    }
    for (id, signature) in &merged {
        let place = all.iter().find_map(|m| m.get(id)).map_or("", |m| &m.place);
        check(id, signature).unwrap_or_else(|e| problems.push(format!("{place}: {e}")));
    }
    merged
}

/// Adds the arguments of some pieces.
fn collect(pieces: &[Piece], signature: &mut Signature) -> Result<(), String> {
    for piece in pieces {
        match piece {
            Piece::Text(_) => {}
            Piece::Argument { name, form } => {
                let plain = *form == Form::AsIs;
                learn(signature, name, if plain { Kind::Any } else { Kind::Number })?;
            }
            Piece::Choice { argument, plural, variants } => {
                learn(signature, argument, if *plural { Kind::Number } else { Kind::Text })?;
                for (_, body) in variants {
                    collect(body, signature)?;
                }
            }
        }
    }
    Ok(())
}

/// Joins what another language knows of the same message.
fn unite(known: &mut Signature, own: Signature) -> Result<(), String> {
    if !known.keys().eq(own.keys()) {
        let list = |signature: &Signature| {
            signature.keys().map(|name| format!("${name}")).collect::<Vec<_>>().join(", ")
        };
        return Err(format!(
            "the arguments differ between the languages: ({}) and ({})",
            list(known),
            list(&own)
        ));
    }
    own.into_iter().try_for_each(|(name, kind)| learn(known, &name, kind))
}

/// Notes one use of an argument.
fn learn(signature: &mut Signature, name: &str, kind: Kind) -> Result<(), String> {
    let known = signature.entry(name.to_owned()).or_insert(kind);
    match (*known, kind) {
        (Kind::Text, Kind::Number) | (Kind::Number, Kind::Text) => {
            Err(format!("`${name}` is used both as a number and as text"))
        }
        (Kind::Any, _) => {
            *known = kind;
            Ok(())
        }
        _ => Ok(()),
    }
}

/// Checks what a message must be to become a method.
fn check(id: &str, signature: &Signature) -> Result<(), String> {
    for name in signature.keys().map(String::as_str).chain([id]) {
        let kebab = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-';
        if !name.chars().all(kebab) || ["type", "ref", "self", "in", "loop", "move"].contains(&name)
        {
            return Err(format!("`{name}` must be lower case with hyphens and no word of Rust's"));
        }
    }
    if signature.len() > 9 {
        return Err(format!("`{id}` has more than nine arguments"));
    }
    if is_problem(id) && signature.values().any(|kind| *kind == Kind::Number) {
        return Err(format!("`{id}` is looked up by its id, so its arguments must be text"));
    }
    Ok(())
}

#[cfg(test)]
mod tests;
