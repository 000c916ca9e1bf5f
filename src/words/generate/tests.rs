//! The generator on small sources: what it makes of them, and what it refuses with which words
//! at which line.

use super::{Generated, Source, generate};

fn file(path: &str, text: &str) -> Source {
    Source { path: path.to_owned(), text: text.to_owned() }
}

/// What is generated, or the complaints, for one file per language.
fn outcome(ru: &str, en: &str) -> Result<Generated, String> {
    generate(&[vec![file("ru/a.ftl", ru)], vec![file("en/a.ftl", en)]]).map_err(|e| e.join("\n"))
}

fn complaint(ru: &str, en: &str) -> String {
    outcome(ru, en).unwrap_err()
}

const LETTERS_EN: &str = "x = { $n ->\n    [one] letter\n   *[other] letters\n}\n";

#[test]
fn a_message_becomes_a_method() {
    let code = outcome("b = б\na-b = { $z } { NUMBER($n) }\n", "b = b\na-b = { $z } { $n }\n");
    let code = code.unwrap().code;
    assert!(code.contains("pub fn b(self) -> &'static str"), "{code}");
    assert!(code.contains("pub fn a_b(self, n: i64, z: &str) -> String"), "{code}");
}

#[test]
fn references_are_replaced_when_built() {
    let text = "-brand = Plug\nx = a { y } { -brand }\ny = { $n }\n";
    let built = outcome(text, text).unwrap();
    assert_eq!(built.tables[0].lesson, "a \u{1}0 Plug\u{7}\u{1}0\u{7}");
    assert!(!built.code.contains("fn brand"));
}

#[test]
fn a_choice_by_text_needs_no_forms() {
    let text = "x = { $kind ->\n    [other] a\n    [unplug] b\n   *[rest] c\n}\n";
    let built = outcome(text, text).unwrap();
    assert!(built.code.contains("fn x(self, kind: &str)"), "{}", built.code);
    let table = "\u{3}0\u{4}other\u{5}a\u{4}unplug\u{5}b\u{4}*\u{5}c\u{6}\u{7}";
    assert_eq!(built.tables[1].lesson, table);
}

#[test]
fn exact_numbers_come_first() {
    let text = "x = { $n ->\n    [one] a\n    [few] b\n    [many] c\n   *[other] d\n    [0] e\n}\n";
    let built = outcome(text, &LETTERS_EN.replace("[one]", "[0] none\n    [one]")).unwrap();
    assert!(built.tables[0].lesson.starts_with("\u{3}0\u{4}0\u{5}e\u{4}one"));
}

#[test]
fn problems_are_kept_by_id() {
    let text = "script-x = { $found }, not { $expected }\nx = a\n";
    let built = outcome(text, text).unwrap();
    assert!(!built.code.contains("fn script_x"));
    let tables = &built.tables[0];
    assert_eq!(tables.lesson, "a\u{7}");
    let problem = "script-x\u{8}expected found\u{8}\u{1}1, not \u{1}0\u{7}";
    assert_eq!(tables.problems, problem);
}

#[test]
fn a_key_in_one_language_only_is_refused() {
    assert_eq!(complaint("x = а\ny = б\n", "x = a\n"), "ru/a.ftl:2: `y` is missing in `en`");
    assert_eq!(complaint("x = а\n", "x = a\ny = b\n"), "en/a.ftl:2: `y` is missing in `ru`");
}

#[test]
fn arguments_that_differ_are_refused() {
    assert_eq!(
        complaint("x = { $a }\n", "x = { $b }\n"),
        "en/a.ftl:1: the arguments differ between the languages: ($a) and ($b)"
    );
}

#[test]
fn a_number_in_one_language_and_text_in_the_other_is_refused() {
    let ru = "x = { $n ->\n   *[a] a\n}\n";
    assert_eq!(complaint(ru, LETTERS_EN), "en/a.ftl:1: `$n` is used both as a number and as text");
}

#[test]
fn a_missing_plural_form_is_refused() {
    let ru = "x =\n    { $n ->\n        [one] письмо\n        [few] письма\n       *[other] писем\n    }\n";
    assert_eq!(complaint(ru, LETTERS_EN), "ru/a.ftl:2: the plural form `many` is missing");
    let en = "x = { $n ->\n   *[other] letters\n}\n";
    let ru = ru.replace("[few]", "[many] писем\n        [few]");
    assert_eq!(complaint(&ru, en), "en/a.ftl:1: the plural form `one` is missing");
    let en = LETTERS_EN.replace("[one]", "[few] x\n    [one]");
    assert_eq!(complaint(&ru, &en), "en/a.ftl:1: `en` has no plural form `few`");
    let en = "x = { $n ->\n   *[one] letter\n    [other] letters\n}\n";
    assert_eq!(complaint(&ru, en), "en/a.ftl:1: `other` must be the default variant of a plural");
}

#[test]
fn the_same_id_twice_is_refused() {
    assert_eq!(
        complaint("x = а\n\nx = б\n", "x = a\n"),
        "ru/a.ftl:3: `x` is already said at ru/a.ftl:1"
    );
    let two = vec![file("en/a.ftl", "x = a\n"), file("en/b.ftl", "x = b\n")];
    let problems = generate(&[vec![file("ru/a.ftl", "x = а\n")], two]).unwrap_err();
    assert_eq!(problems, ["en/b.ftl:1: `x` is already said at en/a.ftl:1"]);
}

#[test]
fn a_variant_twice_is_refused() {
    let text = "x = { $k ->\n    [a] a\n    [a] b\n   *[c] c\n}\n";
    assert_eq!(
        complaint(text, text),
        "ru/a.ftl:3: the variant `a` is there twice\nen/a.ftl:3: the variant `a` is there twice"
    );
}

#[test]
fn what_is_not_supported_is_refused() {
    for (text, problem) in [
        ("x = { DATETIME($t) }\n", ":1: only `NUMBER($name)` may be called"),
        ("x = { NUMBER($t, style: \"percent\") }\n", ":1: only `NUMBER($name)` may be called"),
        ("\nx = a\n    .title = b\n", ":2: `x` must have a text and no attributes"),
        ("x = { -t(case: \"a\") }\n-t = t\n", ":1: this expression is not supported"),
        ("-t = { $a }\nx = { -t }\n", ":1: the term `-t` must not use arguments"),
        ("x = { y }\n", ":1: there is no `y`"),
        ("x = { y }\n\ny = { x }\n", ":3: `x` refers to itself"),
        ("y = a\nx = broken {\n", ":3: Expected"),
        ("x = a\u{1}b\n", ":1: control characters are not text"),
        ("Big = a\n", ":1: `Big` must be lower case"),
        ("x = { $a_b }\n", ":1: `a_b` must be lower case"),
        ("link-x = { NUMBER($found) }\n", ":1: `link-x` is looked up by its id"),
    ] {
        let said = complaint(text, text);
        assert!(said.contains(&format!("ru/a.ftl{problem}")), "{text}: {said}");
    }
}
