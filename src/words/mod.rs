//! Every word that people read, in Russian and in English.
//!
//! The only source is `static/i18n/{ru,en}/*.ftl`. The build turns each message into a method of
//! [`Words`] of the same name (hyphens become underscores), with its arguments in alphabetical
//! order, so a missing translation or argument does not compile. A method without arguments gives
//! `&'static str`, one with arguments a `String`.

mod act;
mod errors;
pub mod log;
mod marks;
mod number;
mod part;
mod plural;
mod story;
mod tables;
mod template;
pub mod titles;

pub use plural::Category;
pub use story::Namer;
pub use tables::{Part, knows, learn};
use template::Argument;

/// The generated methods of `Words`.
mod catalogue {
    include!(concat!(env!("OUT_DIR"), "/words.rs"));
}

/// A language of the page.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Lang {
    /// Russian.
    Ru,
    /// English.
    En,
}

impl Lang {
    /// Both languages, Russian first.
    pub const ALL: [Self; 2] = [Self::Ru, Self::En];

    /// Its BCP 47 code: `ru`, `en`.
    pub const fn code(self) -> &'static str {
        match self {
            Self::Ru => "ru",
            Self::En => "en",
        }
    }

    /// The language of a BCP 47 tag such as `ru` or `en-GB`, in any case.
    pub fn from_code(code: &str) -> Option<Self> {
        let primary = code.split('-').next().unwrap_or_default();
        Self::ALL.into_iter().find(|lang| primary.eq_ignore_ascii_case(lang.code()))
    }

    /// What it calls itself.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Ru => "Русский",
            Self::En => "English",
        }
    }

    const fn group_mark(self) -> char {
        match self {
            Self::Ru => '\u{a0}',
            Self::En => ',',
        }
    }

    const fn decimal_mark(self) -> char {
        match self {
            Self::Ru => ',',
            Self::En => '.',
        }
    }
}

/// Tells the plural category of a number in a language, by CLDR's cardinal rules.
pub type Plural = fn(Lang, i64) -> Category;

/// The words of one language. Two are equal if their languages are.
#[derive(Clone, Copy)]
pub struct Words {
    lang: Lang,
    plural: Plural,
}

impl PartialEq for Words {
    fn eq(&self, other: &Self) -> bool {
        self.lang == other.lang
    }
}

impl Eq for Words {}

impl Words {
    /// The words of a language, given who knows its plurals.
    pub const fn new(lang: Lang, plural: Plural) -> Self {
        Self { lang, plural }
    }

    /// The words of a language with plurals by `intl_pluralrules`.
    #[cfg(not(target_arch = "wasm32"))]
    pub const fn native(lang: Lang) -> Self {
        Self::new(lang, plural::native)
    }

    /// Which language it is.
    pub const fn lang(self) -> Lang {
        self.lang
    }

    /// What is wrong, by the id of a message that begins with `script-`, `sql-`, `scene-` or
    /// `link-`. `found` is what stood there. `None` if there is no such message or it needs more.
    pub fn problem(self, id: &str, found: &str) -> Option<String> {
        self.problem_with(id, &[("found", found)])
    }

    /// Like [`Words::problem`] with any arguments, by name. Those that the message does not use
    /// are passed over; `None` if it uses one that is not there.
    pub fn problem_with(self, id: &str, given: &[(&str, &str)]) -> Option<String> {
        let (names, template) = tables::problem(self.lang, id)?;
        let mut arguments = Vec::new();
        for name in names.split_ascii_whitespace() {
            let (_, value) = given.iter().find(|(known, _)| *known == name)?;
            arguments.push(Argument::Text(value));
        }
        Some(template::fill(self, template, &arguments))
    }

    /// A time of the simulation with its unit: «3,42 с», "3.42 s". Rounded to hundredths; there is
    /// no time before zero.
    pub fn seconds(self, microseconds: i64) -> String {
        self.transport_seconds(&number::seconds(
            u64::try_from(microseconds).unwrap_or(0),
            self.lang,
        ))
    }

    /// A template of the catalogue, which is its own text if it has no arguments.
    fn template(self, index: usize) -> &'static str {
        tables::lesson(self.lang).get(index).copied().unwrap_or_default()
    }

    fn fill(self, index: usize, arguments: &[Argument<'_>]) -> String {
        template::fill(self, self.template(index), arguments)
    }
}

#[cfg(test)]
#[allow(dead_code, reason = "the build script and xtask use the rest")]
mod generate;
#[cfg(test)]
mod tests;
#[cfg(test)]
mod told;
