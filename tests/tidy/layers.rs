//! Arrows between the crate's modules point one way, and only the page knows a browser.

use crate::rules::{code_lines, words};
use crate::{Complaint, Source};

/// A module may use the modules of the rows before its own, and no other.
const LAYERS: &[&[&str]] = &[
    &["collections", "datum", "text"],
    &["diagnostic"],
    &["script"],
    &["sim"],
    &["scene"],
    &["audit"],
    &["run"],
    &["explore"],
    &["parity", "view"],
    &["words"],
    &["ui"],
];

/// Crates that make sense in a browser only.
const BROWSER: &[&str] = &["yew", "web_sys", "wasm_bindgen", "js_sys", "gloo"];

/// No module names a module of its own row or of a later one.
pub(crate) fn modules_use_only_lower_layers(source: &Source) -> Vec<Complaint> {
    let Some(own) = module(&source.path) else { return Vec::new() };
    let Some(layer) = layer(own) else {
        let what = format!("module `{own}` has no row in LAYERS of tests/tidy/layers.rs");
        return vec![Complaint::new(1, what)];
    };
    let depth = depth(&source.path);
    let used = used_modules(&source.text, depth);
    used.into_iter()
        .filter(|(_, used)| *used != own && self::layer(used).is_some_and(|it| it >= layer))
        .map(|(line, used)| Complaint::new(line, format!("`{own}` must not know `{used}`")))
        .collect()
}

/// The browser's crates are named in `ui` and in the page's program only.
pub(crate) fn only_the_page_knows_a_browser(source: &Source) -> Vec<Complaint> {
    let page = module(&source.path) == Some("ui") || source.path == "src/bin/lesson.rs";
    if !is_library(&source.path) || page {
        return Vec::new();
    }
    let found = words(&source.text).filter(|(_, word)| BROWSER.contains(word));
    found.map(|(line, word)| Complaint::new(line, format!("only `ui` may know `{word}`"))).collect()
}

fn is_library(path: &str) -> bool {
    path.starts_with("src/") && path.ends_with(".rs")
}

/// The top module that a file belongs to; `lib.rs` and programs belong to none.
fn module(path: &str) -> Option<&str> {
    let inner = path.strip_prefix("src/")?.strip_suffix(".rs")?;
    let name = inner.split('/').next()?;
    (name != "lib" && name != "bin").then_some(name)
}

fn layer(module: &str) -> Option<usize> {
    LAYERS.iter().position(|row| row.contains(&module))
}

/// How many `super::` lead from a file's module to the crate's root.
fn depth(path: &str) -> usize {
    let inner = path.trim_start_matches("src/").trim_end_matches(".rs").trim_end_matches("/mod");
    inner.split('/').count()
}

/// The top modules that a text names by `crate::…` or by enough `super::…`, and on which lines.
fn used_modules(text: &str, mut depth: usize) -> Vec<(usize, &str)> {
    let mut used = Vec::new();
    let mut open = 0;
    for (number, line) in code_lines(text) {
        if line.starts_with("mod ") && line.ends_with('{') {
            depth += 1; // The module of the tests, which is the last thing in a file.
        }
        if open > 0 {
            open = read_group(number, line, open, &mut used);
        }
        let mut rest = line;
        while let Some((start, length)) = root_prefix(rest, depth) {
            rest = &rest[start + length..];
            match rest.strip_prefix('{') {
                Some(group) => open = read_group(number, group, 1, &mut used),
                None => used.push((number, identifier(rest))),
            }
        }
    }
    used
}

/// Where a line says `crate::`, or `super::` as many times as lead to the root; how long that is.
fn root_prefix(line: &str, depth: usize) -> Option<(usize, usize)> {
    let supers = "super::".repeat(depth);
    let candidates = ["crate::", supers.as_str()];
    let starts = candidates.iter().filter_map(|text| Some((line.find(text)?, text.len())));
    starts.min()
}

/// Reads names of the outermost level of `{a, b::{c, d}}` up to the line's end; returns how many
/// braces are still open.
fn read_group<'a>(
    number: usize,
    text: &'a str,
    mut open: usize,
    used: &mut Vec<(usize, &'a str)>,
) -> usize {
    let mut expects_name = open == 1;
    for (at, character) in text.char_indices() {
        match character {
            '{' => open += 1,
            '}' => open -= 1,
            ',' => expects_name = open == 1,
            _ if expects_name && open == 1 && !character.is_whitespace() => {
                used.push((number, identifier(&text[at..])));
                expects_name = false;
            }
            _ => {}
        }
        if open == 0 {
            break;
        }
    }
    open
}

fn identifier(text: &str) -> &str {
    let end = text.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(text.len());
    &text[..end]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::complaints;

    fn layering(path: &str, text: &str) -> Vec<String> {
        complaints(modules_use_only_lower_layers, path, text)
    }

    #[test]
    fn a_lower_module_is_allowed() {
        let text = "//! A scene.\nuse crate::{script::ast, sim};\nuse crate::text::Span;\n";
        assert_eq!(layering("src/scene/mod.rs", text), [] as [&str; 0]);
        assert_eq!(layering("src/sim/mod.rs", "use crate::sim::part;"), [] as [&str; 0]);
        let own_function = "mod tests {\n    use super::run;\n}";
        assert_eq!(layering("src/sim/mod.rs", own_function), [] as [&str; 0]);
        assert_eq!(layering("src/lib.rs", "pub use crate::ui::App;"), [] as [&str; 0]);
    }

    #[test]
    fn an_upper_module_is_refused_however_it_is_named() {
        let refused = ["2: `sim` must not know `scene`"];
        assert_eq!(layering("src/sim/world.rs", "//! It.\nuse crate::scene::Scene;"), refused);
        assert_eq!(layering("src/sim/mod.rs", "\nlet it: &super::scene::Scene;"), refused);
        assert_eq!(layering("src/sim/part/api.rs", "\nuse super::super::super::scene;"), refused);
        assert_eq!(
            layering("src/sim/mod.rs", "\nuse crate::{text::{Span, Place}, scene};"),
            refused
        );
        let nested = "\nmod tests {\n    use super::super::scene::Scene;\n}";
        assert_eq!(layering("src/sim/mod.rs", nested), ["3: `sim` must not know `scene`"]);
        let group = "use crate::{\n    scene::{\n        audit,\n    },\n    run,\n};";
        let both = ["2: `sim` must not know `scene`", "5: `sim` must not know `run`"];
        assert_eq!(layering("src/sim/mod.rs", group), both);
    }

    #[test]
    fn a_module_of_the_same_row_is_refused() {
        let refused = ["1: `text` must not know `datum`"];
        assert_eq!(layering("src/text.rs", "use crate::datum::Datum;"), refused);
    }

    #[test]
    fn comments_do_not_count() {
        assert_eq!(layering("src/sim/mod.rs", "/// See [`crate::ui`]."), [] as [&str; 0]);
    }

    #[test]
    fn a_module_needs_a_row() {
        let refused = ["1: module `extra` has no row in LAYERS of tests/tidy/layers.rs"];
        assert_eq!(layering("src/extra.rs", ""), refused);
    }

    #[test]
    fn a_browser_is_known_to_the_page_only() {
        let text = "//! Draws.\n// yew is fine in a comment\nuse yew::Html;\n";
        let rule = only_the_page_knows_a_browser;
        assert_eq!(complaints(rule, "src/view/mod.rs", text), ["3: only `ui` may know `yew`"]);
        assert_eq!(complaints(rule, "src/bin/plug.rs", text), ["3: only `ui` may know `yew`"]);
        assert_eq!(complaints(rule, "src/ui/page.rs", text), [] as [&str; 0]);
        assert_eq!(complaints(rule, "src/bin/lesson.rs", text), [] as [&str; 0]);
    }
}
