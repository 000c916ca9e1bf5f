//! The interpreter of compiled templates: one small walk serves every message of every language,
//! where a function per message would cost the download several times as much.

use super::marks::{BODY, CHOICE, DEFAULT, END, GROUPED, VALUE, VARIANT};
use super::{Words, number};
use std::str::Chars;

/// What a message is given for one of its arguments.
#[derive(Clone, Copy)]
pub(super) enum Argument<'a> {
    /// A whole number, which may choose a plural form.
    Number(i64),
    /// Words that are put in as they are.
    Text(&'a str),
}

/// Puts the arguments into a template.
pub(super) fn fill(words: Words, template: &str, arguments: &[Argument<'_>]) -> String {
    let mut filler = Filler { words, rest: template.chars(), arguments, out: String::new() };
    filler.body(true);
    filler.out
}

struct Filler<'a> {
    words: Words,
    rest: Chars<'a>,
    arguments: &'a [Argument<'a>],
    out: String,
}

impl<'a> Filler<'a> {
    /// Walks to the end of a body, writing it if it is the chosen one. Gives the mark at its end.
    fn body(&mut self, chosen: bool) -> char {
        while let Some(character) = self.rest.next() {
            match character {
                VARIANT | END => return character,
                CHOICE => self.choice(chosen),
                VALUE | GROUPED => {
                    let argument = self.argument();
                    if chosen {
                        self.write(argument, character == GROUPED);
                    }
                }
                _ if chosen => self.out.push(character),
                _ => {}
            }
        }
        END
    }

    /// Walks a choice, writing at most one of its variants: the first that fits.
    fn choice(&mut self, chosen: bool) {
        let (name, exact) = match self.argument() {
            Argument::Text(text) => (text, String::new()),
            Argument::Number(n) => ((self.words.plural)(self.words.lang, n).code(), n.to_string()),
        };
        let mut open = chosen;
        let mut mark = self.rest.next();
        while mark == Some(VARIANT) {
            let (key, rest) = self.rest.as_str().split_once(BODY).unwrap_or_default();
            self.rest = rest.chars();
            let fits = open && (key == DEFAULT || key == name || key == exact);
            open &= !fits;
            mark = Some(self.body(fits));
        }
    }

    /// The argument that the next character names.
    fn argument(&mut self) -> Argument<'a> {
        let index = self.rest.next().and_then(|digit| digit.to_digit(10)).unwrap_or_default();
        self.arguments.get(index as usize).copied().unwrap_or(Argument::Text(""))
    }

    fn write(&mut self, argument: Argument<'_>, grouped: bool) {
        match argument {
            Argument::Text(text) => self.out.push_str(text),
            Argument::Number(n) if grouped => {
                number::push_grouped(&mut self.out, n, self.words.lang);
            }
            Argument::Number(n) => self.out.push_str(&n.to_string()),
        }
    }
}
