//! `UPDATE` and `DELETE`, and the constraints that new rows must meet.

use std::sync::Arc;

use super::Fact;
use super::eval::{Frame, eval, holds};
use super::failure::SqlFailure;
use super::query;
use super::run::{Job, Machine, Stop, Strength, Taken};
use super::session::{Wait, Walk};
use super::table::{Change, Row};
use super::wal::Op;
use crate::datum::Datum;
use crate::script::ast::Name;
use crate::script::sql::TableDef;
use crate::script::sql::ast::{Delete, Expr, Lock, Source, Update};
use crate::script::sql::schema::UniqueKey;

pub(super) type Values = Arc<[Datum]>;

impl Machine<'_> {
    pub(super) fn update(
        &mut self,
        job: Job<'_>,
        update: &Update,
        walk: &mut Walk,
    ) -> Result<(), Stop> {
        let (source, filter) = (&update.source, update.filter.as_ref());
        let at = self.start(job, source, filter, None, walk)?;
        let lock = (Lock::Wait, strength(&self.table(at)?.def, &update.set));
        while let Some(candidate) = walk.candidates.get(walk.next as usize).copied() {
            let new = match walk.ready.take() {
                Some(ready) => Some(ready),
                None => match self.take(job, (at, source), filter, candidate, lock)? {
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
        self.check_parents(at, walk)?;
        self.check_children(at)
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
            let lock = (Lock::Wait, Strength::Full);
            if let Taken::Yes(old) = self.take(job, (at, source), filter, candidate, lock)? {
                let tx = self.assign_tx();
                self.table_mut(at)?.change(tx, candidate.row, None);
                self.wal.record(tx, at, Op::Delete, Arc::clone(&old));
                let table = Arc::clone(&source.table.text);
                self.facts.push(Fact::Deleted { table, row: candidate.row, tx });
                self.push_row(job, (at, source), &delete.returning, &old, walk)?;
            }
            walk.next += 1;
        }
        self.check_children(at)
    }

    pub(super) fn push_row(
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
    pub(super) fn assigned(
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
    pub(super) fn change(&mut self, at: u32, row: u64, new: &Values) -> Result<(), SqlFailure> {
        let tx = self.assign_tx();
        let table = self.table_mut(at)?;
        table.change(tx, row, Some(Arc::clone(new)));
        let table = Arc::clone(&table.def.name.text);
        self.wal.record(tx, at, Op::Update, Arc::clone(new));
        self.facts.push(Fact::Updated { table, row, tx });
        Ok(())
    }

    /// Checks that no other row has one of the row's keys.
    pub(super) fn check_keys(
        &mut self,
        job: Job<'_>,
        at: u32,
        row: u64,
        new: &Values,
    ) -> Result<(), Stop> {
        let def = Arc::clone(&self.table(at)?.def);
        for key in &def.keys {
            if self.conflicting(job, at, key, new, Some(row))?.is_some() {
                return Err(duplicate(key).into());
            }
        }
        Ok(())
    }

    /// `NOT NULL` and `CHECK`.
    pub(super) fn check_row(
        &mut self,
        job: Job<'_>,
        at: u32,
        new: &[Datum],
    ) -> Result<(), SqlFailure> {
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
    pub(super) fn conflicting(
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
                let mut between = false;
                for values in &row.former {
                    between |= same(values)?;
                }
                if before || after || between { Rival::Open(holder) } else { Rival::None }
            }
            _ if after => Rival::Certain,
            _ => Rival::None,
        })
    }
}

/// The lock that an assignment needs: PostgreSQL looks whether the columns of a key change.
pub(super) fn strength(def: &TableDef, set: &[(Name, Expr)]) -> Strength {
    let mut columns = def.keys.iter().flat_map(|key| &key.columns);
    let changes = columns.any(|column| set.iter().any(|(name, _)| name.text == column.text));
    if changes { Strength::Full } else { Strength::KeepsKey }
}

/// Whether a row stands in the way of a unique key.
enum Rival {
    None,
    Certain,
    /// This transaction's end decides.
    Open(super::TxId),
}

pub(super) fn excluded_frame<'a>(def: &'a TableDef, values: &'a [Datum]) -> Frame<'a> {
    Frame { name: "excluded", def, values, qualified_only: true, group: None, outer: None }
}

pub(super) fn no_column(name: &Name) -> SqlFailure {
    SqlFailure::new("42703", format!("column \"{}\" does not exist", name.text))
}

pub(super) fn duplicate(key: &UniqueKey) -> SqlFailure {
    let message = format!("duplicate key value violates unique constraint \"{}\"", key.name);
    SqlFailure::constraint("23505", message, &key.name)
}
