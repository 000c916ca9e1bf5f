//! Looking into the broker without changing it: for the stage, the audit and the tests.

use super::config::QueueConfig;
use super::machine::QueueBroker;
use super::message::{ConnId, EntryId, QueueId, Tag};
use super::queue::{Entry, EntryState};

/// One queue as it stands.
#[derive(Clone, Copy, Debug)]
pub struct QueueView<'a> {
    /// Its number.
    pub id: QueueId,
    /// What was declared of it.
    pub config: &'a QueueConfig,
    /// It exists just now.
    pub exists: bool,
    /// All its entries, ready or held, in order.
    pub entries: &'a [Entry],
    /// How many consumers wait on it.
    pub consumers: u32,
}

impl QueueView<'_> {
    /// The entries that wait for a consumer, in the order in which they will go.
    pub fn ready(&self) -> impl Iterator<Item = &Entry> {
        self.entries.iter().filter(|entry| entry.is_ready())
    }

    /// The entries that consumers hold.
    pub fn unacked(&self) -> impl Iterator<Item = &Entry> {
        self.entries.iter().filter(|entry| !entry.is_ready())
    }
}

impl QueueBroker {
    /// The configured queues, in order, those that do not exist just now included.
    pub fn queues(&self) -> impl Iterator<Item = QueueView<'_>> {
        let pairs = self.queues.iter().zip(&self.config.queues);
        (0u32..).zip(pairs).map(|(number, (queue, config))| QueueView {
            id: QueueId(number),
            config,
            exists: queue.exists,
            entries: &queue.entries,
            consumers: u32::try_from(queue.consumers.len()).unwrap_or(u32::MAX),
        })
    }

    /// The queue of that name.
    pub fn queue_named(&self, name: &str) -> Option<QueueView<'_>> {
        self.queues().find(|queue| &*queue.config.name == name)
    }

    /// One entry, wherever it is.
    pub fn entry(&self, id: EntryId) -> Option<&Entry> {
        self.queues.iter().flat_map(|queue| &queue.entries).find(|entry| entry.id == id)
    }

    /// Whether a consumer still holds that delivery: for the world's acknowledgement timers.
    pub fn is_unacked(&self, conn: ConnId, tag: Tag) -> bool {
        self.queues.iter().flat_map(|queue| &queue.entries).any(|entry| entry.has_tag(conn, tag))
    }

    /// The open connections, in order.
    pub fn connections(&self) -> impl Iterator<Item = ConnId> {
        self.conns.iter().map(|conn| conn.id)
    }

    /// The deliveries that consumers hold, over all queues, in order of the entries.
    pub fn unacked(&self) -> impl Iterator<Item = (ConnId, Tag, &Entry)> {
        self.queues.iter().flat_map(|queue| &queue.entries).filter_map(|entry| match entry.state {
            EntryState::Unacked { conn, tag, .. } => Some((conn, tag, entry)),
            EntryState::Ready => None,
        })
    }
}
