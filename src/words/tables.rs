//! The tables of templates. A native program has them compiled in. The page, which shows one
//! language at a time, is given what it needs as files, by [`learn`].

use std::sync::OnceLock;

use super::Lang;
use super::catalogue::LESSON_LEN;
use super::marks::{FIELD, RECORD};

/// A part of the words of a language, in a file of its own.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Part {
    /// What the lesson says.
    Lesson,
    /// What is said of a program, a scene or a link with something wrong.
    Problems,
}

static LESSONS: [OnceLock<Vec<&'static str>>; 2] = [OnceLock::new(), OnceLock::new()];
static PROBLEMS: [OnceLock<&'static str>; 2] = [OnceLock::new(), OnceLock::new()];

/// Takes in the text of a part; `false` if it is of another version of the lesson, or damaged.
pub fn learn(lang: Lang, part: Part, text: &str) -> bool {
    if !text.ends_with(RECORD) {
        return false;
    }
    // Kept for as long as the page lives, and taken in once.
    let text: &'static str = Box::leak(text.into());
    match part {
        Part::Problems => PROBLEMS[lang as usize].get_or_init(|| text) == &text,
        Part::Lesson => {
            let table: Vec<_> = text.split_terminator(RECORD).collect();
            table.len() == LESSON_LEN && !LESSONS[lang as usize].get_or_init(|| table).is_empty()
        }
    }
}

/// Whether a part is at hand.
pub fn knows(lang: Lang, part: Part) -> bool {
    match part {
        Part::Lesson => !lesson(lang).is_empty(),
        Part::Problems => !problems(lang).is_empty(),
    }
}

/// The templates of the methods, in their order. None as long as they are not known.
pub(super) fn lesson(lang: Lang) -> &'static [&'static str] {
    let known = &LESSONS[lang as usize];
    #[cfg(not(target_arch = "wasm32"))]
    known.get_or_init(|| compiled::LESSONS[lang as usize].split_terminator(RECORD).collect());
    known.get().map_or(&[], Vec::as_slice)
}

/// A problem by its id: the names of its arguments, and its template.
pub(super) fn problem(lang: Lang, id: &str) -> Option<(&'static str, &'static str)> {
    let mut records = problems(lang).split_terminator(RECORD);
    let found = records.find_map(|record| record.strip_prefix(id)?.strip_prefix(FIELD));
    found?.split_once(FIELD)
}

pub(super) fn problems(lang: Lang) -> &'static str {
    let known = &PROBLEMS[lang as usize];
    #[cfg(not(target_arch = "wasm32"))]
    known.get_or_init(|| compiled::PROBLEMS[lang as usize]);
    known.get().copied().unwrap_or_default()
}

/// The tables of the build, Russian first.
#[cfg(not(target_arch = "wasm32"))]
mod compiled {
    macro_rules! built {
        ($name:literal) => {
            include_str!(concat!(env!("OUT_DIR"), "/", $name, ".txt"))
        };
    }

    pub(super) static LESSONS: [&str; 2] = [built!("ru"), built!("en")];
    pub(super) static PROBLEMS: [&str; 2] = [built!("ru-problems"), built!("en-problems")];
}
