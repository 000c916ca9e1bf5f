//! Cuts the pieces of a `sql` template into tokens; parameters are tokens between pieces.

use std::sync::Arc;

use super::error::{SqlError, SqlProblem};
use crate::script::ast::Piece;
use crate::text::Span;

/// Most tokens of one template: bounds the depth of any tree made of them.
const TOKENS_MAX: usize = 4_000;

/// A token with its place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Token {
    pub(super) kind: TokenKind,
    pub(super) span: Span,
}

/// The kinds of token.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum TokenKind {
    /// An unquoted word, in lower case as PostgreSQL folds it.
    Word(Arc<str>),
    /// A word in double quotes, never a keyword.
    Quoted(Arc<str>),
    Int(i64),
    Text(Arc<str>),
    /// `$n`.
    Param(u32),
    Sign(&'static str),
    End,
}

impl TokenKind {
    /// The token as it would be written, for messages.
    pub(super) fn written(&self) -> String {
        match self {
            Self::Word(word) => word.to_string(),
            Self::Quoted(word) => format!("\"{word}\""),
            Self::Int(value) => value.to_string(),
            Self::Text(text) => format!("'{text}'"),
            Self::Param(_) => "${…}".to_owned(),
            Self::Sign(sign) => (*sign).to_owned(),
            Self::End => String::new(),
        }
    }
}

/// Signs, longest first where one begins another.
const SIGNS: [&str; 22] = [
    "->>", "::", "->", "||", "<>", "!=", "<=", ">=", "=", "<", ">", "+", "-", "*", "%", "/", "(",
    ")", ",", ".", ";", "[",
];

/// All tokens, the last being `End`; and what could not be read.
pub(super) fn tokens(pieces: &[Piece]) -> (Vec<Token>, Vec<SqlError>) {
    let mut lexer = Lexer { tokens: Vec::new(), errors: Vec::new() };
    let mut end = Span::default();
    for (number, piece) in (0u32..).zip(pieces) {
        if number > 0 {
            let span = Span::new(end.end, piece.offset.max(end.end));
            lexer.tokens.push(Token { kind: TokenKind::Param(number), span });
        }
        lexer.piece(piece);
        let after = piece.offset.saturating_add(u32::try_from(piece.text.len()).unwrap_or(0));
        end = Span::new(after, after);
    }
    if let Some(token) = lexer.tokens.get(TOKENS_MAX).cloned() {
        lexer.errors.push(SqlError {
            span: token.span,
            problem: SqlProblem::TooLong,
            found: token.kind.written(),
        });
        lexer.tokens.truncate(TOKENS_MAX);
    }
    lexer.tokens.push(Token { kind: TokenKind::End, span: end });
    (lexer.tokens, lexer.errors)
}

struct Lexer {
    tokens: Vec<Token>,
    errors: Vec<SqlError>,
}

impl Lexer {
    fn piece(&mut self, piece: &Piece) {
        let mut rest: &str = &piece.text;
        while let Some(first) = rest.chars().next() {
            let start = piece.text.len() - rest.len();
            let length = self.one(rest, first, &|from, to| {
                let at = |byte: usize| {
                    piece.offset.saturating_add(u32::try_from(start + byte).unwrap_or(u32::MAX))
                };
                Span::new(at(from), at(to))
            });
            rest = rest.get(length.max(first.len_utf8())..).unwrap_or("");
        }
    }

    /// Reads one token or gap at the start of `rest`; its length in bytes.
    fn one(&mut self, rest: &str, first: char, span: &dyn Fn(usize, usize) -> Span) -> usize {
        if first.is_whitespace() {
            return first.len_utf8();
        }
        if rest.starts_with("--") {
            return rest.find('\n').unwrap_or(rest.len());
        }
        if rest.starts_with("/*") {
            return self.comment(rest, span);
        }
        if first == '\'' || first == '"' {
            return self.quoted(rest, first, span);
        }
        if first.is_ascii_digit() {
            return self.number(rest, span);
        }
        if first.is_alphabetic() || first == '_' {
            let length = word_length(rest);
            let word = rest.get(..length).unwrap_or("").to_ascii_lowercase();
            self.push(TokenKind::Word(word.into()), span(0, length));
            return length;
        }
        if first == '$' {
            let length = 1 + rest.chars().skip(1).take_while(char::is_ascii_digit).count();
            return self.refuse(rest, length, SqlProblem::HandwrittenParam, span);
        }
        if let Some(sign) = SIGNS.iter().chain(&["]"]).find(|sign| rest.starts_with(**sign)) {
            let shown = if *sign == "!=" { "<>" } else { sign };
            self.push(TokenKind::Sign(shown), span(0, sign.len()));
            return sign.len();
        }
        self.refuse(rest, first.len_utf8(), SqlProblem::Character, span)
    }

    fn push(&mut self, kind: TokenKind, span: Span) {
        self.tokens.push(Token { kind, span });
    }

    fn refuse(
        &mut self,
        rest: &str,
        length: usize,
        problem: SqlProblem,
        span: &dyn Fn(usize, usize) -> Span,
    ) -> usize {
        let found = rest.get(..length).unwrap_or("").chars().take(40).collect();
        self.errors.push(SqlError { span: span(0, length), problem, found });
        length
    }

    /// A block comment; they nest in PostgreSQL.
    fn comment(&mut self, rest: &str, span: &dyn Fn(usize, usize) -> Span) -> usize {
        let mut depth = 0u32;
        let mut at = 0;
        while let Some(tail) = rest.get(at..).filter(|tail| !tail.is_empty()) {
            if tail.starts_with("/*") {
                depth += 1;
                at += 2;
            } else if tail.starts_with("*/") {
                depth -= 1;
                at += 2;
                if depth == 0 {
                    return at;
                }
            } else {
                at += tail.chars().next().map_or(1, char::len_utf8);
            }
        }
        self.refuse(rest, rest.len(), SqlProblem::UnclosedComment, span)
    }

    /// `'text'` or `"name"`; the quote is doubled inside.
    fn quoted(&mut self, rest: &str, quote: char, span: &dyn Fn(usize, usize) -> Span) -> usize {
        let mut text = String::new();
        let mut chars = rest.char_indices().skip(1).peekable();
        while let Some((at, character)) = chars.next() {
            if character != quote {
                text.push(character);
            } else if chars.next_if(|(_, next)| *next == quote).is_some() {
                text.push(quote);
            } else {
                let text: Arc<str> = text.into();
                let kind =
                    if quote == '"' { TokenKind::Quoted(text) } else { TokenKind::Text(text) };
                self.push(kind, span(0, at + 1));
                return at + 1;
            }
        }
        self.refuse(rest, rest.len(), SqlProblem::UnclosedText, span)
    }

    fn number(&mut self, rest: &str, span: &dyn Fn(usize, usize) -> Span) -> usize {
        let length = rest
            .find(|character: char| !(character.is_alphanumeric() || "._".contains(character)))
            .unwrap_or(rest.len());
        let digits = rest.get(..length).unwrap_or("");
        match digits.parse::<i64>() {
            Ok(value) if value < 1 << 53 => {
                self.push(TokenKind::Int(value), span(0, length));
                length
            }
            _ => {
                // A stand-in keeps the parser going after the complaint.
                self.push(TokenKind::Int(0), span(0, length));
                self.refuse(rest, length, SqlProblem::Number, span)
            }
        }
    }
}

fn word_length(rest: &str) -> usize {
    rest.find(|character: char| {
        !(character.is_alphanumeric() || character == '_' || character == '$')
    })
    .unwrap_or(rest.len())
}
