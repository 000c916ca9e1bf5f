//! What the catalogue promises: every message in both languages, plurals, numbers, look-up by id,
//! and a size that the page can afford.

use super::catalogue::MESSAGES;
use super::generate::LANGUAGES;
use super::marks::{FIELD, RECORD};
use super::*;

const NUMBERS: [i64; 9] = [0, 1, 2, 5, 11, 21, 22, 25, 101];

fn ru() -> Words {
    Words::native(Lang::Ru)
}

fn en() -> Words {
    Words::native(Lang::En)
}

/// A message with every text argument set to `text` and every number to `n`.
fn render(words: Words, index: usize, text: &str, n: i64) -> String {
    let (_, _, numbers) = MESSAGES[index];
    let argument = |number: &bool| {
        if *number { Argument::Number(n) } else { Argument::Text(text) }
    };
    words.fill(index, &numbers.iter().map(argument).collect::<Vec<_>>())
}

#[test]
fn every_message_renders_in_both_languages() {
    for words in Lang::ALL.map(Words::native) {
        for (index, (id, names, numbers)) in MESSAGES.iter().enumerate() {
            assert_eq!(names.len(), numbers.len());
            for n in NUMBERS {
                let said = render(words, index, "‹text›", n);
                assert!(!said.trim().is_empty(), "{id}");
                assert!(!said.chars().any(char::is_control), "{id}: {said:?}");
                // A parameter of a template is the one thing in braces that words speak of.
                let plain = said.replace("${ids}", "").replace("${value}", "");
                assert!(!plain.contains(['{', '}', '$', '~']), "{id}: {said}");
            }
        }
    }
}

#[test]
fn every_argument_is_written_somewhere() {
    for words in Lang::ALL.map(Words::native) {
        for (index, (id, names, numbers)) in MESSAGES.iter().enumerate() {
            for (at, name) in names.iter().enumerate() {
                let values = |changed: bool| {
                    let value = |(i, number): (usize, &bool)| match (*number, changed && i == at) {
                        (true, false) => Argument::Number(5),
                        (true, true) => Argument::Number(21),
                        (false, false) => Argument::Text("letter"),
                        (false, true) => Argument::Text("parcel"),
                    };
                    words.fill(index, &numbers.iter().enumerate().map(value).collect::<Vec<_>>())
                };
                assert_ne!(values(false), values(true), "{id}: {name}");
            }
        }
    }
}

#[test]
fn letters_take_their_plural_forms() {
    let said = |words: Words| NUMBERS.map(|n| words.effect(n, "letter").replace('\u{a0}', " "));
    let russian = [
        "0 писем",
        "1 письмо",
        "2 письма",
        "5 писем",
        "11 писем",
        "21 письмо",
        "22 письма",
        "25 писем",
        "101 письмо",
    ];
    let english = [
        "0 letters",
        "1 letter",
        "2 letters",
        "5 letters",
        "11 letters",
        "21 letters",
        "22 letters",
        "25 letters",
        "101 letters",
    ];
    assert_eq!(said(ru()), russian);
    assert_eq!(said(en()), english);
}

#[test]
fn an_unknown_effect_is_named_and_counted() {
    assert_eq!(ru().effect(2, "parcel"), "parcel: 2");
    assert_eq!(en().effect(1, "point"), "1 point");
    assert_eq!(ru().effect(22, "point"), "22 балла");
}

#[test]
fn a_message_within_a_message_gets_the_same_arguments() {
    assert_eq!(ru().verdict_of_order(4, ru().verdict_in_flight()), "№\u{a0}4 · в пути");
    assert_eq!(en().verdict_of_order(1234, &en().verdict_doubled(2)), "#1234 · doubled ×2");
}

#[test]
fn numbers_are_grouped_by_language() {
    assert_eq!(en().transport_step_of(1_234, 100_000), "step 1,234 of 100,000");
    assert_eq!(ru().transport_step_of(999, 1_234_567), "шаг 999 из 1\u{a0}234\u{a0}567");
    assert_eq!(
        en().transport_step_of(-1_000, i64::MIN),
        "step -1,000 of -9,223,372,036,854,775,808"
    );
}

#[test]
fn seconds_have_two_decimals_rounded_half_up() {
    assert_eq!(ru().seconds(3_420_000), "3,42\u{a0}с");
    assert_eq!(en().seconds(3_424_999), "3.42\u{a0}s");
    assert_eq!(en().seconds(3_425_000), "3.43\u{a0}s");
    assert_eq!(en().seconds(999_995_000), "1000.00\u{a0}s");
    assert_eq!(ru().seconds(0), "0,00\u{a0}с");
    assert_eq!(en().seconds(i64::MAX), "9223372036854.78\u{a0}s");
    assert_eq!(en().seconds(-1), "0.00\u{a0}s");
}

#[test]
fn problems_are_found_by_id() {
    for words in Lang::ALL.map(Words::native) {
        for record in tables::problems(words.lang).split_terminator(RECORD) {
            let (id, rest) = record.split_once(FIELD).unwrap();
            let (names, _) = rest.split_once(FIELD).unwrap();
            let names: Vec<_> = names.split_ascii_whitespace().collect();
            let mut given: Vec<_> = names.iter().map(|name| (*name, "‹text›")).collect();
            let said = words.problem_with(id, &given).unwrap();
            assert!(!said.trim().is_empty() && !said.chars().any(char::is_control), "{id}: {said}");
            for at in 0..given.len() {
                given[at].1 = "another";
                let other = words.problem_with(id, &given).unwrap();
                assert_ne!(said, other, "{id}: {}", given[at].0);
                given[at].1 = "‹text›";
            }
            let enough = names.iter().all(|name| *name == "found");
            assert_eq!(words.problem(id, "x").is_some(), enough, "{id}");
        }
    }
    assert_eq!(
        en().problem("link-unknown-part", "relya").as_deref(),
        Some("This scene has no part “relya”.")
    );
    assert!(ru().problem("scene-no-parts", "").is_some());
    assert_eq!(ru().problem("scene-wrong-type", "5"), None);
    assert_eq!(ru().problem("page-title", ""), None);
}

#[test]
fn arguments_are_never_interpreted() {
    let sly = "\u{3}0\u{4}*\u{5}{ $found }\u{6}";
    let said = en().problem("link-unknown-part", sly);
    assert_eq!(said, Some(format!("This scene has no part “{sly}”.")));
}

#[test]
fn the_required_forms_are_those_of_cldr() {
    for (language, lang) in LANGUAGES.iter().zip(Lang::ALL) {
        assert_eq!(language.code, lang.code());
        for n in 0..=200 {
            let form = plural::native(lang, n).code();
            assert!(language.forms.contains(&form), "{} {n}: {form}", language.code);
        }
        for form in language.forms.iter().filter(|form| **form != "other") {
            assert!((0..=200).any(|n| plural::native(lang, n).code() == *form), "{form}");
        }
    }
}

#[test]
fn categories_and_languages_are_known_by_code() {
    for category in [Category::One, Category::Few, Category::Many, Category::Other] {
        assert_eq!(Category::from_code(category.code()), category);
    }
    assert_eq!(Category::from_code("two"), Category::Other);
    assert_eq!(Lang::from_code("ru"), Some(Lang::Ru));
    assert_eq!(Lang::from_code("EN-gb"), Some(Lang::En));
    assert_eq!(Lang::from_code("eng"), None);
}

#[test]
fn words_are_equal_by_language() {
    let other = Words::new(Lang::Ru, |_, _| Category::Other);
    assert!(ru() == other);
    assert!(ru() != en());
}

#[test]
fn the_tables_stay_modest() {
    let bytes = |words: Words| {
        let lesson = tables::lesson(words.lang).iter().map(|template| template.len());
        (lesson.sum::<usize>(), tables::problems(words.lang).len())
    };
    let (lesson, problems) = bytes(ru());
    assert!(lesson < 24 * 1024 && problems < 32 * 1024, "{lesson} {problems}");
    let (lesson, problems) = bytes(en());
    assert!(lesson < 16 * 1024 && problems < 24 * 1024, "{lesson} {problems}");
}

#[test]
fn the_words_keep_to_the_glossary() {
    let lesson = tables::lesson(Lang::Ru).iter().copied();
    for template in lesson.chain(tables::problems(Lang::Ru).split_terminator(RECORD)) {
        let lower = template.to_lowercase();
        for wrong in ["реле ", "вилк", " вы ", "вам ", "ваш"] {
            assert!(!lower.contains(wrong), "{wrong}: {template}");
        }
    }
}

#[test]
fn only_whole_tables_of_this_version_are_learned() {
    assert!(!learn(Lang::Ru, Part::Lesson, ""));
    assert!(!learn(Lang::Ru, Part::Lesson, "<!doctype html>"));
    assert!(!learn(Lang::Ru, Part::Lesson, "один\u{7}два\u{7}"));
    assert!(!learn(Lang::Ru, Part::Problems, "link-x\u{8}found"));
    assert!(knows(Lang::Ru, Part::Lesson) && knows(Lang::Ru, Part::Problems));
    assert_eq!(ru().page_title(), Words::native(Lang::Ru).page_title());
}
