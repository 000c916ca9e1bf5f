//! How transactions begin and end, also in two phases, and what a crash leaves of them.

use crate::collections::Set;
use std::sync::Arc;

use super::session::{Session, Transaction};
use super::{Database, Fact, Reply, Request, SessionId, SqlFailure, TxId, Volatile};

pub(super) fn aborted() -> SqlFailure {
    let message = "the transaction has failed; statements are ignored until its end";
    SqlFailure::new("25P02", message)
}

impl Database {
    /// Requests about transactions.
    pub(super) fn control(
        &mut self,
        client: &mut Session,
        request: &Request,
        now_us: i64,
        facts: &mut Vec<Fact>,
    ) -> Result<Reply, SqlFailure> {
        let failed = client.tx.is_some_and(|tx| tx.failed);
        match request {
            Request::Commit => self.commit(client, facts),
            Request::Rollback => {
                self.abort(client, facts);
                client.tx = None;
                Ok(Reply::Done)
            }
            Request::Prepare(name) => self.prepare(client, name, facts),
            _ if failed => Err(aborted()),
            // A second BEGIN only warns.
            Request::Begin => {
                client.tx.get_or_insert_with(|| Transaction::begin(now_us, true));
                Ok(Reply::Done)
            }
            Request::CommitPrepared(name) => self.finish_prepared(client, name, true, facts),
            Request::RollbackPrepared(name) => self.finish_prepared(client, name, false, facts),
            Request::Query { .. } => Err(SqlFailure::new("08P01", "a query is no control request")),
        }
    }

    /// COMMIT. A failed transaction is rolled back instead, and the reply says so; a refusal is
    /// an error, and rolls back too. Outside a transaction it only warns.
    pub(super) fn commit(
        &mut self,
        client: &mut Session,
        facts: &mut Vec<Fact>,
    ) -> Result<Reply, SqlFailure> {
        let Some(tx) = client.tx.take() else { return Ok(Reply::Done) };
        if tx.failed {
            return Ok(Reply::RolledBack);
        }
        self.admit(client, tx, facts)?;
        if let Some(id) = tx.id {
            self.finish(id, true, facts);
        }
        Ok(Reply::Done)
    }

    /// Checks that are made at the end of a transaction; rolls it back if they fail.
    fn admit(
        &mut self,
        client: &mut Session,
        tx: Transaction,
        facts: &mut Vec<Fact>,
    ) -> Result<(), SqlFailure> {
        let Some(code) = client.refuse_commit.take() else { return Ok(()) };
        if let Some(id) = tx.id {
            self.finish(id, false, facts);
        }
        Err(SqlFailure::new(code, "a deferred constraint does not hold"))
    }

    /// Undoes a transaction's effects and frees its locks. An explicit one stays, as failed,
    /// until its client ends it.
    pub(super) fn abort(&mut self, client: &mut Session, facts: &mut Vec<Fact>) {
        let Some(mut tx) = client.tx.take() else { return };
        if let Some(id) = tx.id.take() {
            self.finish(id, false, facts);
        }
        tx.failed = true;
        client.tx = Some(tx).filter(|tx| tx.explicit);
    }

    /// Ends a transaction that has an id, for good.
    fn finish(&mut self, id: TxId, commit: bool, facts: &mut Vec<Fact>) {
        for table in self.durable.tables.iter_mut().filter(|table| table.touched_by(id)) {
            Arc::make_mut(table).finish(id, commit);
        }
        facts.push(if commit { Fact::Committed { tx: id } } else { Fact::RolledBack { tx: id } });
    }

    /// PREPARE TRANSACTION: the transaction leaves the session with its locks. A failure rolls
    /// it back (docs: sql-prepare-transaction).
    fn prepare(
        &mut self,
        client: &mut Session,
        name: &Arc<str>,
        facts: &mut Vec<Fact>,
    ) -> Result<Reply, SqlFailure> {
        let Some(tx) = client.tx.take().filter(|tx| !tx.failed) else {
            return Ok(Reply::RolledBack);
        };
        self.admit(client, tx, facts)?;
        if self.durable.prepared.contains_key(name) {
            if let Some(id) = tx.id {
                self.finish(id, false, facts);
            }
            let message = format!("transaction identifier \"{name}\" is already in use");
            return Err(SqlFailure::new("42710", message));
        }
        let id = tx.id.unwrap_or_else(|| {
            let id = TxId(self.durable.next_tx);
            self.durable.next_tx += 1;
            id
        });
        self.durable.prepared.insert(Arc::clone(name), id);
        facts.push(Fact::Prepared { tx: id, name: Arc::clone(name) });
        Ok(Reply::Done)
    }

    /// COMMIT PREPARED and ROLLBACK PREPARED, from any session, outside a transaction.
    fn finish_prepared(
        &mut self,
        client: &mut Session,
        name: &Arc<str>,
        commit: bool,
        facts: &mut Vec<Fact>,
    ) -> Result<Reply, SqlFailure> {
        if client.tx.is_some() {
            self.abort(client, facts);
            let message = "a prepared transaction cannot be ended inside a transaction";
            return Err(SqlFailure::new("25001", message));
        }
        let Some(id) = self.durable.prepared.remove(name) else {
            let message = format!("there is no prepared transaction \"{name}\"");
            return Err(SqlFailure::new("42704", message));
        };
        self.finish(id, commit, facts);
        Ok(Reply::Done)
    }

    /// Makes the session's next COMMIT or PREPARE (also that of a single statement) fail with
    /// this SQLSTATE and roll back, as a deferred constraint would.
    pub fn refuse_next_commit(&mut self, session: SessionId, code: &'static str) {
        self.volatile.sessions.or_default(session).refuse_commit = Some(code);
    }

    /// The server has noticed that a client is gone: its transaction is rolled back, unless it
    /// is prepared.
    pub fn close(&mut self, session: SessionId, facts: &mut Vec<Fact>) {
        if let Some(mut client) = self.volatile.sessions.remove(&session) {
            self.abort(&mut client, facts);
        }
    }

    /// The server's process or its power is gone. Committed rows and prepared transactions with
    /// their locks stay; sessions vanish; sequences go on behind what they had logged ahead.
    pub fn crash(&mut self, facts: &mut Vec<Fact>) {
        let open: Set<TxId> =
            self.volatile.sessions.values().filter_map(|session| session.tx?.id).collect();
        for id in open {
            self.finish(id, false, facts);
        }
        for table in &mut self.durable.tables {
            Arc::make_mut(table).skip_logged_numbers();
        }
        self.volatile = Volatile { horizon_us: self.volatile.horizon_us, ..Volatile::new() };
    }

    /// Removes dead versions that no open or prepared transaction holds back.
    pub fn vacuum(&mut self, facts: &mut Vec<Fact>) {
        let oldest = self.open_transactions().min().unwrap_or(TxId(self.durable.next_tx));
        for table in self.durable.tables.iter_mut().filter(|table| !table.dead.is_empty()) {
            let removed = Arc::make_mut(table).vacuum(oldest);
            let table = Arc::clone(&table.def.name.text);
            facts.push(Fact::Vacuumed { table, removed });
        }
    }

    /// The ids of all open and prepared transactions, in no particular order.
    pub(super) fn open_transactions(&self) -> impl Iterator<Item = TxId> {
        let open = self.volatile.sessions.values().filter_map(|session| session.tx?.id);
        open.chain(self.durable.prepared.values().copied())
    }
}
