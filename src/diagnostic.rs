//! Errors with a place: what every reader of outside text returns.

use crate::text::Span;

/// One located error. Its words come from the message catalogue by the problem's id, so that
/// they can be said in the reader's language.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Diagnostic {
    /// Where, in the file that was read.
    pub span: Span,
    /// The catalogue's id of the message, such as `script-unknown-name`.
    pub problem: &'static str,
    /// What stood there.
    pub found: String,
    /// What should stand there, where the message says so: an id of the catalogue that begins
    /// with `expected-`, or the text itself.
    pub expected: String,
}

impl Diagnostic {
    /// An error at a place.
    pub fn new(span: Span, problem: &'static str, found: impl Into<String>) -> Self {
        Self { span, problem, found: found.into(), expected: String::new() }
    }

    /// The same error with what should stand there.
    pub fn expecting(self, expected: impl Into<String>) -> Self {
        Self { expected: expected.into(), ..self }
    }
}
