//! Finding the next statement after an error.

use super::cursor::{Parse, Parser};
use crate::script::lexer::TokenKind;
use crate::script::problem::Problem;

impl Parser<'_> {
    /// Reads a statement that begins at the current place, or skips it.
    pub(super) fn recover<T>(&mut self, read: impl FnOnce(&mut Self) -> Parse<T>) -> Option<T> {
        let start = self.at;
        let around = self.around;
        if let Ok(read) = read(self) {
            return Some(read);
        }
        self.around = around;
        if self.is_hopeless() {
            self.at = self.lexemes.len();
        }
        self.skip_statement(start);
        None
    }

    /// Skips the rest of the statement that began at lexeme `start`: to its `;`, to the end of
    /// its block, or to a line that begins no deeper than the statement itself.
    fn skip_statement(&mut self, start: usize) {
        let mut open = (start..self.at).fold(0, |open, at| self.open_after(open, at));
        let margin = self.column(start);
        while let Some(lexeme) = self.lexemes.get(self.at) {
            let text = self.ahead(0);
            let closes = matches!(text, ")" | "]" | "}");
            let dedented = lexeme.line_start && self.at > start && {
                let column = self.column(self.at);
                column < margin || (column == margin && !closes)
            };
            if dedented || (open == 0 && text == "}") {
                break;
            }
            let ends = open == 0 && self.at > start && lexeme.line_start && !closes;
            if ends {
                break;
            }
            open = self.open_after(open, self.at);
            self.at += 1;
            if open == 0 && text == ";" {
                break;
            }
        }
    }

    /// How many brackets are open after one more lexeme; strays do not count.
    fn open_after(&self, open: u32, at: usize) -> u32 {
        let kind = self.lexemes.get(at).map(|lexeme| lexeme.token.kind);
        match (kind, self.lexeme_text(at)) {
            (Some(TokenKind::Punct), "(" | "[" | "{") | (Some(TokenKind::HoleOpen), _) => open + 1,
            (Some(TokenKind::Punct), ")" | "]" | "}") | (Some(TokenKind::HoleClose), _) => {
                open.saturating_sub(1)
            }
            _ => open,
        }
    }

    /// How far from its line's start a lexeme stands, in bytes.
    fn column(&self, at: usize) -> usize {
        let end = self.lexemes.get(at).map_or(0, |lexeme| lexeme.token.span.start as usize);
        let before = self.text.get(..end).unwrap_or_default();
        before.len() - before.rfind('\n').map_or(0, |newline| newline + 1)
    }

    /// Consumes the end of a statement as JavaScript does: `;`, or nothing where a line ends,
    /// before `}`, and at the end of the text.
    pub(super) fn end_statement(&mut self) {
        if self.eat(";") || self.is("}") {
            return;
        }
        if self.kind() == Some(TokenKind::Unknown) {
            self.refuse(Problem::UnknownCharacter);
        } else if !self.line_start(0) {
            self.refuse(Problem::MissingSemicolon);
        }
    }
}
