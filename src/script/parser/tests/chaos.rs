//! Whatever the text: reading ends, nothing panics, and all places lie within the text.

use proptest::prelude::*;

use super::{EXAMPLE, parse};
use crate::script::lexer::tokens;
use crate::text::Span;

const SOUP: [&str; 60] = [
    "const", "let", "var", "function", "async", "await", "if", "else", "while", "for", "of", "in",
    "try", "catch", "finally", "throw", "return", "break", "new", "Error", "import", "export",
    "default", "class", "this", "switch", "sql", "a", "b", "имя", "1", "2.5", "'x'", "\"y\"", "`",
    "${", "{", "}", "(", ")", "[", "]", ";", ",", ".", "?.", "?", ":", "=>", "=", "===", "==", "+",
    "-", "??", "||", "...", "\n", "/", "//",
];

fn check_span(text: &str, span: Span) {
    assert!(text.get(span.start as usize..span.end as usize).is_some(), "{span:?}");
}

fn check(text: &str) {
    let mut end = 0;
    for token in tokens(text) {
        assert!(token.span.start >= end && token.span.end > token.span.start);
        check_span(text, token.span);
        let between = &text[end as usize..token.span.start as usize];
        assert!(between.chars().all(|c| c.is_whitespace() || c == '\u{feff}'), "{between:?}");
        end = token.span.end;
    }
    let parsed = parse(text);
    for error in &parsed.errors {
        check_span(text, error.span);
        assert!(error.found.chars().count() <= 40);
    }
    let tree = format!("{:?}", parsed.module);
    for place in tree.split("Span { ").skip(1) {
        let numbers: Vec<u32> = place
            .split(|c: char| !c.is_ascii_digit())
            .filter_map(|number| number.parse().ok())
            .take(2)
            .collect();
        check_span(text, Span::new(numbers[0], numbers[1]));
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    #[test]
    fn any_text(text in "\\PC{0,80}") {
        check(&text);
    }

    #[test]
    fn any_bytes(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
        check(&String::from_utf8_lossy(&bytes));
    }

    #[test]
    fn token_soup(words in prop::collection::vec(prop::sample::select(SOUP.to_vec()), 0..80)) {
        check(&words.join(" "));
        check(&words.concat());
        check(&format!("async function f() {{ while (true) {{ {} }} }}", words.join(" ")));
    }

    #[test]
    fn mutations_of_the_example(
        at in 0..EXAMPLE.len(),
        removed in 0..40_usize,
        inserted in prop::collection::vec(prop::sample::select(SOUP.to_vec()), 0..3),
    ) {
        let (start, end) = (EXAMPLE.floor_char_boundary(at), EXAMPLE.len().min(at + removed));
        let end = EXAMPLE.ceil_char_boundary(end);
        check(&format!("{}{}{}", &EXAMPLE[..start], inserted.join(" "), &EXAMPLE[end..]));
        check(&EXAMPLE[..start]);
    }
}
