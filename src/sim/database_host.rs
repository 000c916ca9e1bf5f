//! A database in the world: the engine decides, this turns its outcomes into messages and steps.

use std::sync::Arc;

use crate::datum::Datum;
use crate::script::vm::Answer;
use crate::sim::event::{Loss, Phase, What};
use crate::sim::holds::{Hold, Thing};
use crate::sim::message::{Asked, Body};
use crate::sim::part::database::{
    ChangeView, Fact, Outcome, Reply, Request, SessionId, SqlFailure, TxId,
};
use crate::sim::rows::{name_order, order_of_row};
use crate::sim::setup::{PartId, Setup};
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

    /// A request arrives. A session does one thing at a time and answers in order: what comes
    /// while a statement waits, or before the last answer has left, is read later.
    pub(super) fn request(&mut self, part: PartId, conn: u32, asked: Asked, request: Request) {
        let Some(state) = self.state(part) else { return };
        if state.waiting.contains_key(&conn) || state.answering.contains(&conn) {
            state.unread.push((conn, asked, request));
        } else {
            self.execute(part, conn, asked, &request);
        }
    }

    /// A session's answer has left: it reads its next request, if one has come already.
    pub(super) fn read_on(&mut self, part: PartId, conn: u32) {
        let Some(state) = self.state(part) else { return };
        state.answering.remove(&conn);
        let next = state.unread.iter().position(|(of, ..)| *of == conn);
        if let Some((_, asked, request)) = next.map(|index| state.unread.remove(index)) {
            self.execute(part, conn, asked, &request);
        }
    }

    fn execute(&mut self, part: PartId, conn: u32, asked: Asked, request: &Request) {
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
        state.since_us.remove(&conn);
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

    fn outcome(
        &mut self,
        part: PartId,
        conn: u32,
        mut asked: Asked,
        outcome: Outcome,
        facts: &[Fact],
    ) {
        let setup = self.world.setup().clone();
        let Some(state) = self.state(part) else { return };
        name_order(&setup, state, conn, &mut asked, facts);
        self.facts(part, conn, &asked, facts);
        match outcome {
            Outcome::Answer(result) => self.reply(part, conn, asked, result, facts),
            Outcome::Blocked { on } => self.blocked(part, conn, asked, &on),
        }
        self.wake_waiting(part);
    }

    fn blocked(&mut self, part: PartId, conn: u32, mut asked: Asked, on: &[TxId]) {
        let now_us = self.world.now_us();
        let Some(state) = self.state(part) else { return };
        let holder = on.first().and_then(|tx| state.database.holder(*tx).session);
        // What a wait is about is told by what the holder has changed.
        let held = holder.and_then(|holder| state.orders.get(&holder.0));
        let only = held.filter(|orders| orders.len() == 1).and_then(|orders| orders.first());
        asked.order = asked.order.or(only.copied());
        state.waiting.insert(conn, asked.clone());
        state.since_us.insert(conn, now_us);
        let holder = holder.and_then(|session| self.world.client_of(session.0));
        let by = asked.site.part;
        let what = What::Waits { ask: asked.ask.clone(), by, holder };
        self.note_order(part, what, asked.order);
        self.stirred();
        self.watch_for_deadlock(part);
    }

    /// Each waiting session looks for a deadlock once, `deadlock_timeout` after its wait began
    /// ("Lock Management"). Only a look that will find one is put on the clock.
    fn watch_for_deadlock(&mut self, part: PartId) {
        let (now_us, timeout_us) = (self.world.now_us(), self.world.setup().delays.deadlock_us);
        let Some(state) = self.state(part) else { return };
        let looks = state.since_us.iter().map(|(session, since)| (since + timeout_us, *session));
        let looks = looks.filter(|(at_us, session)| {
            *at_us > now_us && state.database.clone().check_deadlock(SessionId(*session))
        });
        if let Some((at_us, session)) = looks.min() {
            self.world.schedule(part, at_us - now_us, Task::Deadlock { session });
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
                let code: Arc<str> = code.into();
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
            if let Some(state) = self.state(part) {
                state.answering.insert(conn);
            }
        } else {
            let order = asked.order;
            self.send(part, conn, Body::Answer { asked, answer }, order);
            self.read_on(part, conn);
        }
    }

    /// What a request did to rows: what is held, and whether the world is another one now. A
    /// change counts when it is committed.
    fn facts(&mut self, part: PartId, conn: u32, asked: &Asked, facts: &[Fact]) {
        for fact in facts {
            match fact {
                Fact::RowsSkipped { count, .. } => {
                    let what = What::Skipped { by: asked.site.part, rows: *count };
                    self.note(part, what);
                }
                Fact::Inserted { table, row, .. }
                | Fact::Updated { table, row, .. }
                | Fact::Deleted { table, row, .. } => {
                    self.hold(part, conn, asked, Thing::row(table, *row, true));
                }
                Fact::Locked { table, row, .. } => {
                    self.hold(part, conn, asked, Thing::row(table, *row, false));
                }
                Fact::Committed { .. } | Fact::Prepared { .. } => {
                    if self.world.holds.wrote(part, conn) {
                        self.changed();
                    }
                    self.world.holds.release(part, conn);
                }
                Fact::RolledBack { .. } => {
                    self.world.holds.release(part, conn);
                    self.stirred();
                }
                _ => {}
            }
        }
    }

    fn hold(&mut self, server: PartId, conn: u32, asked: &Asked, thing: Thing) {
        let client = asked.site.part;
        self.world.holds.add(Hold { server, client, thing, conn });
        self.stirred();
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
        let setup = self.world.setup().clone();
        let Some(state) = self.state(part) else { return };
        let mut facts = Vec::new();
        let lost = uncommitted(&setup, state, |session| session.0 == conn);
        state.waiting.remove(&conn);
        state.orders.remove(&conn);
        state.since_us.remove(&conn);
        state.answering.remove(&conn);
        state.unread.retain(|(of, ..)| *of != conn);
        state.database.close(SessionId(conn), &mut facts);
        let rolled_back = facts.iter().any(|fact| matches!(fact, Fact::RolledBack { .. }));
        self.world.holds.release(part, conn);
        self.stirred();
        self.note(part, What::ClientGone { client, rolled_back });
        self.rows_lost(part, lost);
        self.wake_waiting(part);
    }

    pub(super) fn database_crash(&mut self, part: PartId) {
        let setup = self.world.setup().clone();
        let Some(state) = self.state(part) else { return };
        let lost = uncommitted(&setup, state, |_| true);
        state.waiting.clear();
        state.orders.clear();
        state.since_us.clear();
        state.answering.clear();
        state.unread.clear();
        state.resuming.clear();
        state.refuse_commit = false;
        state.database.crash(&mut Vec::new());
        self.world.holds.release_all(part);
        self.rows_lost(part, lost);
    }

    fn rows_lost(&mut self, part: PartId, lost: Vec<(Arc<str>, Option<i64>)>) {
        for (table, order) in lost {
            self.note_order(part, What::Lost { what: table, loss: Loss::RolledBack }, order);
        }
    }
}

/// Rows that open transactions have inserted: what goes with their sessions.
fn uncommitted(
    setup: &Setup,
    state: &DatabaseState,
    goes: impl Fn(SessionId) -> bool,
) -> Vec<(Arc<str>, Option<i64>)> {
    let mut lost = Vec::new();
    for table in state.database.tables() {
        for row in table.rows {
            let session = row.holder.and_then(|holder| holder.session);
            if let (Some(ChangeView::Inserted(row)), Some(session)) = (&row.change, session)
                && goes(session)
            {
                lost.push((table.name.clone(), order_of_row(setup, &table.name, row)));
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
