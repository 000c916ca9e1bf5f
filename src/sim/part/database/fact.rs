//! What happened inside the database, for the event log and for noticing change.

use std::sync::Arc;

use super::{SessionId, TxId};

/// One thing that happened, in order.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Fact {
    /// A row was inserted, not yet committed.
    Inserted {
        /// Its table.
        table: Arc<str>,
        /// Its id within the table.
        row: u64,
        /// By whom.
        tx: TxId,
    },
    /// A row got a new uncommitted version.
    Updated {
        /// Its table.
        table: Arc<str>,
        /// Its id within the table.
        row: u64,
        /// By whom.
        tx: TxId,
    },
    /// A row was deleted, not yet committed.
    Deleted {
        /// Its table.
        table: Arc<str>,
        /// Its id within the table.
        row: u64,
        /// By whom.
        tx: TxId,
    },
    /// A row was locked without a change.
    Locked {
        /// Its table.
        table: Arc<str>,
        /// Its id within the table.
        row: u64,
        /// By whom.
        tx: TxId,
    },
    /// `SKIP LOCKED` passed over rows.
    RowsSkipped {
        /// Their table.
        table: Arc<str>,
        /// How many.
        count: u32,
    },
    /// `ON CONFLICT` found a row with the same key.
    Conflict {
        /// Its table.
        table: Arc<str>,
        /// The row that is there already.
        row: u64,
    },
    /// A statement read a table; dead versions cost as much as live ones.
    Scanned {
        /// The table.
        table: Arc<str>,
        /// Versions that somebody may still see.
        live: u32,
        /// Versions that nobody can see any more.
        dead: u32,
    },
    /// A statement waits for the end of a transaction.
    Waits {
        /// Whose statement.
        session: SessionId,
        /// The holder.
        on: TxId,
    },
    /// A transaction that had an id was committed; the order of these is the commit order.
    Committed {
        /// Which.
        tx: TxId,
    },
    /// A transaction that had an id was rolled back.
    RolledBack {
        /// Which.
        tx: TxId,
    },
    /// A transaction was prepared and left its session.
    Prepared {
        /// Which.
        tx: TxId,
        /// Its name.
        name: Arc<str>,
    },
    /// A commit that was answered and not yet on disk is gone with a crash.
    CommitLost {
        /// Which.
        tx: TxId,
    },
    /// A slot kept more log than it may, and a checkpoint took it away.
    SlotLost {
        /// Its name.
        slot: Arc<str>,
    },
    /// Dead versions were removed from a table.
    Vacuumed {
        /// The table.
        table: Arc<str>,
        /// How many.
        removed: u32,
    },
}
