//! Reads a scene file into its syntax tree, by recursive descent.
//!
//! Accepts a strict subset of JavaScript, with JavaScript's own precedence and line-end rules.
//! What is outside the subset is refused by name; after an error the parser goes on with the
//! next statement, so that one reading reports all that is wrong.

mod cursor;
mod declaration;
mod expression;
mod literal;
mod object;
mod pattern;
mod recovery;
mod statement;
mod template;

use crate::collections::sort_by;
use crate::text::{LineIndex, Span};

use super::ast::Module;
use super::problem::{Problem, SyntaxError};
use cursor::Parser;

/// The largest text that is read, in bytes.
pub const MAX_BYTES: usize = 256 * 1024;

/// A text that has been read.
#[derive(Clone, Debug)]
pub struct Parsed {
    /// The tree; complete only if there are no errors.
    pub module: Module,
    /// All that was refused, in order of place.
    pub errors: Vec<SyntaxError>,
    /// Lines and columns of the text.
    pub lines: LineIndex,
}

/// Reads a scene file. Always ends, and never fails: what cannot be read is in `errors`.
pub fn parse(text: &str) -> Parsed {
    let lines = LineIndex::new(text);
    if text.len() > MAX_BYTES {
        let found = text.len().to_string();
        let error = SyntaxError { span: Span::default(), problem: Problem::TooLarge, found };
        return Parsed { module: Module::default(), errors: vec![error], lines };
    }
    let mut parser = Parser::new(text);
    let module = parser.module();
    let mut errors = parser.errors;
    sort_by(&mut errors, |a, b| a.span.cmp(&b.span));
    Parsed { module, errors, lines }
}

#[cfg(test)]
mod tests;
