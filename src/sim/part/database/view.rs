//! Read-only pictures of the database, for the stage and the audit.

use std::sync::Arc;

use super::table::{Change, Row, Table, Version};
use super::{Database, SessionId, TxId};
use crate::datum::Datum;

/// A table with its rows, in the order of their insertion.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct TableView {
    /// Its name.
    pub name: Arc<str>,
    /// Its columns.
    pub columns: Vec<Arc<str>>,
    /// Its rows.
    pub rows: Vec<RowView>,
    /// Dead versions that every scan walks over until a vacuum.
    pub dead: u32,
}

/// A row.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct RowView {
    /// Its id within the table; stays the same through updates.
    pub id: u64,
    /// The committed values as an object; `None` while its insert is uncommitted.
    pub committed: Option<Datum>,
    /// The change that is not yet committed, by the holder.
    pub change: Option<ChangeView>,
    /// Who has locked it.
    pub holder: Option<Holder>,
}

/// An uncommitted change.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum ChangeView {
    /// Inserted, with these values.
    Inserted(Datum),
    /// Updated to these values.
    Updated(Datum),
    /// Deleted.
    Deleted,
}

/// The owner of a lock.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Holder {
    /// The transaction.
    pub tx: TxId,
    /// Its session; `None` if it is prepared.
    pub session: Option<SessionId>,
    /// Its name, if it is prepared.
    pub prepared: Option<Arc<str>>,
}

/// A session.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct SessionView {
    /// Which.
    pub session: SessionId,
    /// What it is about.
    pub state: SessionState,
}

/// What a session is about.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum SessionState {
    /// Nothing.
    Idle,
    /// It is in a transaction, between statements.
    InTransaction {
        /// When that began, in microseconds.
        since_us: i64,
        /// Its id, if it has one.
        tx: Option<TxId>,
        /// A statement has failed; only ROLLBACK helps.
        failed: bool,
    },
    /// Its statement waits.
    Blocked {
        /// The transactions it waits for; empty if it can go on.
        on: Vec<TxId>,
    },
}

impl Database {
    /// All tables, in the order of the schema.
    pub fn tables(&self) -> Vec<TableView> {
        self.durable.tables.iter().map(|table| self.table_view(table)).collect()
    }

    /// One row of a table.
    pub fn row(&self, table: &str, id: u64) -> Option<RowView> {
        let table = self.durable.tables.iter().find(|known| *known.def.name.text == *table)?;
        table.row(id).map(|row| self.row_view(table, row))
    }

    fn table_view(&self, table: &Table) -> TableView {
        let columns = table.def.columns.iter().map(|column| Arc::clone(&column.name.text));
        let rows = table.rows.iter().map(|row| self.row_view(table, row));
        TableView {
            name: Arc::clone(&table.def.name.text),
            columns: columns.collect(),
            rows: rows.collect(),
            dead: table.versions().1,
        }
    }

    fn row_view(&self, table: &Table, row: &Row) -> RowView {
        let change = row.change.as_ref().map(|change| match change {
            Change::Write(version) if row.committed.is_some() => {
                ChangeView::Updated(object(table, version))
            }
            Change::Write(version) => ChangeView::Inserted(object(table, version)),
            Change::Delete => ChangeView::Deleted,
        });
        RowView {
            id: row.id,
            committed: row.committed.as_ref().map(|version| object(table, version)),
            change,
            holder: row.holder.map(|tx| self.holder(tx)),
        }
    }

    /// Who a transaction belongs to.
    pub fn holder(&self, tx: TxId) -> Holder {
        let mut sessions = self.volatile.sessions.iter();
        let owner = sessions.find(|(_, session)| session.tx.is_some_and(|own| own.id == Some(tx)));
        let mut prepared = self.durable.prepared.iter();
        Holder {
            tx,
            session: owner.map(|(id, _)| *id),
            prepared: prepared.find(|(_, id)| **id == tx).map(|(name, _)| Arc::clone(name)),
        }
    }

    /// All sessions that have asked anything and were neither closed nor ended.
    pub fn sessions(&self) -> Vec<SessionView> {
        let alive = self.volatile.sessions.iter().filter(|(_, session)| session.ended.is_none());
        let view = alive.map(|(id, session)| {
            let state = match (session.is_blocked(), session.tx) {
                (true, _) => SessionState::Blocked { on: self.waits_on(session) },
                (false, None) => SessionState::Idle,
                (false, Some(tx)) => SessionState::InTransaction {
                    since_us: tx.start_us,
                    tx: tx.id,
                    failed: tx.failed,
                },
            };
            SessionView { session: *id, state }
        });
        view.collect()
    }

    /// The prepared transactions, by name.
    pub fn prepared(&self) -> Vec<(Arc<str>, TxId)> {
        let prepared = self.durable.prepared.iter();
        prepared.map(|(name, id)| (Arc::clone(name), *id)).collect()
    }
}

fn object(table: &Table, version: &Version) -> Datum {
    let names = table.def.columns.iter().map(|column| Arc::clone(&column.name.text));
    Datum::Object(names.zip(version.values.iter().cloned()).collect())
}
