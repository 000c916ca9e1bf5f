//! What is read, what is refused, and that reading always ends.

use super::parse;

const EXAMPLE: &str = include_str!("example.scene.js");

/// The errors of a text, one a line.
fn errors(text: &str) -> String {
    let parsed = parse(text);
    let lines = parsed.errors.iter().map(|error| {
        let place = parsed.lines.place(text, error.span.start);
        format!("{}:{} {} {}\n", place.line, place.column, error.problem.id(), error.found)
    });
    lines.collect()
}

#[test]
fn the_example_is_read_without_errors() {
    assert_eq!(errors(EXAMPLE), "");
    let module = parse(EXAMPLE).module;
    assert_eq!(module.functions.len(), 3);
    assert_eq!(module.moments.len(), 1);
    assert!(module.default.is_some());
}
