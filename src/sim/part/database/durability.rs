//! What is on disk: the flush of commits that were answered early, checkpoints, and what a crash
//! takes back (docs: wal-async-commit, wal-configuration).

use crate::collections::Set;
use std::sync::Arc;

use super::session::Session;
use super::table::Table;
use super::{Database, Fact, SqlFailure, TxId, Volatile};

/// Commits that were answered and are not on disk.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct Unflushed {
    /// The tables before the first of them.
    tables: Vec<Arc<Table>>,
    /// In commit order.
    commits: Vec<TxId>,
}

impl Database {
    /// Before an asynchronous commit: remembers what a crash would go back to.
    pub(super) fn remember_unflushed(&mut self, tx: TxId) {
        let tables = &self.durable.tables;
        let unflushed = self
            .volatile
            .unflushed
            .get_or_insert_with(|| Box::new(Unflushed { tables: tables.clone(), commits: vec![] }));
        unflushed.commits.push(tx);
    }

    /// Whether commits were answered that a crash would take back. The WAL writer flushes them
    /// after at most three times `wal_writer_delay`, 200 ms by default.
    pub fn pending_flush(&self) -> bool {
        self.volatile.unflushed.is_some()
    }

    /// The log is on disk up to its end.
    pub fn flush(&mut self) {
        self.volatile.unflushed = None;
        self.wal.flushed = self.wal.end;
        for table in self.durable.tables.iter_mut().filter(|table| table.has_unflushed_numbers()) {
            Arc::make_mut(table).flush_numbers();
        }
    }

    /// A checkpoint: saves the slots' positions, gives up on slots that keep more than they may,
    /// and removes the log that nobody needs. PostgreSQL makes one every five minutes by default,
    /// and sooner under load.
    pub fn checkpoint(&mut self, facts: &mut Vec<Fact>) {
        self.flush();
        let mut slots = std::mem::take(&mut self.wal.slots);
        for (name, slot) in slots.iter_mut().filter(|(_, slot)| !slot.lost) {
            let restart = self.wal.restart(slot);
            if slot.may_keep(self.wal.kept_after(restart)) {
                slot.saved = super::slot::Positions { confirmed: slot.confirmed, restart };
            } else {
                slot.lost = true;
                slot.reader = None;
                facts.push(Fact::SlotLost { slot: Arc::clone(name) });
            }
        }
        self.wal.slots = slots;
        self.wal.recycle();
    }

    /// How many commits the log keeps for slots. Without a limit on a slot this grows for as long
    /// as its consumer confirms nothing.
    pub fn wal_kept(&self) -> u32 {
        self.wal.kept()
    }

    /// Fails if a transaction must write to the log and the disk is full of it.
    pub(super) fn room_for(&self, tx: Option<TxId>) -> Result<(), SqlFailure> {
        let full = self.settings.wal_disk_max.is_some_and(|most| self.wal.kept() >= most);
        if full && tx.is_some_and(|tx| self.wal.has_changes(tx)) {
            return Err(SqlFailure::new("53100", "the disk of the log is full"));
        }
        Ok(())
    }

    /// The server's process or its power is gone. Commits on disk and prepared transactions with
    /// their locks stay; sessions and commits that were not flushed vanish; sequences go on
    /// behind what they had logged ahead on disk.
    pub fn crash(&mut self, facts: &mut Vec<Fact>) {
        let prepared: Set<TxId> = self.durable.prepared.values().copied().collect();
        if let Some(unflushed) = self.volatile.unflushed.take() {
            self.durable.tables = unflushed.tables;
            facts.extend(unflushed.commits.into_iter().map(|tx| Fact::CommitLost { tx }));
        }
        let open: Set<TxId> =
            self.volatile.sessions.values().filter_map(|session| session.tx?.id).collect();
        facts.extend(open.into_iter().map(|tx| Fact::RolledBack { tx }));
        for table in &mut self.durable.tables {
            let table = Arc::make_mut(table);
            for tx in table.holders().into_iter().filter(|tx| !prepared.contains(tx)) {
                table.finish(tx, false);
            }
            table.recover_numbers();
        }
        self.wal.crash(&prepared);
        self.volatile = Volatile { horizon_us: self.volatile.horizon_us, ..Volatile::new() };
    }

    /// Removes dead versions that no open or prepared transaction, and no snapshot of a statement
    /// that is waiting, holds back (docs: routine-vacuuming).
    pub fn vacuum(&mut self, facts: &mut Vec<Fact>) {
        let snapshots = self.volatile.sessions.values().filter_map(Session::snapshot_xmin);
        let oldest = self.open_transactions().chain(snapshots).min();
        let oldest = oldest.unwrap_or(TxId(self.durable.next_tx));
        for table in self.durable.tables.iter_mut().filter(|table| !table.dead.is_empty()) {
            let removed = Arc::make_mut(table).vacuum(oldest);
            let table = Arc::clone(&table.def.name.text);
            facts.push(Fact::Vacuumed { table, removed });
        }
    }
}
