//! A database with other numbers for sessions and transactions and without times, so that two
//! databases that will do the same are the same value.

use super::session::{Running, Session};
use super::wal::Wal;
use super::{Database, NO_HORIZON, SessionId, TxId};
use crate::collections::{Map, Set};
use crate::datum::Datum;
use std::sync::Arc;

impl Database {
    /// Forgets times and counters, and gives sessions these numbers and transactions others in
    /// the same order. Rows are numbered anew unless a waiting statement knows them by number.
    /// Without slots the log is of no use to anybody.
    pub(crate) fn canonical(&mut self, session: &dyn Fn(u32) -> u32) {
        let blocked = self.volatile.sessions.values().any(Session::is_blocked);
        let known = self.transactions();
        let known: Map<TxId, u64> = known.iter().copied().zip(1..).collect();
        let tx = |id: TxId| TxId(known.get(&id).copied().unwrap_or_default());
        self.durable.next_tx = 0;
        for id in &mut self.durable.prepared.values_mut() {
            *id = tx(*id);
        }
        for table in &mut self.durable.tables {
            Arc::make_mut(table).canonical(&tx, !blocked);
        }
        let sessions = std::mem::take(&mut self.volatile.sessions);
        let sessions = sessions.into_iter().map(|(id, mut client)| {
            client.canonical(&tx);
            (SessionId(session(id.0)), client)
        });
        self.volatile.sessions = sessions.collect();
        self.volatile.horizon_us = NO_HORIZON;
        if self.wal.slots.is_empty() {
            self.wal = Wal::default();
        }
    }

    /// All transactions that something still names.
    fn transactions(&self) -> Set<TxId> {
        let mut all: Set<TxId> = self.open_transactions().collect();
        for table in &self.durable.tables {
            all.extend(table.holders());
        }
        for client in self.volatile.sessions.values() {
            all.extend(client.snapshot_xmin());
            all.extend(client.wait().map(|wait| wait.on));
        }
        all
    }

    /// Whether a session is in a transaction that has written and locked nothing.
    pub(crate) fn has_touched_nothing(&self, session: SessionId) -> bool {
        let client = self.volatile.sessions.get(&session);
        client.is_some_and(|client| client.tx.is_some_and(|tx| tx.explicit && tx.id.is_none()))
    }
}

impl Session {
    fn canonical(&mut self, tx: &dyn Fn(TxId) -> TxId) {
        self.idle_since_us = 0;
        if let Some(own) = &mut self.tx {
            own.start_us = 0;
            own.id = own.id.map(tx);
        }
        if let Some(wait) = self.wait_mut() {
            wait.on = tx(wait.on);
        }
        if let Some(running) = &mut self.running {
            running.canonical(tx);
        }
    }
}

impl Running {
    fn canonical(&mut self, tx: &dyn Fn(TxId) -> TxId) {
        self.xmin = self.xmin.map(tx);
        self.params = self.params.iter().map(Datum::without_time).collect();
        for table in &mut self.snapshot {
            Arc::make_mut(table).canonical(tx, false);
        }
        for walk in [&mut self.inner, &mut self.outer] {
            walk.rows = walk.rows.iter().map(Datum::without_time).collect();
            if let Some(ready) = &mut walk.ready {
                *ready = ready.iter().map(Datum::without_time).collect();
            }
        }
    }
}
