//! What the server knows of a client: its transaction and the statement that waits.

use crate::collections::Set;
use std::sync::Arc;

use super::TxId;
use super::slot::SlotConfig;
use super::table::Table;
use crate::datum::Datum;
use crate::script::sql::Statement;

#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub(super) struct Session {
    pub(super) tx: Option<Transaction>,
    /// The statement that is blocked.
    pub(super) running: Option<Box<Running>>,
    /// The slot that it waits to create.
    pub(super) creating: Option<Box<Creating>>,
    /// The SQLSTATE with which the next COMMIT will be refused.
    pub(super) refuse_commit: Option<&'static str>,
    /// When its last request was answered, if it is in a transaction.
    pub(super) idle_since_us: i64,
    /// The server has ended it with this SQLSTATE.
    pub(super) ended: Option<&'static str>,
}

impl Session {
    pub(super) fn wait(&self) -> Option<Wait> {
        match (&self.running, &self.creating) {
            (Some(running), _) => running.wait,
            (None, Some(creating)) => creating.wait,
            (None, None) => None,
        }
    }

    pub(super) fn wait_mut(&mut self) -> Option<&mut Wait> {
        match (&mut self.running, &mut self.creating) {
            (Some(running), _) => running.wait.as_mut(),
            (None, Some(creating)) => creating.wait.as_mut(),
            (None, None) => None,
        }
    }

    /// Outside transactions the time is not kept, so that equal states stay equal.
    pub(super) fn note_idle(&mut self, now_us: i64) {
        self.idle_since_us = if self.tx.is_some() { now_us } else { 0 };
    }

    pub(super) fn is_blocked(&self) -> bool {
        self.running.is_some() || self.creating.is_some()
    }

    /// The oldest transaction that its waiting statement's snapshot holds to be open.
    pub(super) fn snapshot_xmin(&self) -> Option<TxId> {
        self.running.as_ref()?.xmin
    }
}

/// A slot that waits for the end of the transactions that were open when it was asked for.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct Creating {
    pub(super) name: Arc<str>,
    pub(super) config: Arc<SlotConfig>,
    pub(super) writers: Set<TxId>,
    pub(super) wait: Option<Wait>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct Transaction {
    /// Assigned at the first write or row lock.
    pub(super) id: Option<TxId>,
    /// The value of `now()`.
    pub(super) start_us: i64,
    /// Begun by BEGIN rather than for one statement.
    pub(super) explicit: bool,
    /// A statement has failed; its effects and locks are gone already.
    pub(super) failed: bool,
}

impl Transaction {
    pub(super) fn begin(start_us: i64, explicit: bool) -> Self {
        Self { id: None, start_us, explicit, failed: false }
    }
}

/// A statement under way.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct Running {
    pub(super) statement: Arc<Statement>,
    pub(super) params: Arc<[Datum]>,
    /// The tables as they were when the statement began, if sub-queries may still look at them.
    pub(super) snapshot: Vec<Arc<Table>>,
    /// The walk of the locking sub-query, which comes first.
    pub(super) inner: Walk,
    pub(super) outer: Walk,
    /// The oldest transaction that was open when the statement began.
    pub(super) xmin: Option<TxId>,
    pub(super) wait: Option<Wait>,
}

/// How far a statement has come.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub(super) struct Walk {
    pub(super) started: bool,
    /// The rows found when the statement began; an insert notes here the rows it has made.
    pub(super) candidates: Vec<Candidate>,
    pub(super) next: u32,
    /// A row to be inserted whose defaults are taken, or an updated one whose keys are unchecked.
    pub(super) ready: Option<Arc<[Datum]>>,
    pub(super) rows: Vec<Datum>,
    pub(super) count: u32,
    pub(super) skipped: u32,
}

/// A row found at the start of a statement, and the version that was seen.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct Candidate {
    pub(super) row: u64,
    pub(super) place: u64,
}

/// What a blocked statement waits for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct Wait {
    /// The transaction that must end.
    pub(super) on: TxId,
    /// The locked row (table, row); none when it waits over a unique key.
    pub(super) row: Option<(u32, u64)>,
    /// Its place in the queue of waiters.
    pub(super) since: u64,
    /// The SQLSTATE with which it will be ended instead.
    pub(super) fails: Option<&'static str>,
}

impl Running {
    pub(super) fn new(statement: &Arc<Statement>, params: &Arc<[Datum]>) -> Self {
        Self {
            statement: Arc::clone(statement),
            params: Arc::clone(params),
            snapshot: Vec::new(),
            inner: Walk::default(),
            outer: Walk::default(),
            xmin: None,
            wait: None,
        }
    }
}
