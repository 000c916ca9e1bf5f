//! A table's rows. A row is a committed version and at most one uncommitted change, held by the
//! transaction that has locked the row.

use crate::collections::{Map, Set, sort_by};
use std::sync::Arc;

use super::TxId;
use crate::datum::Datum;
use crate::script::sql::TableDef;

/// How many numbers a sequence logs ahead; after a crash it goes on behind them
/// (PostgreSQL's `SEQ_LOG_VALS`).
const SEQUENCE_LOG_AHEAD: i64 = 32;

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct Table {
    pub(super) def: Arc<TableDef>,
    /// In order of their ids, which is the order of their insertion.
    pub(super) rows: Vec<Row>,
    next_row: u64,
    next_place: u64,
    /// One for each column that counts, by the column's position.
    sequences: Map<u32, Sequence>,
    /// Versions that nobody may see any more, by the transaction that ended them; those of
    /// rolled-back transactions under `TxId(0)`.
    pub(super) dead: Map<TxId, u32>,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct Row {
    pub(super) id: u64,
    pub(super) committed: Option<Version>,
    /// Who has locked the row; set whenever there is a change.
    pub(super) holder: Option<TxId>,
    pub(super) change: Option<Change>,
    /// What the holder had written before the change: the keys in it stay in doubt for others.
    pub(super) former: Vec<Arc<[Datum]>>,
    /// Who has made rows that refer to this one: it must keep its key until they have ended
    /// (`FOR KEY SHARE`).
    pub(super) shared: Set<TxId>,
}

/// One version of a row. A scan meets versions in the order of their places: a new version goes
/// to the end of the heap, so an updated row moves behind the others.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct Version {
    pub(super) place: u64,
    pub(super) values: Arc<[Datum]>,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) enum Change {
    Write(Version),
    Delete,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
struct Sequence {
    last: i64,
    logged: i64,
    /// What of `logged` is on disk.
    flushed: i64,
}

fn forget_times(values: &mut Arc<[Datum]>) {
    if values.iter().any(|value| value.without_time() != *value) {
        *values = values.iter().map(Datum::without_time).collect();
    }
}

impl Row {
    /// The version that a transaction sees: its own change, else what is committed.
    pub(super) fn seen_by(&self, tx: Option<TxId>) -> Option<&Version> {
        match &self.change {
            Some(change) if tx.is_some() && self.holder == tx => match change {
                Change::Write(version) => Some(version),
                Change::Delete => None,
            },
            _ => self.committed.as_ref(),
        }
    }

    /// The transaction that keeps `tx` from locking the row.
    pub(super) fn held_against(&self, tx: Option<TxId>) -> Option<TxId> {
        self.holder.filter(|holder| Some(*holder) != tx)
    }

    /// A transaction that keeps `tx` from removing the row's key.
    pub(super) fn shared_against(&self, tx: Option<TxId>) -> Option<TxId> {
        self.shared.iter().copied().find(|sharer| Some(*sharer) != tx)
    }
}

impl Table {
    pub(super) fn new(def: Arc<TableDef>) -> Self {
        let counts = (0u32..).zip(&def.columns).filter(|(_, column)| column.sequence.is_some());
        let sequences = counts.map(|(at, _)| (at, Sequence::default())).collect();
        Self { def, rows: Vec::new(), next_row: 1, next_place: 1, sequences, dead: Map::new() }
    }

    pub(super) fn row(&self, id: u64) -> Option<&Row> {
        let at = self.rows.binary_search_by_key(&id, |row| row.id).ok()?;
        self.rows.get(at)
    }

    fn row_mut(&mut self, id: u64) -> Option<&mut Row> {
        let at = self.rows.binary_search_by_key(&id, |row| row.id).ok()?;
        self.rows.get_mut(at)
    }

    /// The rows that a transaction sees, in the order in which a scan meets them.
    pub(super) fn scan(&self, tx: Option<TxId>) -> Vec<(u64, &Version)> {
        let seen = self.rows.iter().filter_map(|row| Some((row.id, row.seen_by(tx)?)));
        let mut seen: Vec<_> = seen.collect();
        sort_by(&mut seen, |(_, a), (_, b)| a.place.cmp(&b.place));
        seen
    }

    /// Every version that a scan walks over, dead or alive.
    pub(super) fn versions(&self) -> (u32, u32) {
        let live = self.rows.iter().map(|row| {
            u32::from(row.committed.is_some())
                + u32::from(matches!(row.change, Some(Change::Write(_))))
        });
        (live.sum(), self.dead.values().sum())
    }

    /// The next number of a column's sequence. It is never taken back
    /// (docs: functions-sequence).
    pub(super) fn next_number(&mut self, column: u32) -> i64 {
        let sequence = self.sequences.entry(column).or_default();
        sequence.last += 1;
        if sequence.last > sequence.logged {
            sequence.logged = sequence.last + SEQUENCE_LOG_AHEAD;
        }
        sequence.last
    }

    fn version(&mut self, values: Arc<[Datum]>) -> Version {
        let place = self.next_place;
        self.next_place += 1;
        Version { place, values }
    }

    fn bury(&mut self, ended_by: TxId, versions: u32) {
        if versions > 0 {
            *self.dead.entry(ended_by).or_default() += versions;
        }
    }

    pub(super) fn insert(&mut self, tx: TxId, values: Arc<[Datum]>) -> u64 {
        let id = self.next_row;
        self.next_row += 1;
        let version = self.version(values);
        self.rows.push(Row {
            id,
            committed: None,
            holder: Some(tx),
            change: Some(Change::Write(version)),
            former: Vec::new(),
            shared: Set::new(),
        });
        id
    }

    pub(super) fn lock(&mut self, tx: TxId, id: u64) {
        if let Some(row) = self.row_mut(id) {
            row.holder = Some(tx);
        }
    }

    pub(super) fn share(&mut self, tx: TxId, id: u64) {
        if let Some(row) = self.row_mut(id) {
            row.shared.insert(tx);
        }
    }

    /// Changes a row that `tx` may lock.
    pub(super) fn change(&mut self, tx: TxId, id: u64, values: Option<Arc<[Datum]>>) {
        let change = match values {
            Some(values) => Change::Write(self.version(values)),
            None => Change::Delete,
        };
        let Some(row) = self.row_mut(id) else { return };
        row.holder = Some(tx);
        if let Some(Change::Write(former)) = row.change.replace(change) {
            row.former.push(former.values);
            self.bury(tx, 1);
        }
    }

    pub(super) fn touched_by(&self, tx: TxId) -> bool {
        self.rows.iter().any(|row| row.holder == Some(tx) || row.shared.contains(&tx))
    }

    /// Ends a transaction: its changes become the committed state, or vanish; its locks go.
    pub(super) fn finish(&mut self, tx: TxId, commit: bool) {
        let mut ended = 0;
        let mut vanished = 0;
        for row in &mut self.rows {
            row.shared.remove(&tx);
        }
        for row in self.rows.iter_mut().filter(|row| row.holder == Some(tx)) {
            row.holder = None;
            row.former.clear();
            match (row.change.take(), commit) {
                (None, _) | (Some(Change::Delete), false) => {}
                (Some(Change::Write(_)), false) => vanished += 1,
                (Some(Change::Write(version)), true) => {
                    ended += u32::from(row.committed.replace(version).is_some());
                }
                (Some(Change::Delete), true) => ended += u32::from(row.committed.take().is_some()),
            }
        }
        self.rows.retain(|row| row.committed.is_some() || row.change.is_some());
        self.bury(tx, ended);
        self.bury(TxId(0), vanished);
    }

    pub(super) fn has_unflushed_numbers(&self) -> bool {
        self.sequences.values().any(|sequence| sequence.flushed != sequence.logged)
    }

    pub(super) fn flush_numbers(&mut self) {
        for sequence in self.sequences.values_mut() {
            sequence.flushed = sequence.logged;
        }
    }

    /// After a crash a sequence goes on behind what was logged ahead on disk. Numbers beyond
    /// that are given a second time.
    pub(super) fn recover_numbers(&mut self) {
        for sequence in self.sequences.values_mut() {
            sequence.last = sequence.flushed;
            sequence.logged = sequence.flushed;
        }
    }

    /// Forgets what tells nothing about what the table will do: dead versions and the times in
    /// rows; and gives transactions other numbers. With `rows`, rows and places are numbered
    /// anew in their order.
    pub(super) fn canonical(&mut self, tx: &dyn Fn(TxId) -> TxId, rows: bool) {
        self.dead.clear();
        if rows {
            self.renumber();
        }
        for row in &mut self.rows {
            row.holder = row.holder.map(tx);
            row.shared = row.shared.iter().map(|sharer| tx(*sharer)).collect();
            row.former.iter_mut().for_each(forget_times);
            let change = match &mut row.change {
                Some(Change::Write(version)) => Some(version),
                _ => None,
            };
            for version in row.committed.iter_mut().chain(change) {
                forget_times(&mut version.values);
            }
        }
    }

    fn renumber(&mut self) {
        fn versions(row: &mut Row) -> impl Iterator<Item = &mut Version> {
            let change = match &mut row.change {
                Some(Change::Write(version)) => Some(version),
                _ => None,
            };
            row.committed.iter_mut().chain(change)
        }
        (self.next_row, self.next_place) = (0, 0);
        let places = self.rows.iter_mut().flat_map(versions).map(|version| version.place);
        let places: Set<u64> = places.collect();
        let places: Map<u64, u64> = places.iter().copied().zip(1..).collect();
        for (id, row) in (1..).zip(&mut self.rows) {
            row.id = id;
            for version in versions(row) {
                version.place = places.get(&version.place).copied().unwrap_or_default();
            }
        }
    }

    /// The transactions that hold or share rows.
    pub(super) fn holders(&self) -> Set<TxId> {
        self.rows.iter().flat_map(|row| row.holder.into_iter().chain(row.shared.clone())).collect()
    }

    /// Removes dead versions that ended before every transaction that might need them.
    pub(super) fn vacuum(&mut self, oldest: TxId) -> u32 {
        let kept = self.dead.split_off(&oldest);
        let removed = std::mem::replace(&mut self.dead, kept);
        removed.values().sum()
    }
}
