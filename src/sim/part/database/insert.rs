//! `INSERT`, also from a query, and `ON CONFLICT`.

use std::sync::Arc;

use super::Fact;
use super::eval::{eval, holds};
use super::failure::SqlFailure;
use super::query;
use super::run::{Job, Machine, Stop, Taken};
use super::session::{Candidate, Walk};
use super::wal::Op;
use super::write::{Values, duplicate, excluded_frame, no_column, strength};
use crate::datum::Datum;
use crate::script::ast::Name;
use crate::script::sql::ast::{
    Conflict, ConflictAction, Expr, ExprKind, Insert, Lock, Select, Source,
};
use crate::script::sql::schema::{SequenceKind, UniqueKey};
use crate::script::sql::{ColumnDef, TableDef};

impl Machine<'_> {
    pub(super) fn insert(
        &mut self,
        job: Job<'_>,
        insert: &Insert,
        queried: &mut Walk,
        walk: &mut Walk,
    ) -> Result<(), Stop> {
        let at = self.find(&insert.table.text)?;
        let source = Source { table: insert.table.clone(), alias: None };
        if let Some(query) = &insert.query {
            self.query_rows(job, at, (insert, query), queried)?;
        }
        loop {
            let row = walk.next as usize;
            let given = match (insert.rows.get(row), queried.rows.get(row)) {
                (Some(values), _) => Given::Values(values),
                (None, Some(Datum::Array(cells))) => Given::Cells(cells),
                (None, _) => break,
            };
            let new = match walk.ready.take() {
                Some(ready) => ready,
                None => {
                    let new = self.new_row(job, at, &insert.columns, given)?;
                    self.check_row(job, at, &new)?;
                    new
                }
            };
            // Should the row wait for another's fate, it keeps its numbers.
            walk.ready = Some(Arc::clone(&new));
            self.insert_row(job, (at, &source), insert, &new, walk)?;
            walk.ready = None;
            walk.next += 1;
        }
        self.check_parents(at, walk)?;
        self.check_children(at)
    }

    /// The rows of `INSERT … SELECT`, read once, in the types of the columns they go to.
    fn query_rows(
        &mut self,
        job: Job<'_>,
        at: u32,
        (insert, query): (&Insert, &Select),
        queried: &mut Walk,
    ) -> Result<(), SqlFailure> {
        if std::mem::replace(&mut queried.started, true) {
            return Ok(());
        }
        if let Some(source) = &query.from {
            let read = self.find(&source.table.text)?;
            self.note_scan(read)?;
        }
        let def = Arc::clone(&self.table(at)?.def);
        let context = self.context(job);
        let rows = query::cells(query, &context);
        self.settle(&context);
        for cells in rows? {
            if cells.len() != insert.columns.len() {
                return Err(count_differs());
            }
            let typed = insert.columns.iter().zip(cells).map(|(name, value)| {
                let column = def.column(&name.text).ok_or_else(|| no_column(name))?;
                Ok(value.assign(column.ty)?.into_datum())
            });
            queried.rows.push(Datum::Array(typed.collect::<Result<_, SqlFailure>>()?));
        }
        Ok(())
    }

    fn insert_row(
        &mut self,
        job: Job<'_>,
        (at, source): (u32, &Source),
        insert: &Insert,
        new: &Values,
        walk: &mut Walk,
    ) -> Result<(), Stop> {
        let def = Arc::clone(&self.table(at)?.def);
        let arbiters = arbiters(&def, insert.conflict.as_ref())?;
        // The keys that ON CONFLICT is about are judged first.
        for key in &arbiters {
            if let Some(row) = self.conflicting(job, at, key, new, None)? {
                self.facts.push(Fact::Conflict { table: Arc::clone(&def.name.text), row });
                return self.conflict_action(job, (at, source), insert, (row, new), walk);
            }
        }
        for key in &def.keys {
            if self.conflicting(job, at, key, new, None)?.is_some() {
                return Err(duplicate(key).into());
            }
        }
        let tx = self.assign_tx();
        let row = self.table_mut(at)?.insert(tx, Arc::clone(new));
        self.wal.record(tx, at, Op::Insert, Arc::clone(new));
        self.facts.push(Fact::Inserted { table: Arc::clone(&def.name.text), row, tx });
        walk.candidates.push(Candidate { row, place: 0 });
        self.push_row(job, (at, source), &insert.returning, new, walk)?;
        Ok(())
    }

    /// `ON CONFLICT DO …`, for the row that is there already.
    fn conflict_action(
        &mut self,
        job: Job<'_>,
        (at, source): (u32, &Source),
        insert: &Insert,
        (row, new): (u64, &Values),
        walk: &mut Walk,
    ) -> Result<(), Stop> {
        let Some(ConflictAction::Update { set, filter }) =
            insert.conflict.as_ref().map(|conflict| &conflict.action)
        else {
            return Ok(());
        };
        if walk.candidates.iter().any(|done| done.row == row) {
            let message = "ON CONFLICT DO UPDATE cannot change a row a second time";
            return Err(SqlFailure::new("21000", message).into());
        }
        let candidate = Candidate { row, place: 0 };
        let lock = (Lock::Wait, strength(&self.table(at)?.def, set));
        let Taken::Yes(old) = self.take(job, (at, source), None, candidate, lock)? else {
            return Ok(());
        };
        let table = Arc::clone(self.table(at)?);
        let context = self.context(job);
        let excluded = excluded_frame(&table.def, new);
        let frame = query::frame(source, &table, &old, Some(&excluded));
        let wanted = holds(filter.as_ref(), &context, &frame);
        self.settle(&context);
        if wanted? {
            let changed = self.assigned(job, (at, source), set, &old, Some(new))?;
            self.check_row(job, at, &changed)?;
            self.check_keys(job, at, row, &changed)?;
            self.change(at, row, &changed)?;
            walk.candidates.push(candidate);
            self.push_row(job, (at, source), &insert.returning, &changed, walk)?;
        }
        Ok(())
    }

    /// The values of a row to be inserted, defaults and numbers taken.
    fn new_row(
        &mut self,
        job: Job<'_>,
        at: u32,
        columns: &[Name],
        given: Given<'_>,
    ) -> Result<Values, SqlFailure> {
        if matches!(given, Given::Values(values) if values.len() != columns.len()) {
            return Err(count_differs());
        }
        let def = Arc::clone(&self.table(at)?.def);
        if let Some(name) = columns.iter().find(|name| def.column(&name.text).is_none()) {
            return Err(no_column(name));
        }
        let mut values = Vec::with_capacity(def.columns.len());
        for (position, column) in (0u32..).zip(&def.columns) {
            let place = columns.iter().position(|name| name.text == column.name.text);
            let cell = place.and_then(|place| given.at(place));
            let value = match (cell, column.sequence) {
                (Some(_), Some(SequenceKind::Always)) => {
                    let message = format!("column \"{}\" is always generated", column.name.text);
                    return Err(SqlFailure::new("428C9", message));
                }
                (None, Some(_)) => Datum::Int(self.table_mut(at)?.next_number(position)),
                (Some(Cell::Ready(datum)), None | Some(SequenceKind::ByDefault)) => datum.clone(),
                (cell, _) => self.cell_value(job, cell.and_then(Cell::expr), column)?,
            };
            values.push(value);
        }
        Ok(values.into())
    }

    /// What was written for a column, or else its default.
    fn cell_value(
        &mut self,
        job: Job<'_>,
        written: Option<&Expr>,
        column: &ColumnDef,
    ) -> Result<Datum, SqlFailure> {
        let Some(value) = written.or(column.default.as_ref()) else { return Ok(Datum::Null) };
        let context = self.context(job);
        let value = eval(value, &context, None).and_then(|value| value.assign(column.ty));
        self.settle(&context);
        Ok(value?.into_datum())
    }
}

/// What an INSERT gives for one row.
#[derive(Clone, Copy)]
enum Given<'a> {
    Values(&'a [Expr]),
    /// From a query.
    Cells(&'a [Datum]),
}

/// What it gives for one column.
enum Cell<'a> {
    Written(&'a Expr),
    Ready(&'a Datum),
}

impl<'a> Given<'a> {
    /// `None` for `DEFAULT`.
    fn at(self, place: usize) -> Option<Cell<'a>> {
        match self {
            Self::Values(values) => {
                values.get(place).filter(|v| v.kind != ExprKind::Default).map(Cell::Written)
            }
            Self::Cells(cells) => cells.get(place).map(Cell::Ready),
        }
    }
}

impl<'a> Cell<'a> {
    fn expr(self) -> Option<&'a Expr> {
        match self {
            Self::Written(expr) => Some(expr),
            Self::Ready(_) => None,
        }
    }
}

fn count_differs() -> SqlFailure {
    SqlFailure::new("42601", "INSERT has other numbers of columns and values")
}

/// The keys that `ON CONFLICT` is about: those of exactly its columns, or all.
fn arbiters<'a>(
    def: &'a TableDef,
    conflict: Option<&Conflict>,
) -> Result<Vec<&'a UniqueKey>, SqlFailure> {
    let Some(conflict) = conflict else { return Ok(Vec::new()) };
    if conflict.target.is_empty() {
        return Ok(def.keys.iter().collect());
    }
    let found: Vec<_> = def.keys.iter().filter(|key| key.is_on(&conflict.target)).collect();
    if found.is_empty() {
        let message = "there is no unique constraint on the columns of ON CONFLICT";
        return Err(SqlFailure::new("42P10", message));
    }
    Ok(found)
}
