//! The write-ahead log as logical decoding sees it: committed transactions with their row
//! changes, in commit order. Positions count row changes rather than bytes, and are given at
//! commit. The log is kept only as far back as a slot needs it.

use crate::collections::{Map, Set};
use std::sync::Arc;

use super::TxId;
use super::slot::Slot;
use crate::datum::Datum;

#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub(super) struct Wal {
    /// The position of the last commit.
    pub(super) end: u64,
    /// The log is on disk up to here.
    pub(super) flushed: u64,
    /// The changes of transactions that are open or prepared.
    open: Map<TxId, Open>,
    /// What slots may still need, in commit order.
    commits: Vec<Commit>,
    pub(super) slots: Map<Arc<str>, Slot>,
}

/// A transaction that has not ended.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct Open {
    /// The end of the log at its first change.
    begin: u64,
    changes: Vec<RowChange>,
}

/// A committed transaction.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct Commit {
    /// Its position; that of its first change is this less the other changes.
    pub(super) lsn: u64,
    /// Never empty.
    pub(super) changes: Arc<[RowChange]>,
}

/// One change of one row.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct RowChange {
    /// The table's place in the schema.
    pub(super) table: u32,
    pub(super) op: Op,
    /// The new row; of a delete the old one.
    pub(super) values: Arc<[Datum]>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Op {
    Insert,
    Update,
    Delete,
}

impl Op {
    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Insert => "insert",
            Self::Update => "update",
            Self::Delete => "delete",
        }
    }
}

impl Wal {
    pub(super) fn record(&mut self, tx: TxId, table: u32, op: Op, values: Arc<[Datum]>) {
        let begin = self.end;
        let open = self.open.entry(tx).or_insert_with(|| Open { begin, changes: Vec::new() });
        open.changes.push(RowChange { table, op, values });
    }

    pub(super) fn has_changes(&self, tx: TxId) -> bool {
        self.open.contains_key(&tx)
    }

    /// Ends a transaction. A rolled-back one leaves nothing that decoding would show.
    pub(super) fn finish(&mut self, tx: TxId, commit: bool) {
        let Some(open) = self.open.remove(&tx).filter(|_| commit) else { return };
        self.end += u64::try_from(open.changes.len()).unwrap_or(u64::MAX);
        if !self.slots.is_empty() {
            self.commits.push(Commit { lsn: self.end, changes: open.changes.into() });
        }
    }

    /// The commits on disk behind a position, in commit order.
    pub(super) fn after(&self, lsn: u64) -> impl Iterator<Item = &Commit> {
        self.commits.iter().filter(move |commit| lsn < commit.lsn && commit.lsn <= self.flushed)
    }

    /// From where on a slot needs the log. The changes of a transaction that is still open lie
    /// further back than what was confirmed.
    pub(super) fn restart(&self, slot: &Slot) -> u64 {
        self.open.values().map(|open| open.begin).fold(slot.confirmed, u64::min)
    }

    /// How many commits the log keeps in all.
    pub(super) fn kept(&self) -> u32 {
        u32::try_from(self.commits.len()).unwrap_or(u32::MAX)
    }

    /// How many of them are behind a position.
    pub(super) fn kept_after(&self, lsn: u64) -> u32 {
        let count = self.commits.iter().filter(|commit| commit.lsn > lsn).count();
        u32::try_from(count).unwrap_or(u32::MAX)
    }

    /// Removes what no slot needs, even after a crash.
    pub(super) fn recycle(&mut self) {
        let slots = self.slots.values().filter(|slot| !slot.lost);
        let needed = slots.map(|slot| slot.saved.restart).min().unwrap_or(u64::MAX);
        self.commits.retain(|commit| commit.lsn > needed);
    }

    /// What was not on disk is gone, and slots go back to where the last checkpoint saved them.
    pub(super) fn crash(&mut self, prepared: &Set<TxId>) {
        self.end = self.flushed;
        self.commits.retain(|commit| commit.lsn <= self.flushed);
        self.open.retain(|tx, _| prepared.contains(tx));
        for slot in self.slots.values_mut() {
            slot.confirmed = slot.saved.confirmed;
            slot.reader = None;
        }
    }
}
