//! Runs a statement row by row until it is done, fails, or has to wait. After a wait it goes on
//! where it stood: what it has locked stays locked, and rows that changed meanwhile are judged
//! again by their newest version (docs: transaction-iso, Read Committed).

use std::sync::Arc;

use super::eval::{Context, holds};
use super::failure::SqlFailure;
use super::query;
use super::session::{Candidate, Running, Transaction, Wait, Walk};
use super::table::Table;
use super::wal::Wal;
use super::{Durable, Fact, Reply, TxId};
use crate::datum::Datum;
use crate::script::sql::ast::{Expr, Item, Lock, Select, Source, Statement};

/// Why a statement does not go on.
pub(super) enum Stop {
    Fail(SqlFailure),
    Wait(Wait),
}

impl From<SqlFailure> for Stop {
    fn from(failure: SqlFailure) -> Self {
        Self::Fail(failure)
    }
}

/// What does not change while a statement runs.
#[derive(Clone, Copy)]
pub(super) struct Job<'a> {
    pub(super) params: &'a [Datum],
    pub(super) snapshot: &'a [Arc<Table>],
    pub(super) chosen: Option<&'a [Datum]>,
}

/// The server at work for one session.
pub(super) struct Machine<'a> {
    pub(super) durable: &'a mut Durable,
    pub(super) wal: &'a mut Wal,
    pub(super) tx: &'a mut Transaction,
    /// The oldest other transaction that is open or prepared.
    pub(super) oldest_open: Option<TxId>,
    pub(super) horizon_us: &'a mut i64,
    pub(super) facts: &'a mut Vec<Fact>,
}

/// How much of a row is locked (docs: explicit-locking, Row-Level Locks).
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Strength {
    /// `FOR UPDATE`, as of a delete or the change of a key.
    Full,
    /// `FOR NO KEY UPDATE`: rows that refer to it do not mind.
    KeepsKey,
}

/// The outcome of reaching for a row.
pub(super) enum Taken {
    /// It is locked now; these are its values.
    Yes(Arc<[Datum]>),
    /// It is gone or does not match any more.
    No,
    /// Another transaction holds it.
    Skipped,
}

impl Machine<'_> {
    pub(super) fn run(&mut self, running: &mut Running) -> Result<Reply, Stop> {
        let statement = Arc::clone(&running.statement);
        if running.snapshot.is_empty() && !running.outer.started && looks_elsewhere(&statement) {
            running.snapshot = self.durable.tables.clone();
        }
        let params = Arc::clone(&running.params);
        let snapshot = std::mem::take(&mut running.snapshot);
        let job = Job { params: &params, snapshot: &snapshot, chosen: None };
        let result = self.stages(&statement, job, &mut running.inner, &mut running.outer);
        if matches!(result, Err(Stop::Wait(_))) {
            running.snapshot = snapshot;
        }
        result.map(|()| {
            let rows = std::mem::take(&mut running.outer.rows);
            Reply::Rows { rows, count: running.outer.count }
        })
    }

    fn stages(
        &mut self,
        statement: &Statement,
        job: Job<'_>,
        inner: &mut Walk,
        outer: &mut Walk,
    ) -> Result<(), Stop> {
        if let Some(select) = locking_subquery(statement) {
            self.lock_rows(job, select, inner)?;
        }
        let chosen: Vec<Datum> = inner.rows.iter().map(first_field).collect();
        let job = Job { chosen: Some(&chosen), ..job };
        match statement {
            Statement::Select(select) if select.lock.is_some() => {
                self.lock_rows(job, select, outer)
            }
            Statement::Select(select) => self.read(job, select, outer),
            Statement::Insert(insert) => self.insert(job, insert, inner, outer),
            Statement::Update(update) => self.update(job, update, outer),
            Statement::Delete(delete) => self.delete(job, delete, outer),
        }
    }

    pub(super) fn context<'c>(&self, job: Job<'c>) -> Context<'c> {
        Context {
            tables: job.snapshot,
            params: job.params,
            now_us: self.tx.start_us,
            tx: self.tx.id.into(),
            next_tx: self.durable.next_tx.into(),
            oldest_open: self.oldest_open,
            horizon_us: (*self.horizon_us).into(),
            chosen: job.chosen,
        }
    }

    /// Takes over what evaluation has changed.
    pub(super) fn settle(&mut self, context: &Context<'_>) {
        self.tx.id = context.tx.get();
        self.durable.next_tx = context.next_tx.get();
        *self.horizon_us = context.horizon_us.get();
    }

    pub(super) fn assign_tx(&mut self) -> TxId {
        let next_tx = &mut self.durable.next_tx;
        *self.tx.id.get_or_insert_with(|| {
            let id = TxId(*next_tx);
            *next_tx += 1;
            id
        })
    }

    pub(super) fn find(&self, name: &str) -> Result<u32, SqlFailure> {
        let mut tables = (0u32..).zip(&self.durable.tables);
        let found = tables.find(|(_, table)| &*table.def.name.text == name);
        found
            .map(|(at, _)| at)
            .ok_or_else(|| SqlFailure::new("42P01", format!("relation \"{name}\" does not exist")))
    }

    /// The table at a position that `find` gave.
    pub(super) fn table(&self, at: u32) -> Result<&Arc<Table>, SqlFailure> {
        let found = self.durable.tables.get(at as usize);
        found.ok_or_else(|| SqlFailure::new("42P01", "relation does not exist"))
    }

    /// The same for a change.
    pub(super) fn table_mut(&mut self, at: u32) -> Result<&mut Table, SqlFailure> {
        let found = self.durable.tables.get_mut(at as usize);
        found.map(Arc::make_mut).ok_or_else(|| SqlFailure::new("42P01", "relation does not exist"))
    }

    /// A query without locks: one look at what is committed now.
    fn read(&mut self, job: Job<'_>, select: &Select, walk: &mut Walk) -> Result<(), Stop> {
        if let Some(source) = &select.from {
            let at = self.find(&source.table.text)?;
            self.note_scan(at)?;
        }
        let context = self.context(job);
        let rows = query::rows(select, &context, None);
        self.settle(&context);
        walk.rows = rows?;
        walk.count = u32::try_from(walk.rows.len()).unwrap_or(u32::MAX);
        Ok(())
    }

    pub(super) fn note_scan(&mut self, at: u32) -> Result<(), SqlFailure> {
        let table = self.table(at)?;
        let (live, dead) = table.versions();
        let table = Arc::clone(&table.def.name.text);
        self.facts.push(Fact::Scanned { table, live, dead });
        Ok(())
    }

    /// Finds the candidates, once, when the statement begins.
    pub(super) fn start(
        &mut self,
        job: Job<'_>,
        source: &Source,
        filter: Option<&Expr>,
        order: Option<&Select>,
        walk: &mut Walk,
    ) -> Result<u32, Stop> {
        let at = self.find(&source.table.text)?;
        if walk.started {
            return Ok(at);
        }
        walk.started = true;
        self.note_scan(at)?;
        // The outer table is read as of the statement's start, even after a wait in between.
        let seen = job
            .snapshot
            .get(at as usize)
            .map_or_else(|| self.table(at).cloned(), |table| Ok(Arc::clone(table)))?;
        let context = self.context(job);
        let found = query::matching(source, &seen, filter, &context, None).and_then(|mut rows| {
            if let Some(select) = order {
                query::sort(&mut rows, select, source, &seen, &context, None)?;
            }
            Ok(rows)
        });
        self.settle(&context);
        walk.candidates = found?
            .into_iter()
            .map(|(row, version)| Candidate { row, place: version.place })
            .collect();
        Ok(at)
    }

    /// `SELECT … FOR UPDATE`: sort, then lock, then limit.
    fn lock_rows(&mut self, job: Job<'_>, select: &Select, walk: &mut Walk) -> Result<(), Stop> {
        let (Some(source), Some(lock)) = (&select.from, select.lock) else {
            return Err(SqlFailure::new("0A000", "FOR UPDATE needs a table").into());
        };
        if query::is_aggregate(select) {
            return Err(
                SqlFailure::new("0A000", "FOR UPDATE cannot lock rows of an aggregate").into()
            );
        }
        let filter = select.filter.as_ref();
        let at = self.start(job, source, filter, Some(select), walk)?;
        let most = query::limit(select, &self.context(job))?.unwrap_or(u32::MAX);
        while walk.count < most
            && let Some(candidate) = walk.candidates.get(walk.next as usize).copied()
        {
            match self.take(job, (at, source), filter, candidate, (lock, Strength::Full))? {
                Taken::Yes(values) => {
                    let row = self.returned(job, (at, source), &select.items, &values)?;
                    walk.rows.push(row);
                    walk.count += 1;
                    self.note_lock(at, candidate.row)?;
                }
                Taken::No => {}
                Taken::Skipped => walk.skipped += 1,
            }
            walk.next += 1;
        }
        // Told once, even if the statement around this one has to wait and comes by again.
        let count = std::mem::take(&mut walk.skipped);
        if count > 0 {
            let table = Arc::clone(&source.table.text);
            self.facts.push(Fact::RowsSkipped { table, count });
        }
        Ok(())
    }

    fn note_lock(&mut self, at: u32, row: u64) -> Result<(), SqlFailure> {
        let (table, tx) = (Arc::clone(&self.table(at)?.def.name.text), self.assign_tx());
        self.facts.push(Fact::Locked { table, row, tx });
        Ok(())
    }

    /// Locks a candidate. If it is no longer the version that was seen, the condition is judged
    /// again by the newest one; the lock stays even if it fails, as in PostgreSQL.
    pub(super) fn take(
        &mut self,
        job: Job<'_>,
        (at, source): (u32, &Source),
        filter: Option<&Expr>,
        candidate: Candidate,
        (lock, strength): (Lock, Strength),
    ) -> Result<Taken, Stop> {
        let table = Arc::clone(self.table(at)?);
        let Some(row) = table.row(candidate.row) else { return Ok(Taken::No) };
        let queue = Some((at, candidate.row));
        let held = row.held_against(self.tx.id).map(|on| (on, queue));
        let shared = row.shared_against(self.tx.id).filter(|_| strength == Strength::Full);
        if let Some((on, row)) = held.or(shared.map(|on| (on, None))) {
            return match lock {
                Lock::SkipLocked => Ok(Taken::Skipped),
                Lock::NoWait => {
                    let message = format!("could not lock a row in \"{}\"", source.table.text);
                    Err(SqlFailure::new("55P03", message).into())
                }
                Lock::Wait => Err(Stop::Wait(Wait { on, row, since: 0, fails: None })),
            };
        }
        let Some(version) = row.seen_by(self.tx.id) else { return Ok(Taken::No) };
        let tx = self.assign_tx();
        if row.holder.is_none() {
            self.table_mut(at)?.lock(tx, candidate.row);
        }
        if version.place != candidate.place {
            let context = self.context(job);
            let frame = query::frame(source, &table, &version.values, None);
            let still = holds(filter, &context, &frame);
            self.settle(&context);
            if !still? {
                return Ok(Taken::No);
            }
        }
        Ok(Taken::Yes(Arc::clone(&version.values)))
    }

    /// One row of a result.
    pub(super) fn returned(
        &mut self,
        job: Job<'_>,
        (at, source): (u32, &Source),
        items: &[Item],
        values: &[Datum],
    ) -> Result<Datum, SqlFailure> {
        let table = Arc::clone(self.table(at)?);
        let context = self.context(job);
        let frame = query::frame(source, &table, values, None);
        let row = query::project(items, &context, Some(&frame));
        self.settle(&context);
        row
    }
}

fn first_field(row: &Datum) -> Datum {
    match row {
        Datum::Object(fields) => fields.first().map_or(Datum::Null, |(_, value)| value.clone()),
        other => other.clone(),
    }
}

/// Whether a statement reads tables otherwise than by walking its own.
fn looks_elsewhere(statement: &Statement) -> bool {
    match statement {
        Statement::Select(select) => select.lock.is_none() || !statement.subqueries().is_empty(),
        _ => !statement.subqueries().is_empty(),
    }
}

/// The `IN (SELECT … FOR UPDATE …)` at the top of an UPDATE's or DELETE's condition.
fn locking_subquery(statement: &Statement) -> Option<&Select> {
    match statement {
        Statement::Update(update) => update.filter.as_ref()?.top_locking_subquery(),
        Statement::Delete(delete) => delete.filter.as_ref()?.top_locking_subquery(),
        Statement::Select(_) | Statement::Insert(_) => None,
    }
}
