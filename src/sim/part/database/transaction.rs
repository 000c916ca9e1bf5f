//! How transactions begin and end, also in two phases, and what a crash leaves of them.

use std::sync::Arc;

use super::session::{Session, Transaction};
use super::{Database, Fact, Reply, Request, SessionId, SqlFailure, TxId};

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
            _ => Err(SqlFailure::new("08P01", "this request is not about a transaction")),
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
        let result = match client.refuse_commit.take() {
            Some(code) => Err(SqlFailure::new(code, "a deferred constraint does not hold")),
            None => self.room_for(tx.id),
        };
        if let (Err(_), Some(id)) = (&result, tx.id) {
            self.finish(id, false, facts);
        }
        result
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
        let asynchronous = commit && self.settings.asynchronous_commit;
        if asynchronous {
            self.remember_unflushed(id);
        }
        for table in self.durable.tables.iter_mut().filter(|table| table.touched_by(id)) {
            Arc::make_mut(table).finish(id, commit);
        }
        self.wal.finish(id, commit);
        if commit && !asynchronous {
            self.flush();
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
        // Two-phase commit is on disk at once in any mode (docs: wal-async-commit).
        self.flush();
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
        let Some(id) = self.durable.prepared.get(name).copied() else {
            let message = format!("there is no prepared transaction \"{name}\"");
            return Err(SqlFailure::new("42704", message));
        };
        if commit {
            self.room_for(Some(id))?;
        }
        self.durable.prepared.remove(name);
        self.finish(id, commit, facts);
        self.flush();
        Ok(Reply::Done)
    }

    /// Makes the session's next COMMIT or PREPARE (also that of a single statement) fail with
    /// this SQLSTATE and roll back, as a deferred constraint would.
    pub fn refuse_next_commit(&mut self, session: SessionId, code: &'static str) {
        self.volatile.sessions.entry(session).or_default().refuse_commit = Some(code);
    }

    /// The server has noticed that a client is gone: its transaction is rolled back, unless it
    /// is prepared.
    pub fn close(&mut self, session: SessionId, facts: &mut Vec<Fact>) {
        if let Some(mut client) = self.volatile.sessions.remove(&session) {
            self.abort(&mut client, facts);
        }
        for slot in self.wal.slots.values_mut().filter(|slot| slot.reader == Some(session)) {
            slot.reader = None;
        }
    }

    /// The ids of all open and prepared transactions, in no particular order.
    pub(super) fn open_transactions(&self) -> impl Iterator<Item = TxId> {
        let open = self.volatile.sessions.values().filter_map(|session| session.tx?.id);
        open.chain(self.durable.prepared.values().copied())
    }
}
