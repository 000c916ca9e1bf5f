//! `SELECT`, `INSERT`, `UPDATE` and `DELETE`.

use super::super::ast::{
    Conflict, ConflictAction, Delete, Expr, Insert, Item, Lock, Order, Select, Source, Statement,
    Update,
};
use super::super::error::SqlProblem;
use super::super::token::TokenKind;
use super::{Parsed, Parser};
use crate::script::ast::Name;
use crate::text::Span;

/// Words that begin a clause which we know, at the level of a statement.
const CLAUSES: [&str; 7] = ["where", "order", "limit", "for", "returning", "from", "set"];

impl Parser<'_> {
    pub(super) fn whole_statement(&mut self) -> Parsed<Statement> {
        if self.is_end() {
            return Err(self.error(SqlProblem::Empty));
        }
        let statement = match &self.token(0).kind {
            TokenKind::Word(word) => match &**word {
                "select" => Statement::Select(self.deeper(Self::select)?),
                "insert" => Statement::Insert(self.insert()?),
                "update" => Statement::Update(self.update()?),
                "delete" => Statement::Delete(self.delete()?),
                _ => return Err(self.error(SqlProblem::Statement)),
            },
            _ => return Err(self.error(SqlProblem::Statement)),
        };
        self.foreign_clause();
        if self.eat_sign(";") && !self.is_end() {
            return Err(self.error(SqlProblem::SecondStatement));
        }
        if self.is_end() { Ok(statement) } else { Err(self.unexpected()) }
    }

    /// Notes clauses outside the subset and moves past them.
    fn foreign_clause(&mut self) {
        const FOREIGN: [&str; 11] = [
            "group",
            "having",
            "offset",
            "fetch",
            "union",
            "intersect",
            "except",
            "window",
            "with",
            "using",
            "collate",
        ];
        const JOINS: [&str; 8] =
            ["join", "inner", "left", "right", "full", "cross", "natural", "lateral"];
        loop {
            let is_one_of = |words: &[&str]| words.iter().any(|word| self.is_word(0, word));
            let problem = if is_one_of(&FOREIGN) {
                SqlProblem::Clause
            } else if is_one_of(&JOINS) || self.is_sign(0, ",") {
                SqlProblem::Join
            } else {
                return;
            };
            self.note(problem);
            self.advance();
            self.skip(|parser| CLAUSES.iter().chain(&FOREIGN).any(|word| parser.is_word(0, word)));
        }
    }

    pub(super) fn select(&mut self) -> Parsed<Select> {
        let start = self.span();
        self.word("select")?;
        if self.is_word(0, "distinct") {
            self.note(SqlProblem::Clause);
            self.advance();
        }
        let items = self.items()?;
        let mut select = Select {
            items,
            from: None,
            filter: None,
            order: Vec::new(),
            limit: None,
            lock: None,
            span: start,
        };
        if self.eat_word("from") {
            select.from = Some(self.source()?);
            self.foreign_clause();
        }
        select.filter = self.filter()?;
        self.foreign_clause();
        if self.eat_words(&["order", "by"]) {
            select.order = self.order()?;
        }
        self.foreign_clause();
        if self.eat_word("limit") {
            select.limit = Some(self.expr()?);
        }
        self.foreign_clause();
        select.lock = self.lock()?;
        select.span = self.since(start);
        Ok(select)
    }

    fn items(&mut self) -> Parsed<Vec<Item>> {
        let mut items = vec![self.item()?];
        while self.eat_sign(",") {
            items.push(self.item()?);
        }
        Ok(items)
    }

    fn item(&mut self) -> Parsed<Item> {
        let span = self.span();
        if self.eat_sign("*") {
            return Ok(Item::All(span));
        }
        let value = self.expr()?;
        // PostgreSQL takes any word after AS, also a reserved one.
        let alias = if self.eat_word("as") {
            let found = match &self.token(0).kind {
                TokenKind::Word(word) | TokenKind::Quoted(word) => word.clone(),
                _ => return Err(self.unexpected()),
            };
            let alias = Name { text: found, span: self.span() };
            self.advance();
            Some(alias)
        } else {
            None
        };
        Ok(Item::Value(value, alias))
    }

    fn source(&mut self) -> Parsed<Source> {
        if self.is_sign(0, "(") {
            return Err(self.error(SqlProblem::Join));
        }
        let table = self.name()?;
        let named = self.eat_word("as");
        let clause_word = match &self.token(0).kind {
            TokenKind::Word(word) => NO_ALIAS.contains(&&**word),
            TokenKind::Quoted(_) => false,
            _ => true,
        };
        let alias = if named || !clause_word { Some(self.name()?) } else { None };
        Ok(Source { table, alias })
    }

    fn filter(&mut self) -> Parsed<Option<Expr>> {
        if self.eat_word("where") { self.expr().map(Some) } else { Ok(None) }
    }

    fn order(&mut self) -> Parsed<Vec<Order>> {
        let mut order = Vec::new();
        loop {
            let value = self.expr()?;
            let descending = self.eat_word("desc");
            if !descending {
                self.eat_word("asc");
            }
            if self.is_word(0, "nulls") {
                self.note(SqlProblem::Clause);
                self.advance();
                self.advance();
            }
            order.push(Order { value, descending });
            if !self.eat_sign(",") {
                return Ok(order);
            }
        }
    }

    fn lock(&mut self) -> Parsed<Option<Lock>> {
        if !self.is_word(0, "for") {
            return Ok(None);
        }
        if !self.eat_words(&["for", "update"]) {
            return Err(self.error(SqlProblem::Clause));
        }
        if self.is_word(0, "of") {
            return Err(self.error(SqlProblem::Clause));
        }
        Ok(Some(if self.eat_words(&["skip", "locked"]) {
            Lock::SkipLocked
        } else if self.eat_word("nowait") {
            Lock::NoWait
        } else {
            Lock::Wait
        }))
    }

    fn returning(&mut self) -> Parsed<Vec<Item>> {
        if self.eat_word("returning") { self.items() } else { Ok(Vec::new()) }
    }

    fn insert(&mut self) -> Parsed<Insert> {
        let start = self.span();
        self.advance();
        self.word("into")?;
        let table = self.name()?;
        if !self.is_sign(0, "(") {
            return Err(self.error(SqlProblem::InsertColumns));
        }
        let columns = self.names_in_parentheses()?;
        if self.is_word(0, "default") {
            return Err(self.error(SqlProblem::Clause));
        }
        let (mut rows, mut query) = (Vec::new(), None);
        if self.is_word(0, "select") {
            query = Some(Box::new(self.deeper(Self::select)?));
        } else {
            rows = self.values()?;
        }
        let conflict = self.conflict()?;
        let returning = self.returning()?;
        Ok(Insert { table, columns, rows, query, conflict, returning, span: self.since(start) })
    }

    fn values(&mut self) -> Parsed<Vec<Vec<Expr>>> {
        self.word("values")?;
        let mut rows = Vec::new();
        loop {
            self.sign("(")?;
            rows.push(self.expressions()?);
            self.sign(")")?;
            if !self.eat_sign(",") {
                return Ok(rows);
            }
        }
    }

    fn conflict(&mut self) -> Parsed<Option<Conflict>> {
        if !self.eat_words(&["on", "conflict"]) {
            return Ok(None);
        }
        if self.is_word(0, "on") {
            return Err(self.error(SqlProblem::Clause));
        }
        let target = if self.is_sign(0, "(") { self.names_in_parentheses()? } else { Vec::new() };
        self.word("do")?;
        if self.eat_word("nothing") {
            return Ok(Some(Conflict { target, action: ConflictAction::Nothing }));
        }
        if target.is_empty() {
            // PostgreSQL must know which key DO UPDATE is about.
            self.note(SqlProblem::NoSuchKey);
        }
        self.word("update")?;
        self.word("set")?;
        let set = self.assignments()?;
        let filter = self.filter()?;
        Ok(Some(Conflict { target, action: ConflictAction::Update { set, filter } }))
    }

    fn assignments(&mut self) -> Parsed<Vec<(Name, Expr)>> {
        let mut set = Vec::new();
        loop {
            let column = self.name()?;
            self.sign("=")?;
            set.push((column, self.expr()?));
            if !self.eat_sign(",") {
                return Ok(set);
            }
        }
    }

    fn update(&mut self) -> Parsed<Update> {
        let start = self.span();
        self.advance();
        let source = self.source()?;
        self.word("set")?;
        let set = self.assignments()?;
        if self.is_word(0, "from") {
            self.note(SqlProblem::Join);
            self.advance();
            self.skip(|parser| parser.is_word(0, "where"));
        }
        let filter = self.filter()?;
        let returning = self.returning()?;
        let span: Span = self.since(start);
        Ok(Update { source, set, filter, returning, span })
    }

    fn delete(&mut self) -> Parsed<Delete> {
        let start = self.span();
        self.advance();
        self.word("from")?;
        let source = self.source()?;
        self.foreign_clause();
        let filter = self.filter()?;
        let returning = self.returning()?;
        Ok(Delete { source, filter, returning, span: self.since(start) })
    }
}

/// Words after a table's name that begin something else than an alias.
const NO_ALIAS: [&str; 24] = [
    "where",
    "order",
    "limit",
    "for",
    "returning",
    "set",
    "group",
    "having",
    "offset",
    "fetch",
    "union",
    "intersect",
    "except",
    "window",
    "join",
    "inner",
    "left",
    "right",
    "full",
    "cross",
    "natural",
    "using",
    "on",
    "with",
];
