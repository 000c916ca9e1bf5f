//! Connections, as TCP has them: both ends learn of the end of one at different times, and
//! order is kept in each direction.

use crate::sim::setup::PartId;

/// One connection.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct Connection {
    /// Who opened it.
    pub(super) client: PartId,
    /// Who accepted it.
    pub(super) server: PartId,
    pub(super) client_open: bool,
    pub(super) server_open: bool,
    /// When the last message arrives, to the server and to the client.
    pub(super) last_us: [i64; 2],
    /// Bytes were lost on the way: nothing gets through any more, and both ends will give up.
    pub(super) broken: bool,
}

impl Connection {
    pub(super) fn new(client: PartId, server: PartId) -> Self {
        Self {
            client,
            server,
            client_open: true,
            server_open: true,
            last_us: [0; 2],
            broken: false,
        }
    }

    /// Whether nothing has ever passed: over a cut link not even the handshake.
    pub(super) fn is_unused(&self) -> bool {
        self.last_us == [0; 2]
    }

    pub(super) fn peer(&self, of: PartId) -> PartId {
        if of == self.client { self.server } else { self.client }
    }

    pub(super) fn is_open_at(&self, part: PartId) -> bool {
        if part == self.client { self.client_open } else { self.server_open }
    }

    pub(super) fn close_at(&mut self, part: PartId) {
        if part == self.client {
            self.client_open = false;
        } else {
            self.server_open = false;
        }
    }

    pub(super) fn joins(&self, a: PartId, b: PartId) -> bool {
        (self.client, self.server) == (a, b) || (self.client, self.server) == (b, a)
    }

    pub(super) fn touches(&self, part: PartId) -> bool {
        self.client == part || self.server == part
    }
}
