//! `INSERT`, `UPDATE` and `DELETE`, and the constraints that new rows must meet.

use std::sync::Arc;

use super::Fact;
use super::eval::{Frame, eval, holds};
use super::failure::SqlFailure;
use super::query;
use super::run::{Job, Machine, Stop, Taken};
use super::session::{Candidate, Wait, Walk};
use super::table::{Change, Row};
use super::wal::Op;
use crate::datum::Datum;
use crate::script::ast::Name;
use crate::script::sql::TableDef;
use crate::script::sql::ast::{
    Conflict, ConflictAction, Delete, Expr, ExprKind, Insert, Lock, Source, Update,
};
use crate::script::sql::schema::{SequenceKind, UniqueKey};

type Values = Arc<[Datum]>;

impl Machine<'_> {
    pub(super) fn update(
        &mut self,
        job: Job<'_>,
        update: &Update,
        walk: &mut Walk,
    ) -> Result<(), Stop> {
        let (source, filter) = (&update.source, update.filter.as_ref());
        let at = self.start(job, source, filter, None, walk)?;
        while let Some(candidate) = walk.candidates.get(walk.next as usize).copied() {
            let new = match walk.ready.take() {
                Some(ready) => Some(ready),
                None => match self.take(job, (at, source), filter, candidate, Lock::Wait)? {
                    Taken::Yes(old) => {
                        let new = self.assigned(job, (at, source), &update.set, &old, None)?;
                        self.check_row(job, at, &new)?;
                        self.change(at, candidate.row, &new)?;
                        Some(new)
                    }
                    Taken::No | Taken::Skipped => None,
                },
            };
            if let Some(new) = new {
                // PostgreSQL writes the new version before it looks into the indexes. So the old
                // key is already in doubt for others while this statement waits for the new one.
                walk.ready = Some(Arc::clone(&new));
                self.check_keys(job, at, candidate.row, &new)?;
                walk.ready = None;
                self.push_row(job, (at, source), &update.returning, &new, walk)?;
            }
            walk.next += 1;
        }
        Ok(())
    }

    pub(super) fn delete(
        &mut self,
        job: Job<'_>,
        delete: &Delete,
        walk: &mut Walk,
    ) -> Result<(), Stop> {
        let (source, filter) = (&delete.source, delete.filter.as_ref());
        let at = self.start(job, source, filter, None, walk)?;
        while let Some(candidate) = walk.candidates.get(walk.next as usize).copied() {
            if let Taken::Yes(old) = self.take(job, (at, source), filter, candidate, Lock::Wait)? {
                let tx = self.assign_tx();
                self.table_mut(at)?.change(tx, candidate.row, None);
                self.wal.record(tx, at, Op::Delete, Arc::clone(&old));
                let table = Arc::clone(&source.table.text);
                self.facts.push(Fact::Deleted { table, row: candidate.row, tx });
                self.push_row(job, (at, source), &delete.returning, &old, walk)?;
            }
            walk.next += 1;
        }
        Ok(())
    }

    fn push_row(
        &mut self,
        job: Job<'_>,
        target: (u32, &Source),
        returning: &[crate::script::sql::ast::Item],
        values: &[Datum],
        walk: &mut Walk,
    ) -> Result<(), SqlFailure> {
        if !returning.is_empty() {
            walk.rows.push(self.returned(job, target, returning, values)?);
        }
        walk.count += 1;
        Ok(())
    }

    /// The values of a row after `SET`.
    fn assigned(
        &mut self,
        job: Job<'_>,
        (at, source): (u32, &Source),
        set: &[(Name, Expr)],
        old: &[Datum],
        excluded: Option<&[Datum]>,
    ) -> Result<Values, SqlFailure> {
        let table = Arc::clone(self.table(at)?);
        let context = self.context(job);
        let excluded = excluded.map(|values| excluded_frame(&table.def, values));
        let frame = query::frame(source, &table, old, excluded.as_ref());
        let mut new = old.to_vec();
        let mut result = Ok(());
        for (name, value) in set {
            result = table.def.position(&name.text).zip(table.def.column(&name.text)).map_or_else(
                || Err(no_column(name)),
                |(position, column)| {
                    let value = eval(value, &context, Some(&frame))?.assign(column.ty)?;
                    if let Some(slot) = new.get_mut(position as usize) {
                        *slot = value.into_datum();
                    }
                    Ok(())
                },
            );
            if result.is_err() {
                break;
            }
        }
        self.settle(&context);
        result.map(|()| new.into())
    }

    /// Gives a locked row a new version.
    fn change(&mut self, at: u32, row: u64, new: &Values) -> Result<(), SqlFailure> {
        let tx = self.assign_tx();
        let table = self.table_mut(at)?;
        table.change(tx, row, Some(Arc::clone(new)));
        let table = Arc::clone(&table.def.name.text);
        self.wal.record(tx, at, Op::Update, Arc::clone(new));
        self.facts.push(Fact::Updated { table, row, tx });
        Ok(())
    }

    /// Checks that no other row has one of the row's keys.
    fn check_keys(&mut self, job: Job<'_>, at: u32, row: u64, new: &Values) -> Result<(), Stop> {
        let def = Arc::clone(&self.table(at)?.def);
        for key in &def.keys {
            if self.conflicting(job, at, key, new, Some(row))?.is_some() {
                return Err(duplicate(key).into());
            }
        }
        Ok(())
    }

    pub(super) fn insert(
        &mut self,
        job: Job<'_>,
        insert: &Insert,
        walk: &mut Walk,
    ) -> Result<(), Stop> {
        let at = self.find(&insert.table.text)?;
        let source = Source { table: insert.table.clone(), alias: None };
        while let Some(row) = insert.rows.get(walk.next as usize) {
            let new = match walk.ready.take() {
                Some(ready) => ready,
                None => {
                    let new = self.new_row(job, at, &insert.columns, row)?;
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
        let Taken::Yes(old) = self.take(job, (at, source), None, candidate, Lock::Wait)? else {
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
        given: &[Expr],
    ) -> Result<Values, SqlFailure> {
        if columns.len() != given.len() {
            return Err(SqlFailure::new("42601", "INSERT has other numbers of columns and values"));
        }
        let def = Arc::clone(&self.table(at)?.def);
        if let Some(name) = columns.iter().find(|name| def.column(&name.text).is_none()) {
            return Err(no_column(name));
        }
        let mut values = Vec::with_capacity(def.columns.len());
        for (position, column) in (0u32..).zip(&def.columns) {
            let given = columns.iter().zip(given).find(|(name, _)| name.text == column.name.text);
            let given = given.map(|(_, value)| value).filter(|v| v.kind != ExprKind::Default);
            let source = match (given, column.sequence) {
                (Some(_), Some(SequenceKind::Always)) => {
                    let message = format!("column \"{}\" is always generated", column.name.text);
                    return Err(SqlFailure::new("428C9", message));
                }
                (None, Some(_)) => {
                    values.push(Datum::Int(self.table_mut(at)?.next_number(position)));
                    continue;
                }
                (given, _) => given.or(column.default.as_ref()),
            };
            let value = match source {
                Some(value) => {
                    let context = self.context(job);
                    let value = eval(value, &context, None).and_then(|v| v.assign(column.ty));
                    self.settle(&context);
                    value?.into_datum()
                }
                None => Datum::Null,
            };
            values.push(value);
        }
        Ok(values.into())
    }

    /// `NOT NULL` and `CHECK`.
    fn check_row(&mut self, job: Job<'_>, at: u32, new: &[Datum]) -> Result<(), SqlFailure> {
        let table = Arc::clone(self.table(at)?);
        let def = &table.def;
        for (column, value) in def.columns.iter().zip(new) {
            if column.not_null && *value == Datum::Null {
                let (name, table) = (&column.name.text, &def.name.text);
                let message = format!("column \"{name}\" of \"{table}\" must not be null");
                return Err(SqlFailure::new("23502", message));
            }
        }
        let source = Source { table: def.name.clone(), alias: None };
        let context = self.context(job);
        let frame = query::frame(&source, &table, new, None);
        for check in &def.checks {
            // A check holds if it is null.
            if eval(&check.condition, &context, Some(&frame))?.truth()? == Some(false) {
                let message = format!("the new row violates check \"{}\"", check.name);
                return Err(SqlFailure::constraint("23514", message, &check.name));
            }
        }
        Ok(())
    }

    /// A row with the same key. If it is another transaction's open business whether there is
    /// one, the statement waits for that transaction's end (docs: index-unique-checks).
    fn conflicting(
        &mut self,
        job: Job<'_>,
        at: u32,
        key: &UniqueKey,
        new: &[Datum],
        except: Option<u64>,
    ) -> Result<Option<u64>, Stop> {
        let table = Arc::clone(self.table(at)?);
        let source = Source { table: table.def.name.clone(), alias: None };
        let positions: Vec<_> =
            key.columns.iter().filter_map(|name| table.def.position(&name.text)).collect();
        let part = |values: &[Datum]| -> Vec<Datum> {
            positions.iter().filter_map(|at| values.get(*at as usize).cloned()).collect()
        };
        let context = self.context(job);
        let indexed = |values: &[Datum]| {
            holds(key.filter.as_ref(), &context, &query::frame(&source, &table, values, None))
        };
        let wanted = part(new);
        if wanted.contains(&Datum::Null) || !indexed(new)? {
            return Ok(None);
        }
        let same = |values: &[Datum]| -> Result<bool, SqlFailure> {
            Ok(part(values) == wanted && indexed(values)?)
        };
        for row in table.rows.iter().filter(|row| Some(row.id) != except) {
            match self.rival(row, &same)? {
                Rival::None => {}
                Rival::Certain => return Ok(Some(row.id)),
                Rival::Open(on) => {
                    return Err(Stop::Wait(Wait { on, row: None, since: 0, fails: None }));
                }
            }
        }
        Ok(None)
    }

    fn rival(
        &self,
        row: &Row,
        same: &dyn Fn(&[Datum]) -> Result<bool, SqlFailure>,
    ) -> Result<Rival, SqlFailure> {
        let before = match &row.committed {
            Some(version) => same(&version.values)?,
            None => false,
        };
        let after = match &row.change {
            Some(Change::Write(version)) => same(&version.values)?,
            Some(Change::Delete) => false,
            None => before,
        };
        Ok(match row.holder {
            Some(holder) if row.change.is_some() && Some(holder) != self.tx.id => {
                if before || after { Rival::Open(holder) } else { Rival::None }
            }
            _ if after => Rival::Certain,
            _ => Rival::None,
        })
    }
}

/// Whether a row stands in the way of a unique key.
enum Rival {
    None,
    Certain,
    /// This transaction's end decides.
    Open(super::TxId),
}

fn excluded_frame<'a>(def: &'a TableDef, values: &'a [Datum]) -> Frame<'a> {
    Frame { name: "excluded", def, values, qualified_only: true, group: None, outer: None }
}

fn no_column(name: &Name) -> SqlFailure {
    SqlFailure::new("42703", format!("column \"{}\" does not exist", name.text))
}

fn duplicate(key: &UniqueKey) -> SqlFailure {
    let message = format!("duplicate key value violates unique constraint \"{}\"", key.name);
    SqlFailure::constraint("23505", message, &key.name)
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
