//! A running program: the interpreter and its connections. All of it is volatile.

use crate::collections::Map;

use crate::script::vm::Vm;
use crate::sim::event::Name;
use crate::sim::message::Asked;
use crate::sim::part::broker;
use crate::sim::setup::PartId;

/// A running program.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Process {
    /// The interpreter.
    pub vm: Vm,
    /// Calls without an answer.
    pub(super) calls: Map<u32, OpenCall>,
    /// Connections to databases.
    pub(super) sessions: Vec<Session>,
    /// Connections to brokers.
    pub(super) channels: Vec<(PartId, u32)>,
    /// Messages in the hands of the program, by delivery.
    pub(super) deliveries: Map<u32, (u32, broker::Tag, Option<i64>)>,
    /// Requests that a service has not answered, by ticket.
    pub(super) requests: Map<u32, (u32, i64)>,
    pub(super) next_delivery: u32,
    pub(super) next_ticket: u32,
    pub(super) next_session: u32,
}

/// A call without an answer.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct OpenCall {
    pub(super) kind: CallKind,
    pub(super) to: PartId,
    pub(super) conn: Option<u32>,
    pub(super) asked: Asked,
    pub(super) timeout: Option<Name>,
}

/// What an answer means for the process's own books.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum CallKind {
    Begin,
    /// Inside a transaction.
    Query,
    /// A statement that is its own transaction.
    Single,
    Commit,
    Rollback,
    Publish,
    Subscribe,
    Send,
    Sleep,
}

/// A connection to a database.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct Session {
    /// Its number in this process, so that a process that starts again is like the one before.
    pub(super) id: u32,
    pub(super) conn: u32,
    pub(super) server: PartId,
    /// A transaction or a statement is using it.
    pub(super) busy: bool,
}

impl Process {
    pub(super) fn session_mut(&mut self, conn: u32) -> Option<&mut Session> {
        self.sessions.iter_mut().find(|session| session.conn == conn)
    }

    pub(super) fn channel(&self, server: PartId) -> Option<u32> {
        self.channels.iter().find(|(part, _)| *part == server).map(|(_, conn)| *conn)
    }

    /// Forgets a connection. Its calls are left to the caller.
    pub(super) fn forget(&mut self, conn: u32) {
        self.sessions.retain(|session| session.conn != conn);
        self.channels.retain(|(_, channel)| *channel != conn);
        self.deliveries.retain(|_, (of, _, _)| *of != conn);
    }
}
