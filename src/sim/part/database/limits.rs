//! Limits on sessions: how many there may be, and how long one may do nothing inside a transaction
//! (docs: runtime-config-connection, runtime-config-client).

use super::failure::SqlFailure;
use super::{Database, Fact, SessionId};

impl Database {
    /// Whether a session's request is heard at all.
    pub(super) fn admits(&self, session: SessionId) -> Result<(), SqlFailure> {
        let sessions = &self.volatile.sessions;
        if let Some(known) = sessions.get(&session) {
            let message = "the server has ended this session";
            return known.ended.map_or(Ok(()), |code| Err(SqlFailure::new(code, message)));
        }
        let alive = sessions.values().filter(|session| session.ended.is_none()).count();
        let most = self.settings.max_connections;
        if most.is_some_and(|most| u32::try_from(alive).unwrap_or(u32::MAX) >= most) {
            return Err(SqlFailure::new("53300", "the server has no connection left"));
        }
        Ok(())
    }

    /// Since when a session has been idle inside a transaction, failed or not, in microseconds;
    /// `None` if it is not. A statement that waits for a lock is not idle.
    pub fn idle_since(&self, session: SessionId) -> Option<i64> {
        let client = self.volatile.sessions.get(&session)?;
        (client.tx.is_some() && !client.is_blocked()).then_some(client.idle_since_us)
    }

    /// `idle_in_transaction_session_timeout` is over: rolls the session's transaction back and
    /// ends the session. Its further requests fail with `25P03` until it is closed. False, and
    /// nothing happens, if it is not idle inside a transaction.
    pub fn end_idle(&mut self, session: SessionId, facts: &mut Vec<Fact>) -> bool {
        if self.idle_since(session).is_none() {
            return false;
        }
        self.close(session, facts);
        self.volatile.sessions.entry(session).or_default().ended = Some("25P03");
        true
    }
}
