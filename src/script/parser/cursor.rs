//! The parser's state: the tokens, the place among them, and what surrounds the place.

use std::sync::Arc;

use crate::script::ast::{Moment, Name};
use crate::script::lexer::{self, Token, TokenKind};
use crate::script::problem::{Problem, SyntaxError};
use crate::text::Span;

/// How deep expressions and blocks may nest.
const MAX_DEPTH: u32 = 64;
/// How high the tree of one expression may grow; a chain of operators nests to the left.
const MAX_HEIGHT: u32 = 256;
/// After so many errors reading stops.
const MAX_ERRORS: usize = 100;

/// The current statement cannot be read further; its error is recorded.
pub(super) struct Halt;

/// A part of the text that was read, or the reason to skip to the next statement.
pub(super) type Parse<T> = Result<T, Halt>;

/// A token that is not a comment.
#[derive(Clone, Copy)]
pub(super) struct Lexeme {
    pub(super) token: Token,
    /// Whether a line ends between the token before and this one.
    pub(super) line_start: bool,
    /// For a bracket, where its partner stands among the lexemes.
    pub(super) partner: Option<usize>,
}

/// What surrounds the statement being read.
#[derive(Clone, Copy, Default)]
pub(super) struct Surroundings {
    pub(super) in_function: bool,
    pub(super) in_async: bool,
    pub(super) in_loop: bool,
}

pub(super) struct Parser<'a> {
    pub(super) text: &'a str,
    pub(super) lexemes: Vec<Lexeme>,
    /// The lexeme to be read next.
    pub(super) at: usize,
    pub(super) errors: Vec<SyntaxError>,
    pub(super) moments: Vec<Moment>,
    pub(super) around: Surroundings,
    /// The last expression that was read in parentheses, these included.
    pub(super) parenthesised: Option<Span>,
    depth: u32,
    height: u32,
}

impl<'a> Parser<'a> {
    pub(super) fn new(text: &'a str) -> Self {
        let mut parser = Self {
            text,
            lexemes: Vec::new(),
            at: 0,
            errors: Vec::new(),
            moments: Vec::new(),
            around: Surroundings::default(),
            parenthesised: None,
            depth: 0,
            height: 0,
        };
        parser.take_tokens();
        parser.pair_brackets();
        parser
    }

    /// Sorts the tokens into lexemes, moments and mere comments.
    fn take_tokens(&mut self) {
        let mut end = 0;
        let mut line_start = true;
        for token in lexer::tokens(self.text) {
            line_start |= self.slice(Span::new(end, token.span.start)).contains(lexer::ends_line);
            end = token.span.end;
            match token.kind {
                TokenKind::Comment => {
                    self.take_moment(token.span);
                    line_start |= self.slice(token.span).contains(lexer::ends_line);
                }
                TokenKind::UnclosedComment => self.error(Problem::UnclosedComment, token.span),
                _ => {
                    self.lexemes.push(Lexeme { token, line_start, partner: None });
                    line_start = false;
                }
            }
        }
    }

    fn take_moment(&mut self, span: Span) {
        let text = self.slice(span);
        let Some(name) =
            text.strip_prefix("//").and_then(|text| text.trim().strip_prefix("moment:"))
        else {
            return;
        };
        let name = name.trim();
        if name.is_empty() || !name.chars().all(|c| c.is_alphanumeric() || c == '-') {
            return self.error(Problem::BadMoment, span);
        }
        self.moments.push(Moment { name: name.into(), span });
    }

    fn pair_brackets(&mut self) {
        let mut open: Vec<usize> = Vec::new();
        for at in 0..self.lexemes.len() {
            let closes = match (self.lexemes[at].token.kind, self.lexeme_text(at)) {
                (TokenKind::Punct, "(" | "[" | "{") | (TokenKind::HoleOpen, _) => {
                    open.push(at);
                    continue;
                }
                (TokenKind::Punct, ")") => "(",
                (TokenKind::Punct, "]") => "[",
                (TokenKind::Punct, "}") => "{",
                (TokenKind::HoleClose, _) => "${",
                _ => continue,
            };
            if let Some(partner) = open.pop_if(|partner| self.lexeme_text(*partner) == closes) {
                self.lexemes[at].partner = Some(partner);
                self.lexemes[partner].partner = Some(at);
            }
        }
    }

    pub(super) fn slice(&self, span: Span) -> &'a str {
        self.text.get(span.start as usize..span.end as usize).unwrap_or_default()
    }

    pub(super) fn lexeme_text(&self, at: usize) -> &'a str {
        self.lexemes.get(at).map_or("", |lexeme| self.slice(lexeme.token.span))
    }

    /// What the next token is; none at the end of the text.
    pub(super) fn kind(&self) -> Option<TokenKind> {
        self.lexemes.get(self.at).map(|lexeme| lexeme.token.kind)
    }

    /// The text of a word or a mark some lexemes ahead; empty for other tokens and at the end.
    pub(super) fn ahead(&self, count: usize) -> &'a str {
        let at = self.at + count;
        match self.lexemes.get(at).map(|lexeme| lexeme.token.kind) {
            Some(TokenKind::Keyword | TokenKind::Name | TokenKind::Punct) => self.lexeme_text(at),
            _ => "",
        }
    }

    /// Whether the lexeme some places ahead begins its line, or there is none.
    pub(super) fn line_start(&self, count: usize) -> bool {
        self.lexemes.get(self.at + count).is_none_or(|lexeme| lexeme.line_start)
    }

    pub(super) fn is(&self, text: &str) -> bool {
        self.ahead(0) == text
    }

    pub(super) fn eat(&mut self, text: &str) -> bool {
        let found = self.is(text);
        self.at += usize::from(found);
        found
    }

    /// Consumes a word or mark, or reports that something else stands there.
    pub(super) fn expect(&mut self, text: &str) -> Parse<()> {
        if self.eat(text) {
            return Ok(());
        }
        if matches!(self.ahead(0), ")" | "]" | "}") && self.partner(self.at).is_none() {
            return self.fail_unclosed(self.at);
        }
        self.fail(Problem::Unexpected)
    }

    /// Ends an item of a list: whether a comma follows, and so perhaps another item.
    pub(super) fn eat_comma(&mut self) -> Parse<bool> {
        let item = matches!(
            self.kind(),
            Some(TokenKind::Keyword | TokenKind::Name | TokenKind::Text | TokenKind::Number)
        );
        if item { self.fail(Problem::MissingComma) } else { Ok(self.eat(",")) }
    }

    /// The next token's place; at the end of the text, the last token's.
    pub(super) fn span(&self) -> Span {
        self.lexemes.get(self.at).or(self.lexemes.last()).map_or(Span::default(), |l| l.token.span)
    }

    /// The place of the token that was consumed last.
    pub(super) fn last_span(&self) -> Span {
        let last = self.at.checked_sub(1).and_then(|at| self.lexemes.get(at));
        last.map_or(Span::default(), |lexeme| lexeme.token.span)
    }

    /// From a place to the end of what was consumed.
    pub(super) fn since(&self, start: Span) -> Span {
        start.to(self.last_span())
    }

    /// Consumes a token, whatever it is, and returns its name.
    pub(super) fn take_name(&mut self) -> Name {
        let span = self.span();
        self.at += 1;
        Name { text: Arc::from(self.slice(span)), span }
    }

    /// Whether a word, reserved or not, stands some lexemes ahead.
    pub(super) fn is_word(&self, count: usize) -> bool {
        let kind = self.lexemes.get(self.at + count).map(|lexeme| lexeme.token.kind);
        matches!(kind, Some(TokenKind::Keyword | TokenKind::Name))
    }

    /// Whether a name that is not reserved stands some lexemes ahead.
    pub(super) fn is_name(&self, count: usize) -> bool {
        self.is_word(count) && !lexer::is_reserved(self.ahead(count))
    }

    /// Records an error. A second one at the same place would only repeat the first.
    pub(super) fn error(&mut self, problem: Problem, span: Span) {
        let repeats = self.errors.iter().rev().take(8).any(|e| e.span.start == span.start);
        if repeats || self.is_hopeless() {
            return;
        }
        self.errors.push(SyntaxError { span, problem, found: shorten(self.slice(span)) });
    }

    /// Whether so many errors are recorded that reading further would not help.
    pub(super) fn is_hopeless(&self) -> bool {
        self.errors.len() >= MAX_ERRORS
    }

    /// Records an error at the next token.
    pub(super) fn refuse(&mut self, problem: Problem) {
        self.error(problem, self.span());
    }

    /// Records that the next token cannot stand where it stands, and gives the statement up.
    pub(super) fn fail<T>(&mut self, problem: Problem) -> Parse<T> {
        let problem = match self.kind() {
            None => return self.fail_unclosed(self.lexemes.len()),
            Some(TokenKind::Unknown) => Problem::UnknownCharacter,
            Some(TokenKind::UnclosedText) => Problem::UnclosedText,
            Some(TokenKind::Regex) => Problem::Regex,
            Some(_) => problem,
        };
        self.refuse(problem);
        Err(Halt)
    }

    fn partner(&self, at: usize) -> Option<usize> {
        self.lexemes.get(at).and_then(|lexeme| lexeme.partner)
    }

    /// Records which bracket before lexeme `end` lacks its partner, and gives the statement up.
    fn fail_unclosed<T>(&mut self, end: usize) -> Parse<T> {
        let unpaired = |at: &usize| {
            let kind = self.lexemes[*at].token.kind;
            let bracket = matches!(kind, TokenKind::Punct | TokenKind::HoleOpen)
                && matches!(self.lexeme_text(*at), "(" | "[" | "{" | "${");
            bracket && self.partner(*at).is_none()
        };
        let open = (0..end).rev().find(unpaired);
        match open.map(|at| self.lexemes[at].token.span) {
            Some(span) => self.error(Problem::Unclosed, span),
            None if self.kind().is_some() => self.refuse(Problem::Unexpected),
            None => self.refuse(Problem::UnexpectedEnd),
        }
        Err(Halt)
    }

    /// Reads something nested one level deeper, unless that is too deep.
    pub(super) fn nested<T>(&mut self, read: impl FnOnce(&mut Self) -> Parse<T>) -> Parse<T> {
        if self.depth >= MAX_DEPTH {
            return self.fail(Problem::TooDeep);
        }
        let outside = std::mem::take(&mut self.height);
        self.depth += 1;
        let result = read(self);
        self.depth -= 1;
        let grown = self.grow();
        self.height = self.height.max(outside);
        grown.and(result)
    }

    /// Counts one more level above all that the current `nested` has read so far.
    pub(super) fn grow(&mut self) -> Parse<()> {
        self.height += 1;
        if self.height > MAX_HEIGHT { self.fail(Problem::TooDeep) } else { Ok(()) }
    }
}

/// The beginning of a text, at most 40 characters and one line of it.
fn shorten(text: &str) -> String {
    let line = text.lines().next().unwrap_or_default();
    if line.chars().count() <= 40 && line.len() == text.trim_end().len() {
        return line.to_owned();
    }
    line.chars().take(39).chain(['…']).collect()
}
