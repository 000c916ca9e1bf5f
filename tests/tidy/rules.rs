//! Rules on one file each: sizes, headings, banned words.

use crate::{Complaint, Source};

const LINES_MAX: usize = 500;
const COLUMNS_MAX: usize = 100;

/// Names that would make a run depend on more than its scene, seed and actions, and why.
const BANNED: &[(&str, &str)] = &[
    ("HashMap", "its order differs from run to run; use collections::Map"),
    ("HashSet", "its order differs from run to run; use collections::Set"),
    ("SystemTime", "time is virtual"),
    ("Instant", "time is virtual"),
    ("SmallRng", "its values differ between 32 and 64 bits; use rand_pcg"),
];

/// Collections and sorts of the standard library that take kilobytes of code for each type.
const LARGE: &[&str] = &["BTreeMap", "BTreeSet", "BinaryHeap", ".sort(", ".sort_"];

/// Rust of the library's folder that the page does not download.
const NATIVE: &[&str] = &["src/bin/", "src/words/generate/", "src/sim/part/broker/properties.rs"];

/// Marks of unfinished work. Put together here, so that this file does not hold them.
const MARKS: &[&str] = &[concat!("TO", "DO"), concat!("FIX", "ME"), concat!("XX", "X")];

/// Macros of unfinished work.
const MACROS: &[&str] = &["todo", "dbg", "unimplemented"];

/// Rust files of the library and of its commands stay within a length that one reads at a sitting.
pub(crate) fn files_are_short(source: &Source) -> Vec<Complaint> {
    let lines = source.text.lines().count();
    if !is_product(&source.path) || lines <= LINES_MAX {
        return Vec::new();
    }
    vec![Complaint::new(LINES_MAX + 1, format!("{lines} lines, {LINES_MAX} at most: split it"))]
}

/// Lines of Rust fit side by side on a screen. Those with a string may be longer, and so may the
/// sample texts of tests: breaking them would not make them easier to read.
pub(crate) fn lines_are_short(source: &Source) -> Vec<Complaint> {
    if !is_rust(&source.path) || is_test(&source.path) {
        return Vec::new();
    }
    numbered(&source.text)
        .filter(|(_, line)| !line.contains('"'))
        .map(|(number, line)| (number, line.chars().count()))
        .filter(|(_, columns)| *columns > COLUMNS_MAX)
        .map(|(number, columns)| {
            Complaint::new(number, format!("{columns} columns, {COLUMNS_MAX} at most"))
        })
        .collect()
}

/// A Rust file says first what it is for.
pub(crate) fn files_begin_with_their_purpose(source: &Source) -> Vec<Complaint> {
    if !is_rust(&source.path) || source.text.starts_with("//!") {
        return Vec::new();
    }
    vec![Complaint::new(1, "begin with `//!` and what the file is for")]
}

/// The same run must give the same events everywhere and always.
pub(crate) fn nothing_depends_on_hash_order_or_clocks(source: &Source) -> Vec<Complaint> {
    // The search's own duration is told by the command that runs it, and by nothing else.
    let measures = source.path == "src/bin/plug/explore.rs";
    if !(is_rust(&source.path) && source.path.starts_with("src/")) || measures {
        return Vec::new();
    }
    let banned = |word| BANNED.iter().find(|(banned, _)| *banned == word);
    words(&source.text)
        .filter_map(|(line, word)| Some((line, banned(word)?)))
        .map(|(line, (name, why))| Complaint::new(line, format!("`{name}`: {why}")))
        .collect()
}

/// What the page downloads keeps to the collections and the sort that are small.
pub(crate) fn what_ships_uses_small_collections(source: &Source) -> Vec<Complaint> {
    let elsewhere = |start: &&str| source.path.starts_with(*start);
    let product = is_rust(&source.path) && source.path.starts_with("src/");
    if !product || is_test(&source.path) || NATIVE.iter().any(elsewhere) {
        return Vec::new();
    }
    code_lines(&source.text)
        .take_while(|(_, line)| {
            !line.starts_with("#[cfg(test)]") && !line.starts_with("#[cfg(all(")
        })
        .filter(|(_, line)| LARGE.iter().any(|large| line.contains(large)))
        .map(|(number, _)| Complaint::new(number, "use what `collections` has: it is smaller"))
        .collect()
}

/// No mark and no macro of unfinished work is left.
pub(crate) fn nothing_is_left_for_later(source: &Source) -> Vec<Complaint> {
    let mark =
        |line: &str| MARKS.iter().copied().find(|mark| split_words(line).any(|w| w == *mark));
    let call = |line: &str| {
        let calls = |name: &&&str| line.contains(&format!("{name}!(")) && is_rust(&source.path);
        MACROS.iter().find(calls).copied()
    };
    numbered(&source.text)
        .filter_map(|(number, line)| Some((number, mark(line).or_else(|| call(line))?)))
        .map(|(number, found)| Complaint::new(number, format!("`{found}`: finish it or drop it")))
        .collect()
}

/// A Markdown text has one title, and it comes before other headings.
pub(crate) fn a_text_has_one_title(source: &Source) -> Vec<Complaint> {
    if !source.path.ends_with(".md") {
        return Vec::new();
    }
    let mut fenced = false;
    let headings: Vec<usize> = numbered(&source.text)
        .filter(|(_, line)| {
            let fence = line.trim_start().starts_with("```");
            fenced ^= fence;
            !fence && !fenced && line.starts_with("# ")
        })
        .map(|(number, _)| number)
        .collect();
    match headings[..] {
        [_] => Vec::new(),
        [] => vec![Complaint::new(1, "no title: a line that begins with `# `")],
        [_, second, ..] => vec![Complaint::new(second, "a second title; use `## `")],
    }
}

fn is_rust(path: &str) -> bool {
    path.ends_with(".rs")
}

/// Whether a file of the library holds tests only: `tests.rs`, or a file in `tests/`.
fn is_test(path: &str) -> bool {
    let scenes_in_text = path.starts_with("tests/failures/");
    let beside = path.contains("/tests/") || path.ends_with("/tests.rs");
    scenes_in_text || (path.starts_with("src/") && beside)
}

fn is_product(path: &str) -> bool {
    is_rust(path) && (path.starts_with("src/") || path.starts_with("xtask/"))
}

fn numbered(text: &str) -> impl Iterator<Item = (usize, &str)> {
    (1..).zip(text.lines())
}

/// The lines without their comments, numbered from 1. `//` in a string ends the line too; that
/// only makes the rules see less.
pub(crate) fn code_lines(text: &str) -> impl Iterator<Item = (usize, &str)> {
    numbered(text).map(|(number, line)| (number, line.split("//").next().unwrap_or("")))
}

/// The words of the code outside comments, with the numbers of their lines.
pub(crate) fn words(text: &str) -> impl Iterator<Item = (usize, &str)> {
    code_lines(text).flat_map(|(number, line)| split_words(line).map(move |word| (number, word)))
}

fn split_words(line: &str) -> impl Iterator<Item = &str> {
    line.split(|c: char| !c.is_alphanumeric() && c != '_').filter(|word| !word.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Rule, complaints};

    const NOTHING: [&str; 0] = [];

    fn check(rule: Rule, path: &str, text: &str, expected: &[&str]) {
        assert_eq!(complaints(rule, path, text), expected, "{path}: {text}");
    }

    #[test]
    fn large_collections_are_found_where_they_ship() {
        let text = "use std::collections::BTreeMap;\nlist.sort_by_key(f);\nsort(&mut list);\n\
                    #[cfg(test)]\nmod tests { use std::collections::BTreeSet; }\n";
        let rule: Rule = what_ships_uses_small_collections;
        let lines = |path: &str| complaints(rule, path, text).len();
        assert_eq!(lines("src/sim/world.rs"), 2);
        assert_eq!(lines("src/bin/plug.rs"), 0);
        assert_eq!(lines("src/sim/tests.rs"), 0);
    }

    #[test]
    fn long_files_are_found() {
        let long = "\n".repeat(501);
        check(files_are_short, "src/a.rs", &long, &["501: 501 lines, 500 at most: split it"]);
        check(files_are_short, "xtask/src/a.rs", &long[1..], &NOTHING);
        check(files_are_short, "tests/a.rs", &long, &NOTHING);
    }

    #[test]
    fn long_lines_are_found() {
        let line = format!("ok\n{}", "ш".repeat(101));
        check(lines_are_short, "src/a.rs", &line, &["2: 101 columns, 100 at most"]);
        check(lines_are_short, "src/a.rs", &"ш".repeat(100), &NOTHING);
        check(lines_are_short, "src/a.rs", &format!("\"{}\"", "x".repeat(101)), &NOTHING);
        check(lines_are_short, "src/a/tests.rs", &line, &NOTHING);
        check(lines_are_short, "src/a/tests/b.rs", &line, &NOTHING);
    }

    #[test]
    fn files_without_purpose_are_found() {
        let expected = &["1: begin with `//!` and what the file is for"];
        check(files_begin_with_their_purpose, "src/a.rs", "use it;\n//! Late.", expected);
        check(files_begin_with_their_purpose, "src/a.rs", "//! It.", &NOTHING);
    }

    #[test]
    fn banned_names_are_found_as_whole_words_of_code() {
        for (name, why) in BANNED {
            let text = format!("//! It.\n// {name}\nlet it = {name}::new();");
            let expected = format!("3: `{name}`: {why}");
            check(nothing_depends_on_hash_order_or_clocks, "src/a.rs", &text, &[&expected]);
            let longer = format!("{name}s");
            check(nothing_depends_on_hash_order_or_clocks, "src/a.rs", &longer, &NOTHING);
            check(nothing_depends_on_hash_order_or_clocks, "xtask/a.rs", &text, &NOTHING);
        }
    }

    #[test]
    fn unfinished_work_is_found() {
        for mark in MARKS {
            let expected = format!("2: `{mark}`: finish it or drop it");
            let text = format!("a\n// {mark}: later");
            check(nothing_is_left_for_later, "src/a.rs", &text, &[&expected]);
            check(nothing_is_left_for_later, "static/a.css", &text, &[&expected]);
        }
        for name in MACROS {
            let expected = format!("1: `{name}`: finish it or drop it");
            check(nothing_is_left_for_later, "src/a.rs", &format!("{name}!()"), &[&expected]);
            check(nothing_is_left_for_later, "docs/a.md", &format!("{name}!()"), &NOTHING);
        }
    }

    #[test]
    fn a_missing_and_a_second_title_are_found() {
        let none = &["1: no title: a line that begins with `# `"];
        check(a_text_has_one_title, "a.md", "text\n## Part\n", none);
        check(a_text_has_one_title, "a.md", "# A\n\n# B\n", &["3: a second title; use `## `"]);
        check(a_text_has_one_title, "a.md", "# A\n```\n# sh\n```\n", &NOTHING);
    }
}
