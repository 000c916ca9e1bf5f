//! Who waits for whom, who may go on, and who has waited himself into a circle.

use super::failure::SqlFailure;
use super::session::{Session, Wait};
use super::{Database, SessionId, TxId};
use crate::collections::sort_by;

pub(super) fn ended(code: &'static str) -> SqlFailure {
    let message = match code {
        "40P01" => "deadlock detected",
        "57014" => "the statement was cancelled",
        _ => "the statement was ended",
    };
    SqlFailure::new(code, message)
}

/// What a blocked session waits for at this moment.
enum Obstacle {
    Transaction(TxId),
    /// Another session waits for the same row since longer.
    Queue(SessionId),
}

impl Database {
    /// Gives a wait its place in the queue; one that has to wait again keeps its place.
    pub(super) fn queued(&self, wait: Wait, before: Option<Wait>) -> Wait {
        let last = self.waits().map(|(_, wait)| wait.since).max().unwrap_or(0);
        let same_row = before.filter(|before| before.row.is_some() && before.row == wait.row);
        Wait { since: same_row.map_or(last + 1, |before| before.since), ..wait }
    }

    fn waits(&self) -> impl Iterator<Item = (SessionId, Wait)> {
        let sessions = self.volatile.sessions.iter();
        sessions.filter_map(|(id, session)| Some((*id, session.wait()?)))
    }

    fn obstacle(&self, wait: Wait) -> Option<Obstacle> {
        let Some((table, row)) = wait.row else {
            let open = self.open_transactions().any(|id| id == wait.on);
            return open.then_some(Obstacle::Transaction(wait.on));
        };
        let table = self.durable.tables.get(table as usize);
        if let Some(holder) = table.and_then(|table| table.row(row)?.holder) {
            return Some(Obstacle::Transaction(holder));
        }
        let ahead = self.waits().filter(|(_, other)| other.row == wait.row);
        let first = ahead.min_by_key(|(_, other)| other.since)?;
        (first.1.since < wait.since).then_some(Obstacle::Queue(first.0))
    }

    /// Blocked sessions that can go on, or are to fail, those that wait longest first. Of several
    /// that wait for one row only the first is among them.
    pub fn resumable(&self) -> Vec<SessionId> {
        let ready = |wait: &Wait| wait.fails.is_some() || self.obstacle(*wait).is_none();
        let mut found: Vec<_> = self.waits().filter(|(_, wait)| ready(wait)).collect();
        sort_by(&mut found, |(a, x), (b, y)| (x.since, a).cmp(&(y.since, b)));
        found.into_iter().map(|(id, _)| id).collect()
    }

    /// The transactions that a blocked session waits for now.
    pub(super) fn waits_on(&self, session: &Session) -> Vec<TxId> {
        match session.wait().and_then(|wait| self.obstacle(wait)) {
            Some(Obstacle::Transaction(id)) => vec![id],
            Some(Obstacle::Queue(ahead)) => {
                let ahead = self.volatile.sessions.get(&ahead);
                ahead.and_then(|ahead| ahead.tx?.id).into_iter().collect()
            }
            None => Vec::new(),
        }
    }

    fn next_in_chain(&self, session: SessionId) -> Option<SessionId> {
        let wait = self.volatile.sessions.get(&session)?.wait()?;
        if wait.fails.is_some() {
            return None;
        }
        match self.obstacle(wait)? {
            Obstacle::Queue(ahead) => Some(ahead),
            Obstacle::Transaction(id) => {
                let mut sessions = self.volatile.sessions.iter();
                let owner =
                    sessions.find(|(_, other)| other.tx.is_some_and(|tx| tx.id == Some(id)));
                owner.map(|(id, _)| *id)
            }
        }
    }

    /// Looks whether a blocked session waits, through others, for itself; if so, `resume` will
    /// end its statement with `40P01`. PostgreSQL looks when a wait has lasted
    /// `deadlock_timeout`, one second by default (docs: explicit-locking, runtime-config-locks).
    pub fn check_deadlock(&mut self, session: SessionId) -> bool {
        let mut at = session;
        for _ in 0..self.volatile.sessions.len() {
            match self.next_in_chain(at) {
                None => return false,
                Some(next) if next == session => {
                    self.end_wait(session, "40P01");
                    return true;
                }
                Some(next) => at = next,
            }
        }
        false
    }

    /// Cancels a blocked statement: `resume` will end it with `57014`. False if none is blocked.
    pub fn cancel(&mut self, session: SessionId) -> bool {
        self.end_wait(session, "57014")
    }

    fn end_wait(&mut self, session: SessionId, code: &'static str) -> bool {
        let client = self.volatile.sessions.get_mut(&session);
        let wait = client.and_then(Session::wait_mut);
        if let Some(wait) = wait {
            wait.fails = Some(code);
            return true;
        }
        false
    }
}
