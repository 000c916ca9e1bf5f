//! Checks a statement against the tables it will meet: names, counts, and where aggregates,
//! locks and defaults may stand. Types are judged in `types`.

mod types;

use crate::collections::sort;
use std::sync::Arc;

use super::ast::{
    Conflict, ConflictAction, Expr, ExprKind, Function, Insert, Item, Select, Source, Statement,
};
use super::error::{SqlError, SqlProblem};
use super::schema::{SequenceKind, TableDef};
use crate::script::ast::Name;
use crate::text::Span;

/// What PostgreSQL would refuse in this statement, given these tables.
///
/// Types of parameters are not known here: an array outside `ANY(…)` fails when it runs.
pub fn check(statement: &Statement, tables: &[TableDef]) -> Vec<SqlError> {
    let mut checker = Checker { tables, errors: Vec::new() };
    checker.statement(statement);
    sort(&mut checker.errors);
    checker.errors.dedup();
    checker.errors
}

/// Checks the defaults, checks and index conditions of tables, which `parse_schema` cannot.
pub fn check_tables(tables: &[TableDef]) -> Vec<SqlError> {
    let mut checker = Checker { tables, errors: Vec::new() };
    for table in tables {
        let scope = Scope { name: &table.name.text, table: Some(table), ..NO_SCOPE };
        for column in &table.columns {
            if let Some(default) = &column.default {
                checker.plain(default, &NO_SCOPE);
                checker.assigned(default, column.ty, &NO_SCOPE);
            }
        }
        let filters = table.keys.iter().filter_map(|key| key.filter.as_ref());
        for condition in table.checks.iter().map(|check| &check.condition).chain(filters) {
            checker.condition(condition, &scope);
        }
    }
    checker.errors
}

struct Checker<'a> {
    tables: &'a [TableDef],
    errors: Vec<SqlError>,
}

/// The rows whose columns an expression can name, the nearest first.
#[derive(Clone, Copy)]
struct Scope<'a> {
    name: &'a str,
    /// `None` if there is no row, or its table is unknown and complained of already.
    table: Option<&'a TableDef>,
    /// Names of an unknown table are not complained of one by one.
    lenient: bool,
    outer: Option<&'a Scope<'a>>,
    /// The row that was to be inserted, in `ON CONFLICT DO UPDATE`.
    excluded: bool,
}

const NO_SCOPE: Scope<'static> =
    Scope { name: "", table: None, lenient: false, outer: None, excluded: false };

impl<'a> Checker<'a> {
    fn note(&mut self, span: Span, problem: SqlProblem, found: &str) {
        let found = found.chars().take(40).collect();
        self.errors.push(SqlError { span, problem, found });
    }

    fn table(&mut self, name: &Name) -> Option<&'a TableDef> {
        let found = self.tables.iter().find(|table| table.name.text == name.text);
        if found.is_none() {
            self.note(name.span, SqlProblem::UnknownTable, &name.text);
        }
        found
    }

    fn scope<'s>(&mut self, source: &'s Source, outer: Option<&'s Scope<'s>>) -> Scope<'s>
    where
        'a: 's,
    {
        let table = self.table(&source.table);
        Scope { name: source.called(), table, lenient: table.is_none(), outer, excluded: false }
    }

    fn statement(&mut self, statement: &Statement) {
        match statement {
            Statement::Select(select) => self.select(select, None, true),
            Statement::Insert(insert) => self.insert(insert),
            Statement::Update(update) => {
                let scope = self.scope(&update.source, None);
                self.assignments(&update.set, &scope);
                self.filter(update.filter.as_ref(), &scope, true);
                self.returning(&update.returning, &scope);
            }
            Statement::Delete(delete) => {
                let scope = self.scope(&delete.source, None);
                self.filter(delete.filter.as_ref(), &scope, true);
                self.returning(&delete.returning, &scope);
            }
        }
    }

    fn select(&mut self, select: &Select, outer: Option<&Scope<'_>>, may_lock: bool) {
        let scope = match &select.from {
            Some(source) => self.scope(source, outer),
            None => Scope { outer, ..NO_SCOPE },
        };
        let aggregate = select
            .items
            .iter()
            .any(|item| matches!(item, Item::Value(value, _) if value.has_aggregate()));
        for item in &select.items {
            match item {
                Item::All(span) if select.from.is_none() => {
                    self.note(*span, SqlProblem::Unexpected, "*");
                }
                Item::All(span) if aggregate => {
                    self.note(*span, SqlProblem::MixedAggregate, "*");
                }
                Item::All(_) => {}
                Item::Value(value, _) => {
                    self.expression(value, &scope);
                    if aggregate {
                        self.aggregated(value);
                    }
                }
            }
        }
        self.filter(select.filter.as_ref(), &scope, false);
        for order in &select.order {
            if aggregate {
                self.note(order.value.span, SqlProblem::MixedAggregate, "ORDER BY");
            } else if !names_output(select, &order.value) {
                self.plain(&order.value, &scope);
            }
        }
        if let Some(limit) = &select.limit {
            self.plain(limit, &NO_SCOPE);
        }
        let unlockable = aggregate || select.from.is_none() || !may_lock;
        if select.lock.is_some() && unlockable {
            self.note(select.span, SqlProblem::LockedRows, "FOR UPDATE");
        }
    }

    /// In a query with aggregates a column may stand only inside one.
    fn aggregated(&mut self, expr: &Expr) {
        match &expr.kind {
            ExprKind::Column(_, name) => {
                self.note(expr.span, SqlProblem::MixedAggregate, &name.text);
            }
            ExprKind::Call(function, arguments) if function.is_aggregate() => {
                for argument in arguments.iter().filter(|argument| argument.has_aggregate()) {
                    self.note(argument.span, SqlProblem::Aggregate, function.name());
                }
            }
            _ => expr.children().into_iter().for_each(|inner| self.aggregated(inner)),
        }
    }

    fn insert(&mut self, insert: &Insert) {
        let table = self.table(&insert.table);
        for (at, name) in insert.columns.iter().enumerate() {
            if insert.columns.iter().take(at).any(|other| other.text == name.text) {
                self.note(name.span, SqlProblem::DuplicateColumn, &name.text);
            }
            if table.is_some_and(|table| table.column(&name.text).is_none()) {
                self.note(name.span, SqlProblem::UnknownColumn, &name.text);
            }
        }
        for row in &insert.rows {
            self.inserted_row(insert, table, row);
        }
        if let Some(query) = &insert.query {
            self.inserted_query(insert, table, query);
        }
        let source = Source { table: insert.table.clone(), alias: None };
        let scope = Scope { name: source.called(), table, lenient: table.is_none(), ..NO_SCOPE };
        if let (Some(conflict), Some(table)) = (&insert.conflict, table) {
            self.conflict(conflict, table, &scope);
        }
        self.returning(&insert.returning, &scope);
    }

    fn inserted_row(&mut self, insert: &Insert, table: Option<&TableDef>, row: &[Expr]) {
        if row.len() != insert.columns.len() {
            let span = row.iter().fold(insert.table.span, |_, value| value.span);
            let found = format!("{} : {}", insert.columns.len(), row.len());
            self.note(span, SqlProblem::ValueCount, &found);
        }
        for (name, value) in insert.columns.iter().zip(row) {
            if value.kind == ExprKind::Default {
                continue;
            }
            self.plain(value, &NO_SCOPE);
            let Some(column) = table.and_then(|table| table.column(&name.text)) else { continue };
            if column.sequence == Some(SequenceKind::Always) {
                self.note(value.span, SqlProblem::Generated, &name.text);
            }
            self.assigned(value, column.ty, &NO_SCOPE);
        }
    }

    /// `INSERT … SELECT`: the columns of the query go to those of the INSERT, by their order.
    fn inserted_query(&mut self, insert: &Insert, table: Option<&TableDef>, query: &Select) {
        self.select(query, None, false);
        let width = self.width(query);
        if width.is_some_and(|width| width != insert.columns.len()) {
            let found = format!("{} : {}", insert.columns.len(), width.unwrap_or(0));
            self.note(query.span, SqlProblem::ValueCount, &found);
        }
        let before = self.errors.len();
        let scope = query.from.as_ref().map_or(NO_SCOPE, |source| self.scope(source, None));
        self.errors.truncate(before);
        let starred = query.items.iter().any(|item| matches!(item, Item::All(_)));
        for (name, item) in insert.columns.iter().zip(&query.items) {
            let Some(column) = table.and_then(|table| table.column(&name.text)) else { continue };
            if column.sequence == Some(SequenceKind::Always) {
                self.note(name.span, SqlProblem::Generated, &name.text);
            }
            if let (Item::Value(value, _), false) = (item, starred) {
                self.assigned(value, column.ty, &scope);
            }
        }
    }

    fn conflict(&mut self, conflict: &Conflict, table: &TableDef, scope: &Scope<'_>) {
        if let Some(first) = conflict.target.first()
            && !table.keys.iter().any(|key| key.is_on(&conflict.target))
        {
            let span = conflict.target.iter().fold(first.span, |span, name| span.to(name.span));
            self.note(span, SqlProblem::NoSuchKey, &first.text);
        }
        if let ConflictAction::Update { set, filter } = &conflict.action {
            let excluded =
                Scope { name: "excluded", table: Some(table), excluded: true, ..NO_SCOPE };
            let scope = Scope { outer: Some(&excluded), ..*scope };
            self.assignments(set, &scope);
            self.filter(filter.as_ref(), &scope, false);
        }
    }

    fn assignments(&mut self, set: &[(Name, Expr)], scope: &Scope<'_>) {
        for (at, (name, value)) in set.iter().enumerate() {
            if set.iter().take(at).any(|(other, _)| other.text == name.text) {
                self.note(name.span, SqlProblem::DuplicateColumn, &name.text);
            }
            self.plain(value, scope);
            let Some(table) = scope.table else { continue };
            match table.column(&name.text) {
                None => self.note(name.span, SqlProblem::UnknownColumn, &name.text),
                Some(column) if column.sequence == Some(SequenceKind::Always) => {
                    self.note(name.span, SqlProblem::Generated, &name.text);
                }
                Some(column) => self.assigned(value, column.ty, scope),
            }
        }
    }

    fn returning(&mut self, items: &[Item], scope: &Scope<'_>) {
        for item in items {
            if let Item::Value(value, _) = item {
                self.plain(value, scope);
            }
        }
    }

    /// `WHERE`; in UPDATE and DELETE one `IN (SELECT …)` at its top may lock.
    fn filter(&mut self, filter: Option<&Expr>, scope: &Scope<'_>, may_lock: bool) {
        let Some(filter) = filter else { return };
        self.condition(filter, scope);
        let locking = filter.subqueries().into_iter().filter(|select| select.lock.is_some());
        let allowed = if may_lock { filter.top_locking_subquery() } else { None };
        for select in locking {
            let correlated = scope.table.is_some_and(|table| {
                select.expressions().into_iter().any(|expr| mentions(expr, scope.name, table))
            });
            if correlated || !allowed.is_some_and(|allowed| std::ptr::eq(allowed, select)) {
                self.note(select.span, SqlProblem::LockedRows, "FOR UPDATE");
            }
        }
    }

    /// An expression in which no aggregate may stand.
    fn plain(&mut self, expr: &Expr, scope: &Scope<'_>) {
        if expr.has_aggregate() {
            let name = expr.first_aggregate().map_or("", Function::name);
            self.note(expr.span, SqlProblem::Aggregate, name);
        }
        self.expression(expr, scope);
    }

    fn condition(&mut self, expr: &Expr, scope: &Scope<'_>) {
        // Whole seconds would hide from the clock when the condition turns over.
        expr.visit(&mut |expr| {
            if let ExprKind::Call(Function::Extract, _) = &expr.kind {
                self.note(expr.span, SqlProblem::Clause, Function::Extract.name());
            }
        });
        self.plain(expr, scope);
        self.boolean(expr, scope);
    }

    /// Names, defaults, sub-queries and types in an expression.
    fn expression(&mut self, expr: &Expr, scope: &Scope<'_>) {
        let mut inside = Vec::new();
        expr.visit(&mut |expr| inside.push(expr));
        for expr in inside {
            match &expr.kind {
                ExprKind::Default => self.note(expr.span, SqlProblem::Default, "DEFAULT"),
                ExprKind::Column(table, name) => self.column(table.as_ref(), name, scope),
                ExprKind::InSelect(_, select, _) => {
                    self.select(select, Some(scope), true);
                    let width = self.width(select);
                    if width != Some(1) {
                        let width = width.map_or_else(|| "*".to_owned(), |width| width.to_string());
                        self.note(select.span, SqlProblem::SubqueryColumns, &width);
                    }
                }
                ExprKind::Exists(select) => self.select(select, Some(scope), true),
                _ => {}
            }
        }
        self.types(expr, scope);
    }

    /// How many columns a sub-query returns; `None` if its table is not known.
    fn width(&self, select: &Select) -> Option<usize> {
        let mut width = 0;
        for item in &select.items {
            width += match item {
                Item::Value(..) => 1,
                Item::All(_) => {
                    let name: &Arc<str> = &select.from.as_ref()?.table.text;
                    self.tables.iter().find(|table| table.name.text == *name)?.columns.len()
                }
            };
        }
        Some(width)
    }

    fn column(&mut self, table: Option<&Name>, name: &Name, scope: &Scope<'_>) {
        let (mut at, mut found, mut lenient) = (Some(scope), 0, false);
        while let Some(scope) = at {
            lenient |= scope.lenient;
            let called = table.is_none_or(|table| *table.text == *scope.name);
            let has = scope.table.is_some_and(|table| table.column(&name.text).is_some());
            // An inner row hides the outer ones; `excluded` stands beside its row.
            if called && has && (found == 0 || scope.excluded) {
                found += 1;
            }
            at = scope.outer;
        }
        match found {
            1 => {}
            0 if lenient => {}
            0 => self.note(name.span, SqlProblem::UnknownColumn, &name.text),
            _ => self.note(name.span, SqlProblem::AmbiguousColumn, &name.text),
        }
    }
}

/// A bare name in `ORDER BY` may mean an output column.
fn names_output(select: &Select, key: &Expr) -> bool {
    let ExprKind::Column(None, name) = &key.kind else { return false };
    select
        .items
        .iter()
        .any(|item| matches!(item, Item::Value(_, Some(alias)) if alias.text == name.text))
}

/// Whether an expression names a column of this row by its qualified name.
fn mentions(expr: &Expr, called: &str, table: &TableDef) -> bool {
    let mut found = false;
    expr.visit(&mut |expr| {
        if let ExprKind::Column(Some(qualifier), name) = &expr.kind {
            found |= *qualifier.text == *called && table.column(&name.text).is_some();
        }
    });
    found
}
