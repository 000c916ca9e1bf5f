//! A database in the world: the engine decides, this turns its outcomes into messages and steps.

use crate::datum::Datum;
use crate::script::vm::Answer;
use crate::sim::event::{Loss, Phase, What};
use crate::sim::message::{Asked, Body};
use crate::sim::part::database::{Fact, Outcome, Reply, Request, SessionId, SqlFailure};
use crate::sim::setup::PartId;
use crate::sim::station::{DatabaseState, Machine};
use crate::sim::world::{Step, Task};

/// Microseconds from the end of a transaction until a statement that waited for it goes on.
const RESUME_US: i64 = 1_000;

impl Step<'_> {
    fn state(&mut self, part: PartId) -> Option<&mut DatabaseState> {
        match &mut self.world.station_mut(part).machine {
            Machine::Database(state) => Some(state),
            _ => None,
        }
    }

    pub(super) fn execute(&mut self, part: PartId, conn: u32, asked: Asked, request: &Request) {
        let now_us = self.world.now_us();
        let Some(state) = self.state(part) else { return };
        if state.refuse_commit && matches!(request, Request::Commit) {
            state.refuse_commit = false;
            state.database.refuse_next_commit(SessionId(conn), "23514");
        }
        let mut facts = Vec::new();
        let outcome = state.database.execute(SessionId(conn), request, now_us, &mut facts);
        self.outcome(part, conn, asked, outcome, &facts);
    }

    pub(super) fn resume(&mut self, part: PartId, conn: u32) {
        let now_us = self.world.now_us();
        let Some(state) = self.state(part) else { return };
        state.resuming.retain(|session| *session != conn);
        let Some(asked) = state.waiting.remove(&conn) else { return };
        let mut facts = Vec::new();
        let outcome = state.database.resume(SessionId(conn), now_us, &mut facts);
        self.outcome(part, conn, asked, outcome, &facts);
    }

    /// `deadlock_timeout` is over: PostgreSQL looks, and ends the statement that closed the ring.
    pub(super) fn deadlock(&mut self, part: PartId, conn: u32) {
        let Some(state) = self.state(part) else { return };
        state.database.check_deadlock(SessionId(conn));
        self.wake_waiting(part);
    }

    fn outcome(&mut self, part: PartId, conn: u32, asked: Asked, outcome: Outcome, facts: &[Fact]) {
        self.facts(part, &asked, facts);
        match outcome {
            Outcome::Answer(result) => self.reply(part, conn, asked, result, facts),
            Outcome::Blocked { on } => self.blocked(part, conn, asked, &on),
        }
        self.wake_waiting(part);
    }

    fn blocked(
        &mut self,
        part: PartId,
        conn: u32,
        asked: Asked,
        on: &[crate::sim::part::database::TxId],
    ) {
        let Some(state) = self.state(part) else { return };
        let holder = on.first().and_then(|tx| state.database.holder(*tx).session);
        state.waiting.insert(conn, asked.clone());
        // Looked for at once only to know whether the check in a second will find anything.
        let closes_ring = state.database.clone().check_deadlock(SessionId(conn));
        let holder = holder.and_then(|session| self.world.client_of(session.0));
        let by = asked.site.part;
        let what = What::Waits { ask: asked.ask.clone(), by, holder };
        self.note_order(part, what, asked.order);
        self.changed();
        if closes_ring {
            let after_us = self.world.setup().delays.deadlock_us;
            self.world.schedule(part, after_us, Task::Deadlock { session: conn });
        }
    }

    fn reply(
        &mut self,
        part: PartId,
        conn: u32,
        asked: Asked,
        result: Result<Reply, SqlFailure>,
        facts: &[Fact],
    ) {
        let by = asked.site.part;
        let (what, answer) = match result {
            Ok(reply) => {
                let rows = match &reply {
                    Reply::Rows { count, .. } => Some(*count),
                    _ => None,
                };
                let executed = What::Executed { ask: asked.ask.clone(), by, rows };
                (executed, answer(&asked, reply))
            }
            Err(SqlFailure { code, message, .. }) => {
                let code: std::sync::Arc<str> = code.into();
                let refused = What::Refused { ask: asked.ask.clone(), by, code: code.clone() };
                (refused, Answer::Error { message, code })
            }
        };
        self.note_call(part, what, &asked, Phase::Effect);
        let on_disk =
            facts.iter().any(|fact| matches!(fact, Fact::Committed { .. } | Fact::Prepared { .. }));
        if on_disk {
            let flush_us = self.world.setup().delays.flush_us;
            let asked = Box::new(asked);
            self.world.schedule(part, flush_us, Task::AnswerLeaves { conn, asked, answer });
        } else {
            let order = asked.order;
            self.send(part, conn, Body::Answer { asked, answer }, order, 0);
        }
    }

    fn facts(&mut self, part: PartId, asked: &Asked, facts: &[Fact]) {
        for fact in facts {
            match fact {
                Fact::RowsSkipped { count, .. } => {
                    let what = What::Skipped { by: asked.site.part, rows: *count };
                    self.note(part, what);
                }
                Fact::Inserted { .. }
                | Fact::Updated { .. }
                | Fact::Deleted { .. }
                | Fact::Prepared { .. } => self.changed(),
                _ => {}
            }
        }
    }

    /// Statements whose wait is over go on, each in a step of its own.
    fn wake_waiting(&mut self, part: PartId) {
        let Some(state) = self.state(part) else { return };
        let ready = state.database.resumable();
        let new: Vec<u32> = ready
            .iter()
            .map(|session| session.0)
            .filter(|session| !state.resuming.contains(session))
            .collect();
        state.resuming.extend(new.iter().copied());
        for session in new {
            self.world.schedule(part, RESUME_US, Task::Resume { session });
        }
    }

    pub(super) fn database_client_gone(&mut self, part: PartId, conn: u32, client: PartId) {
        let Some(state) = self.state(part) else { return };
        let mut facts = Vec::new();
        let lost = uncommitted_orders(state, |session| session.0 == conn);
        state.waiting.remove(&conn);
        state.database.close(SessionId(conn), &mut facts);
        let rolled_back = facts.iter().any(|fact| matches!(fact, Fact::RolledBack { .. }));
        if rolled_back {
            self.changed();
        }
        self.note(part, What::ClientGone { client, rolled_back });
        self.rows_lost(part, lost);
        self.wake_waiting(part);
    }

    pub(super) fn database_crash(&mut self, part: PartId) {
        let Some(state) = self.state(part) else { return };
        let lost = uncommitted_orders(state, |_| true);
        state.waiting.clear();
        state.resuming.clear();
        state.refuse_commit = false;
        state.database.crash(&mut Vec::new());
        self.rows_lost(part, lost);
    }

    fn rows_lost(&mut self, part: PartId, lost: Vec<(std::sync::Arc<str>, Option<i64>)>) {
        for (table, order) in lost {
            self.note_order(part, What::Lost { what: table, loss: Loss::RolledBack }, order);
        }
    }
}

/// Rows that open transactions have inserted: what goes with their sessions.
fn uncommitted_orders(
    state: &DatabaseState,
    goes: impl Fn(SessionId) -> bool,
) -> Vec<(std::sync::Arc<str>, Option<i64>)> {
    let mut lost = Vec::new();
    for table in state.database.tables() {
        for row in table.rows {
            let session = row.holder.as_ref().and_then(|holder| holder.session);
            if let (None, Some(change), Some(session)) = (&row.committed, &row.change, session)
                && goes(session)
            {
                let order = match change {
                    crate::sim::part::database::ChangeView::Inserted(row) => {
                        crate::sim::identity::order_of(row)
                    }
                    _ => None,
                };
                lost.push((table.name.clone(), order));
            }
        }
    }
    lost
}

/// What the adapters of the real database do with a reply, too: a COMMIT that PostgreSQL turns
/// into ROLLBACK is an error to the program.
fn answer(asked: &Asked, reply: Reply) -> Answer {
    match reply {
        Reply::Done => Answer::Value(Datum::Null),
        Reply::Rows { rows, .. } => Answer::Value(Datum::Array(rows.into())),
        Reply::RolledBack if &*asked.ask.verb == "ROLLBACK" => Answer::Value(Datum::Null),
        Reply::RolledBack => Answer::Error {
            message: "the transaction had failed and was rolled back".into(),
            code: "rolled-back".into(),
        },
    }
}
