//! PostgreSQL in miniature: a pure state machine of tables, transactions at READ COMMITTED, row
//! locks and prepared transactions. It knows no clock and no network: the caller says what time
//! it is, passes requests in, and resumes blocked statements as steps of their own.

mod canon;
mod durability;
mod eval;
mod fact;
mod failure;
mod functions;
mod hash;
mod insert;
mod json;
mod limits;
mod query;
mod references;
mod run;
mod session;
mod slot;
mod table;
mod timestamp;
mod transaction;
mod value;
mod view;
mod wait;
mod wal;
mod write;

#[cfg(test)]
mod tests;

use crate::collections::Map;
use std::sync::Arc;

pub use fact::Fact;
pub use failure::SqlFailure;
pub use slot::{SlotConfig, SlotStatus, SlotView};
pub use view::{ChangeView, Holder, RowView, SessionState, SessionView, TableView};

use crate::datum::Datum;
use crate::script::sql::{Statement, TableDef};
use durability::Unflushed;
use session::{Running, Session, Transaction};
use table::Table;
use wal::Wal;

/// A client's connection.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct SessionId(pub u32);

/// A transaction's id (`xid8`), assigned at its first write or row lock; counted from 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct TxId(pub u64);

/// What a client can ask.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Request {
    /// `BEGIN`.
    Begin,
    /// A statement; outside BEGIN it is its own transaction.
    Query {
        /// The statement.
        statement: Arc<Statement>,
        /// `$1`, `$2`, …
        params: Arc<[Datum]>,
    },
    /// `COMMIT`.
    Commit,
    /// `ROLLBACK`.
    Rollback,
    /// `PREPARE TRANSACTION 'name'`.
    Prepare(Arc<str>),
    /// `COMMIT PREPARED 'name'`.
    CommitPrepared(Arc<str>),
    /// `ROLLBACK PREPARED 'name'`.
    RollbackPrepared(Arc<str>),
    /// Creates a logical replication slot, which begins with the next commit. Waits until all
    /// transactions that are open now have ended.
    CreateSlot {
        /// Its name.
        name: Arc<str>,
        /// What it decodes and keeps.
        config: Arc<SlotConfig>,
    },
    /// Returns committed changes from the slot's confirmed position on, as objects
    /// `{ lsn, table, op, row }`, whole transactions in commit order. Reading again without
    /// `AdvanceSlot` returns the same ones. Keeps the slot for this session until it is closed.
    ReadSlot {
        /// Its name.
        name: Arc<str>,
        /// No further transaction is added once there are so many rows.
        max: u32,
    },
    /// Confirms all changes up to a position.
    AdvanceSlot {
        /// Its name.
        name: Arc<str>,
        /// The `lsn` of the last change that is done with.
        lsn: u64,
    },
    /// Drops a slot; what only it kept of the log is removed.
    DropSlot {
        /// Its name.
        name: Arc<str>,
    },
}

/// What a client is told on success.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Reply {
    /// Done.
    Done,
    /// COMMIT or PREPARE of a failed transaction: it was rolled back, without an error.
    RolledBack,
    /// The result of a statement.
    Rows {
        /// Objects keyed by column name; empty without RETURNING.
        rows: Vec<Datum>,
        /// How many rows were returned, or changed.
        count: u32,
    },
}

/// How a request ended, for now.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Outcome {
    /// It is over.
    Answer(Result<Reply, SqlFailure>),
    /// The statement waits, and keeps the locks it has.
    Blocked {
        /// The transactions that it waits for.
        on: Vec<TxId>,
    },
}

/// How a server is set up.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Settings {
    /// `synchronous_commit = off`: COMMIT is answered before it is on disk.
    pub asynchronous_commit: bool,
    /// `max_connections`: the next session beyond so many is refused.
    pub max_connections: Option<u32>,
    /// The disk of the log is full when it keeps so many commits for slots.
    pub wal_disk_max: Option<u32>,
}

/// The server. Cloning is cheap: tables are shared until one is changed.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Database {
    settings: Settings,
    durable: Durable,
    wal: Wal,
    volatile: Volatile,
}

/// What survives a crash, once its transaction is committed or prepared.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct Durable {
    tables: Vec<Arc<Table>>,
    prepared: Map<Arc<str>, TxId>,
    next_tx: u64,
}

/// What a crash takes away.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct Volatile {
    sessions: Map<SessionId, Session>,
    horizon_us: i64,
    unflushed: Option<Box<Unflushed>>,
}

const NO_HORIZON: i64 = i64::MIN;

impl Volatile {
    fn new() -> Self {
        Self { sessions: Map::new(), horizon_us: NO_HORIZON, unflushed: None }
    }
}

impl Database {
    /// An empty database with these tables and the default settings.
    pub fn new(tables: &[TableDef]) -> Self {
        Self::with_settings(tables, Settings::default())
    }

    /// An empty database with these tables.
    pub fn with_settings(tables: &[TableDef], settings: Settings) -> Self {
        let tables = tables.iter().map(|def| Arc::new(Table::new(Arc::new(def.clone()))));
        let durable = Durable { tables: tables.collect(), prepared: Map::new(), next_tx: 1 };
        Self { settings, durable, wal: Wal::default(), volatile: Volatile::new() }
    }

    /// Serves a request. A session begins with its first request; one too many fails with
    /// `53300`. While a session's statement is blocked, its further requests fail with `08P01`;
    /// all requests of a session that the server has ended fail with the SQLSTATE of its end.
    pub fn execute(
        &mut self,
        session: SessionId,
        request: &Request,
        now_us: i64,
        facts: &mut Vec<Fact>,
    ) -> Outcome {
        if let Err(refusal) = self.admits(session) {
            return Outcome::Answer(Err(refusal));
        }
        let mut client = self.volatile.sessions.remove(&session).unwrap_or_default();
        let outcome = if client.is_blocked() {
            Outcome::Answer(Err(SqlFailure::new("08P01", "the session waits for its statement")))
        } else {
            self.serve(session, &mut client, request, now_us, facts)
        };
        client.note_idle(now_us);
        self.volatile.sessions.insert(session, client);
        outcome
    }

    fn serve(
        &mut self,
        session: SessionId,
        client: &mut Session,
        request: &Request,
        now_us: i64,
        facts: &mut Vec<Fact>,
    ) -> Outcome {
        match request {
            Request::Query { statement, params } => {
                self.query(session, client, Running::new(statement, params), now_us, facts)
            }
            Request::CreateSlot { .. }
            | Request::ReadSlot { .. }
            | Request::AdvanceSlot { .. }
            | Request::DropSlot { .. } => {
                if client.tx.is_some_and(|tx| tx.failed) {
                    return Outcome::Answer(Err(transaction::aborted()));
                }
                self.slot_request(session, client, request, facts)
            }
            _ => Outcome::Answer(self.control(client, request, now_us, facts)),
        }
    }

    /// Goes on with a blocked statement. One that still has to wait is blocked again; a session
    /// that waits for nothing gets `08P01`.
    pub fn resume(&mut self, session: SessionId, now_us: i64, facts: &mut Vec<Fact>) -> Outcome {
        let mut client = self.volatile.sessions.remove(&session).unwrap_or_default();
        let fails = client.wait().and_then(|wait| wait.fails);
        let (running, creating) = (client.running.take(), client.creating.take());
        let outcome = match (fails, running, creating) {
            (_, None, None) => {
                Outcome::Answer(Err(SqlFailure::new("08P01", "no statement waits here")))
            }
            (Some(code), ..) => {
                self.abort(&mut client, facts);
                Outcome::Answer(Err(wait::ended(code)))
            }
            (None, Some(running), _) => self.drive(session, &mut client, *running, facts),
            (None, None, Some(creating)) => {
                self.create_slot(session, &mut client, *creating, facts)
            }
        };
        client.note_idle(now_us);
        self.volatile.sessions.insert(session, client);
        outcome
    }

    fn query(
        &mut self,
        session: SessionId,
        client: &mut Session,
        running: Running,
        now_us: i64,
        facts: &mut Vec<Fact>,
    ) -> Outcome {
        let tx = client.tx.get_or_insert_with(|| Transaction::begin(now_us, false));
        if tx.failed {
            return Outcome::Answer(Err(transaction::aborted()));
        }
        self.drive(session, client, running, facts)
    }

    /// Runs a statement as far as it goes.
    fn drive(
        &mut self,
        session: SessionId,
        client: &mut Session,
        mut running: Running,
        facts: &mut Vec<Fact>,
    ) -> Outcome {
        let oldest_open = self.open_transactions().min();
        running.xmin = running.xmin.or(oldest_open);
        let mut idle = Transaction::begin(0, false);
        let mut machine = run::Machine {
            durable: &mut self.durable,
            wal: &mut self.wal,
            tx: client.tx.as_mut().unwrap_or(&mut idle),
            oldest_open,
            horizon_us: &mut self.volatile.horizon_us,
            facts: &mut *facts,
        };
        match machine.run(&mut running) {
            Ok(reply) if client.tx.is_some_and(|tx| !tx.explicit) => {
                Outcome::Answer(self.commit(client, facts).map(|_| reply))
            }
            Ok(reply) => Outcome::Answer(Ok(reply)),
            Err(run::Stop::Fail(failure)) => {
                self.abort(client, facts);
                Outcome::Answer(Err(failure))
            }
            Err(run::Stop::Wait(wait)) => {
                facts.push(Fact::Waits { session, on: wait.on });
                running.wait = Some(self.queued(wait, running.wait));
                client.running = Some(Box::new(running));
                Outcome::Blocked { on: vec![wait.on] }
            }
        }
    }

    /// The latest moment at which a comparison with `now()`, made so far, turns out otherwise
    /// if it is made again; in microseconds of the run. `i64::MIN` if there was none.
    pub fn horizon(&self) -> i64 {
        self.volatile.horizon_us
    }

    /// What a fresh session would read; without effect on anything.
    pub fn query_committed(
        &self,
        statement: &Statement,
        now_us: i64,
    ) -> Result<Vec<Datum>, SqlFailure> {
        let Statement::Select(select) = statement else {
            return Err(SqlFailure::new("25006", "only SELECT can be asked here"));
        };
        let context = eval::Context {
            tables: &self.durable.tables,
            params: &[],
            now_us,
            tx: None.into(),
            next_tx: self.durable.next_tx.into(),
            oldest_open: self.open_transactions().min(),
            horizon_us: NO_HORIZON.into(),
            chosen: None,
        };
        query::rows(select, &context, None)
    }
}
