//! What clients hold at servers for a while: rows of open transactions, messages without an
//! acknowledgement. Two moments between which nothing was committed, stored, acknowledged or sent
//! are alike if the same is held.

use crate::collections::Set;
use std::hash::{Hash, Hasher as _};
use std::sync::Arc;

use crate::sim::event::PortableHasher;
use crate::sim::setup::PartId;

/// All that is held.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub(super) struct Holds(Set<Hold>);

/// One thing that a client holds. The connection comes last: it tells nothing about the state.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) struct Hold {
    pub(super) server: PartId,
    pub(super) client: PartId,
    pub(super) thing: Thing,
    pub(super) conn: u32,
}

#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) enum Thing {
    /// A row that is locked, and whether it is changed as well.
    Row { table: Arc<str>, row: u64, written: bool },
    /// A message in a queue.
    Entry(u64),
}

impl Thing {
    pub(super) fn row(table: &Arc<str>, row: u64, written: bool) -> Self {
        Self::Row { table: table.clone(), row, written }
    }
}

impl Holds {
    pub(super) fn add(&mut self, hold: Hold) {
        self.0.insert(hold);
    }

    /// Whether a session has changed rows, or holds no rows at all.
    pub(super) fn wrote(&self, server: PartId, conn: u32) -> bool {
        let mut rows = self.of(server, conn).peekable();
        rows.peek().is_none()
            || rows.any(|hold| matches!(hold.thing, Thing::Row { written: true, .. }))
    }

    fn of(&self, server: PartId, conn: u32) -> impl Iterator<Item = &Hold> {
        self.0.iter().filter(move |hold| hold.server == server && hold.conn == conn)
    }

    /// A session holds nothing any more.
    pub(super) fn release(&mut self, server: PartId, conn: u32) {
        self.0.retain(|hold| hold.server != server || hold.conn != conn);
    }

    /// A message is back in its queue, or gone.
    pub(super) fn release_entry(&mut self, server: PartId, entry: u64) {
        self.0.retain(|hold| hold.server != server || hold.thing != Thing::Entry(entry));
    }

    /// A server has forgotten all its clients.
    pub(super) fn release_all(&mut self, server: PartId) {
        self.0.retain(|hold| hold.server != server);
    }

    /// One number for what is held by whom.
    pub(super) fn fingerprint(&self) -> u64 {
        let mut hasher = PortableHasher::default();
        for Hold { server, client, thing, conn: _ } in &self.0 {
            (server, client, thing).hash(&mut hasher);
        }
        hasher.finish()
    }
}
