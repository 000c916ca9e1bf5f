//! Logical replication slots: each remembers how far its one consumer has come, and keeps the
//! log from there on (docs: logicaldecoding-explanation, view-pg-replication-slots).

use std::sync::Arc;

use super::failure::SqlFailure;
use super::session::{Creating, Session, Wait};
use super::table::Table;
use super::wal::{Commit, Op};
use super::{Database, Fact, Outcome, Reply, Request, SessionId};
use crate::datum::Datum;

/// What a slot decodes, and how much log it may keep.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct SlotConfig {
    /// The tables whose changes are decoded; empty means all.
    pub tables: Vec<Arc<str>>,
    /// How many commits it may keep at a checkpoint, as `max_slot_wal_keep_size` says in bytes;
    /// `None` is no limit (docs: runtime-config-replication).
    pub max_wal_keep: Option<u32>,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct Slot {
    config: Arc<SlotConfig>,
    /// All up to here was confirmed by the consumer.
    pub(super) confirmed: u64,
    /// The positions on disk.
    pub(super) saved: Positions,
    /// Its log is gone.
    pub(super) lost: bool,
    /// The session that reads it.
    pub(super) reader: Option<SessionId>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct Positions {
    pub(super) confirmed: u64,
    pub(super) restart: u64,
}

/// How it is with the log that a slot needs (`wal_status`).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum SlotStatus {
    /// It is kept.
    Reserved,
    /// It is more than the slot may keep; the next checkpoint removes it.
    Unreserved,
    /// It was removed; the slot is of no more use.
    Lost,
}

/// A slot, for the stage and the audit.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct SlotView {
    /// Its name.
    pub name: Arc<str>,
    /// The tables whose changes it decodes; empty means all.
    pub tables: Vec<Arc<str>>,
    /// `confirmed_flush_lsn`: all up to here was confirmed.
    pub confirmed: u64,
    /// `restart_lsn`: the log is needed from here on.
    pub restart: u64,
    /// How many commits are behind `restart`.
    pub retained: u32,
    /// How many commits that have a change for it are on disk and not confirmed.
    pub waiting: u32,
    /// How it is with its log.
    pub status: SlotStatus,
    /// The session that reads it.
    pub reader: Option<SessionId>,
}

impl Slot {
    fn new(config: &Arc<SlotConfig>, at: u64) -> Self {
        let saved = Positions { confirmed: at, restart: at };
        Self { config: Arc::clone(config), confirmed: at, saved, lost: false, reader: None }
    }

    fn decodes(&self, table: &str) -> bool {
        self.config.tables.is_empty() || self.config.tables.iter().any(|name| **name == *table)
    }

    pub(super) fn may_keep(&self, commits: u32) -> bool {
        self.config.max_wal_keep.is_none_or(|most| commits <= most)
    }
}

fn missing(name: &str) -> SqlFailure {
    SqlFailure::new("42704", format!("replication slot \"{name}\" does not exist"))
}

fn exists(name: &str) -> SqlFailure {
    SqlFailure::new("42710", format!("there is a replication slot \"{name}\" already"))
}

impl Database {
    /// Adds a slot at the end of the log; one of the same name is replaced. For setting up,
    /// while nobody writes.
    pub fn add_slot(&mut self, name: &Arc<str>, config: SlotConfig) {
        let slot = Slot::new(&Arc::new(config), self.wal.end);
        self.wal.slots.insert(Arc::clone(name), slot);
    }

    /// Requests about slots.
    pub(super) fn slot_request(
        &mut self,
        session: SessionId,
        client: &mut Session,
        request: &Request,
        facts: &mut Vec<Fact>,
    ) -> Outcome {
        let result = match request {
            Request::CreateSlot { name, config } => {
                return self.begin_slot(session, client, name, config, facts);
            }
            Request::ReadSlot { name, max } => self.read_slot(session, name, *max),
            Request::AdvanceSlot { name, lsn } => self.advance_slot(session, name, *lsn),
            Request::DropSlot { name } => self.drop_slot(session, name),
            _ => Err(SqlFailure::new("08P01", "this request is not about a slot")),
        };
        if result.is_err() {
            self.abort(client, facts);
        }
        Outcome::Answer(result)
    }

    fn begin_slot(
        &mut self,
        session: SessionId,
        client: &mut Session,
        name: &Arc<str>,
        config: &Arc<SlotConfig>,
        facts: &mut Vec<Fact>,
    ) -> Outcome {
        let refused = if client.tx.is_some_and(|tx| tx.id.is_some()) {
            let message = "a slot cannot be created in a transaction that has written";
            Some(SqlFailure::new("25001", message))
        } else {
            self.wal.slots.contains_key(name).then(|| exists(name))
        };
        if let Some(failure) = refused {
            self.abort(client, facts);
            return Outcome::Answer(Err(failure));
        }
        let writers = self.open_transactions().collect();
        let (name, config) = (Arc::clone(name), Arc::clone(config));
        self.create_slot(session, client, Creating { name, config, writers, wait: None }, facts)
    }

    /// Creates a slot once all transactions that were open at the request have ended, because
    /// the first changes of those could not be decoded.
    pub(super) fn create_slot(
        &mut self,
        session: SessionId,
        client: &mut Session,
        mut creating: Creating,
        facts: &mut Vec<Fact>,
    ) -> Outcome {
        let still_open = self.open_transactions().filter(|tx| creating.writers.contains(tx)).min();
        if let Some(on) = still_open {
            facts.push(Fact::Waits { session, on });
            let wait = Wait { on, row: None, since: 0, fails: None };
            creating.wait = Some(self.queued(wait, creating.wait));
            client.creating = Some(Box::new(creating));
            return Outcome::Blocked { on: vec![on] };
        }
        if self.wal.slots.contains_key(&creating.name) {
            self.abort(client, facts);
            return Outcome::Answer(Err(exists(&creating.name)));
        }
        self.flush();
        self.wal.slots.insert(creating.name, Slot::new(&creating.config, self.wal.end));
        Outcome::Answer(Ok(Reply::Done))
    }

    /// The slot, if no other session is reading it.
    fn acquired(&mut self, session: SessionId, name: &str) -> Result<&mut Slot, SqlFailure> {
        let slot = self.wal.slots.get_mut(name).ok_or_else(|| missing(name))?;
        if slot.reader.is_some_and(|reader| reader != session) {
            let message = format!("replication slot \"{name}\" is being read by another session");
            return Err(SqlFailure::new("55006", message));
        }
        if slot.lost {
            let message = format!("the log that replication slot \"{name}\" needs is gone");
            return Err(SqlFailure::new("55000", message));
        }
        Ok(slot)
    }

    /// Whole transactions from the confirmed position on, until there are `max` rows. The session
    /// becomes the slot's reader, until it is closed.
    fn read_slot(&mut self, session: SessionId, name: &str, max: u32) -> Result<Reply, SqlFailure> {
        self.acquired(session, name)?.reader = Some(session);
        let slot = self.wal.slots.get(name).ok_or_else(|| missing(name))?;
        let (mut rows, mut count) = (Vec::new(), 0);
        for commit in self.wal.after(slot.confirmed) {
            if count >= max {
                break;
            }
            rows.extend(decoded(&self.durable.tables, slot, commit));
            count = u32::try_from(rows.len()).unwrap_or(u32::MAX);
        }
        Ok(Reply::Rows { rows, count })
    }

    /// Confirms all up to a position. A position inside a transaction does not confirm it.
    fn advance_slot(
        &mut self,
        session: SessionId,
        name: &str,
        lsn: u64,
    ) -> Result<Reply, SqlFailure> {
        let flushed = self.wal.flushed;
        let slot = self.acquired(session, name)?;
        if lsn < slot.confirmed {
            let message = format!("{lsn} is before what was confirmed, {}", slot.confirmed);
            return Err(SqlFailure::new("55000", message));
        }
        slot.confirmed = lsn.min(flushed);
        Ok(Reply::Done)
    }

    fn drop_slot(&mut self, session: SessionId, name: &str) -> Result<Reply, SqlFailure> {
        match self.acquired(session, name) {
            // A lost slot can be dropped, if nothing else.
            Err(failure) if failure.code != "55000" => return Err(failure),
            _ => self.wal.slots.remove(name),
        };
        self.wal.recycle();
        Ok(Reply::Done)
    }

    /// All slots, by name.
    pub fn slots(&self) -> Vec<SlotView> {
        self.wal.slots.iter().map(|(name, slot)| self.slot_view(name, slot)).collect()
    }

    fn slot_view(&self, name: &Arc<str>, slot: &Slot) -> SlotView {
        let restart = self.wal.restart(slot);
        let retained = if slot.lost { 0 } else { self.wal.kept_after(restart) };
        let waiting = self
            .wal
            .after(slot.confirmed)
            .filter(|commit| !slot.lost && !decoded(&self.durable.tables, slot, commit).is_empty());
        let status = match (slot.lost, slot.may_keep(retained)) {
            (true, _) => SlotStatus::Lost,
            (false, true) => SlotStatus::Reserved,
            (false, false) => SlotStatus::Unreserved,
        };
        SlotView {
            name: Arc::clone(name),
            tables: slot.config.tables.clone(),
            confirmed: slot.confirmed,
            restart,
            retained,
            waiting: u32::try_from(waiting.count()).unwrap_or(u32::MAX),
            status,
            reader: slot.reader,
        }
    }
}

/// What a transaction did to the slot's tables, as objects `{ lsn, table, op, row }`. The last
/// of them has the position of the commit, so that confirming it confirms the transaction.
fn decoded(tables: &[Arc<Table>], slot: &Slot, commit: &Commit) -> Vec<Datum> {
    let before = commit.changes.len() as u64;
    let positions = commit.lsn.saturating_sub(before) + 1..;
    let mut found: Vec<(u64, Datum)> = Vec::new();
    for (lsn, change) in positions.zip(commit.changes.iter()) {
        let Some(table) = tables.get(change.table as usize) else { continue };
        let name = &table.def.name.text;
        if slot.decodes(name) {
            let row = image(table, change.op, &change.values);
            let fields = [
                ("table".into(), Datum::Text(Arc::clone(name))),
                ("op".into(), Datum::text(change.op.name())),
                ("row".into(), row),
            ];
            found.push((lsn, Datum::Object(fields.into())));
        }
    }
    if let Some(last) = found.last_mut() {
        last.0 = commit.lsn;
    }
    found.into_iter().map(|(lsn, change)| with_lsn(lsn, change)).collect()
}

fn with_lsn(lsn: u64, change: Datum) -> Datum {
    let Datum::Object(fields) = change else { return change };
    let lsn = Datum::Int(i64::try_from(lsn).unwrap_or(i64::MAX));
    Datum::Object(std::iter::once(("lsn".into(), lsn)).chain(fields.iter().cloned()).collect())
}

/// The new row; of a delete the primary key, which is the replica identity by default
/// (docs: sql-altertable, REPLICA IDENTITY).
fn image(table: &Table, op: Op, values: &[Datum]) -> Datum {
    let key = table.def.keys.iter().find(|key| key.primary);
    let shown = |column: &str| {
        let in_key = || key.is_some_and(|key| key.columns.iter().any(|c| *c.text == *column));
        op != Op::Delete || in_key()
    };
    let columns = table.def.columns.iter().zip(values);
    let fields = columns.filter(|(column, _)| shown(&column.name.text));
    Datum::Object(fields.map(|(c, value)| (Arc::clone(&c.name.text), value.clone())).collect())
}
