//! The parser: its cursor over tokens, and the two entries.

mod expr;
mod interval;
mod references;
mod schema;
mod statement;

use crate::collections::sort;
use std::sync::Arc;

use super::ast::Statement;
use super::error::{SqlError, SqlProblem};
use super::schema::TableDef;
use super::token::{Token, TokenKind, tokens};
use crate::script::ast::{Name, Piece};
use crate::text::Span;

pub(crate) use interval::interval_us;

/// Deepest nesting of parentheses, `NOT` and sub-queries.
const DEPTH_MAX: u32 = 40;

/// Reads one statement. The result is `None` only if there are errors; with errors, a statement
/// may still be there, for further checks, but must not run.
pub fn parse_statement(pieces: &[Piece]) -> (Option<Statement>, Vec<SqlError>) {
    let (tokens, errors) = tokens(pieces);
    let mut parser = Parser { tokens: &tokens, at: 0, depth: 0, errors };
    let statement = match parser.whole_statement() {
        Ok(statement) => Some(statement),
        Err(error) => {
            parser.errors.push(error);
            None
        }
    };
    (statement, parser.finish())
}

/// Reads the tables of a schema. Broken tables are left out, or lack their broken parts.
pub fn parse_schema(pieces: &[Piece]) -> (Vec<TableDef>, Vec<SqlError>) {
    let (tokens, errors) = tokens(pieces);
    let mut parser = Parser { tokens: &tokens, at: 0, depth: 0, errors };
    let tables = parser.whole_schema();
    for token in &tokens {
        if matches!(token.kind, TokenKind::Param(_)) {
            parser.note_at(token.span, SqlProblem::Param, &token.kind.written());
        }
    }
    (tables, parser.finish())
}

type Parsed<T> = Result<T, SqlError>;

struct Parser<'a> {
    tokens: &'a [Token],
    at: usize,
    depth: u32,
    errors: Vec<SqlError>,
}

static END: Token = Token { kind: TokenKind::End, span: Span::new(0, 0) };

impl Parser<'_> {
    fn finish(mut self) -> Vec<SqlError> {
        sort(&mut self.errors);
        self.errors.dedup();
        self.errors
    }

    fn token(&self, ahead: usize) -> &Token {
        self.tokens.get(self.at + ahead).or(self.tokens.last()).unwrap_or(&END)
    }

    fn span(&self) -> Span {
        self.token(0).span
    }

    /// From the start of `start` to the end of what was read last.
    fn since(&self, start: Span) -> Span {
        let last = self.at.checked_sub(1).and_then(|at| self.tokens.get(at));
        last.map_or(start, |token| start.to(token.span))
    }

    fn advance(&mut self) {
        if self.at + 1 < self.tokens.len() {
            self.at += 1;
        }
    }

    fn is_end(&self) -> bool {
        self.token(0).kind == TokenKind::End
    }

    fn is_word(&self, ahead: usize, word: &str) -> bool {
        matches!(&self.token(ahead).kind, TokenKind::Word(found) if &**found == word)
    }

    fn is_sign(&self, ahead: usize, sign: &str) -> bool {
        matches!(&self.token(ahead).kind, TokenKind::Sign(found) if *found == sign)
    }

    /// Whether the next words are these.
    fn are_words(&self, words: &[&str]) -> bool {
        words.iter().enumerate().all(|(ahead, word)| self.is_word(ahead, word))
    }

    fn eat_words(&mut self, words: &[&str]) -> bool {
        let found = self.are_words(words);
        if found {
            words.iter().for_each(|_| self.advance());
        }
        found
    }

    fn eat_word(&mut self, word: &str) -> bool {
        self.eat_words(&[word])
    }

    fn eat_sign(&mut self, sign: &str) -> bool {
        let found = self.is_sign(0, sign);
        if found {
            self.advance();
        }
        found
    }

    fn word(&mut self, word: &str) -> Parsed<()> {
        if self.eat_word(word) { Ok(()) } else { Err(self.unexpected()) }
    }

    fn sign(&mut self, sign: &str) -> Parsed<()> {
        if self.eat_sign(sign) { Ok(()) } else { Err(self.unexpected()) }
    }

    fn error(&self, problem: SqlProblem) -> SqlError {
        let token = self.token(0);
        let found = token.kind.written().chars().take(40).collect();
        SqlError { span: token.span, problem, found }
    }

    fn unexpected(&self) -> SqlError {
        let end = self.is_end();
        self.error(if end { SqlProblem::UnexpectedEnd } else { SqlProblem::Unexpected })
    }

    /// Notes a mistake and goes on.
    fn note(&mut self, problem: SqlProblem) {
        let error = self.error(problem);
        self.errors.push(error);
    }

    fn note_at(&mut self, span: Span, problem: SqlProblem, found: &str) {
        let found = found.chars().take(40).collect();
        self.errors.push(SqlError { span, problem, found });
    }

    /// An identifier: a word that is not reserved, or any word in double quotes.
    fn name(&mut self) -> Parsed<Name> {
        let span = self.span();
        let text: Arc<str> = match &self.token(0).kind {
            TokenKind::Word(word) if RESERVED.contains(&&**word) => {
                return Err(self.error(SqlProblem::Reserved));
            }
            TokenKind::Word(word) | TokenKind::Quoted(word) => Arc::clone(word),
            _ => return Err(self.unexpected()),
        };
        self.advance();
        Ok(Name { text, span })
    }

    /// `(a, b)`.
    fn names_in_parentheses(&mut self) -> Parsed<Vec<Name>> {
        self.sign("(")?;
        let mut names = vec![self.name()?];
        while self.eat_sign(",") {
            names.push(self.name()?);
        }
        self.sign(")")?;
        Ok(names)
    }

    /// Runs a rule one level deeper, within the bound on nesting.
    fn deeper<T>(&mut self, rule: impl FnOnce(&mut Self) -> Parsed<T>) -> Parsed<T> {
        if self.depth >= DEPTH_MAX {
            return Err(self.error(SqlProblem::TooDeep));
        }
        self.depth += 1;
        let result = rule(self);
        self.depth -= 1;
        result
    }

    /// Moves past the rest of a clause: up to a closing parenthesis of an outer level, a `;`, the
    /// end, or what `stop` accepts at this level.
    fn skip(&mut self, stop: impl Fn(&Self) -> bool) {
        let mut open = 0u32;
        while !self.is_end() && !self.is_sign(0, ";") {
            if open == 0 && (self.is_sign(0, ")") || stop(self)) {
                return;
            }
            if self.is_sign(0, "(") {
                open += 1;
            } else if self.is_sign(0, ")") {
                open -= 1;
            }
            self.advance();
        }
    }
}

/// Words that PostgreSQL does not take as a plain column or table name.
const RESERVED: [&str; 79] = [
    "all",
    "analyse",
    "analyze",
    "and",
    "any",
    "array",
    "as",
    "asc",
    "asymmetric",
    "both",
    "case",
    "cast",
    "check",
    "collate",
    "column",
    "constraint",
    "create",
    "current_catalog",
    "current_date",
    "current_role",
    "current_time",
    "current_timestamp",
    "current_user",
    "default",
    "deferrable",
    "desc",
    "distinct",
    "do",
    "else",
    "end",
    "except",
    "false",
    "fetch",
    "for",
    "foreign",
    "from",
    "grant",
    "group",
    "having",
    "in",
    "initially",
    "intersect",
    "into",
    "join",
    "lateral",
    "leading",
    "left",
    "like",
    "limit",
    "localtime",
    "localtimestamp",
    "not",
    "null",
    "offset",
    "on",
    "only",
    "or",
    "order",
    "placing",
    "primary",
    "references",
    "returning",
    "right",
    "select",
    "session_user",
    "some",
    "symmetric",
    "table",
    "then",
    "to",
    "trailing",
    "true",
    "union",
    "unique",
    "user",
    "using",
    "when",
    "where",
    "with",
];
