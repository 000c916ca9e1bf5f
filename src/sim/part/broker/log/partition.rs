//! One partition: an append-only log that forgets its oldest records.

use std::sync::Arc;

use super::protocol::{Offset, Sequence};
use crate::sim::part::broker::Message;

/// How many marks of each idempotent producer a partition remembers.
const SEQUENCES_KEPT: usize = 5;

/// A record of a log.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Record {
    /// Its place.
    pub offset: Offset,
    /// The message.
    pub message: Arc<Message>,
    /// When it was appended, in microseconds of virtual time.
    pub stored_us: i64,
}

/// A partition.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Partition {
    records: Vec<Record>,
    next: u64,
    producers: Vec<(Sequence, Offset)>,
}

impl Partition {
    /// The records that are kept, oldest first.
    pub fn records(&self) -> &[Record] {
        &self.records
    }

    /// The place of the oldest record that is kept.
    pub fn start(&self) -> Offset {
        self.records.first().map_or(Offset(self.next), |first| first.offset)
    }

    /// The place of the next record to come.
    pub fn end(&self) -> Offset {
        Offset(self.next)
    }

    /// The records from a place on.
    pub fn from(&self, position: Offset) -> &[Record] {
        let before = self.records.partition_point(|record| record.offset < position);
        self.records.get(before..).unwrap_or_default()
    }

    /// Where an idempotent producer's record is already, if it is a retry.
    pub(super) fn known(&self, sequence: Sequence) -> Option<Offset> {
        self.producers.iter().find(|(known, _)| *known == sequence).map(|(_, offset)| *offset)
    }

    pub(super) fn append(
        &mut self,
        message: Arc<Message>,
        sequence: Option<Sequence>,
        stored_us: i64,
    ) -> Offset {
        let offset = Offset(self.next);
        self.next += 1;
        self.records.push(Record { offset, message, stored_us });
        if let Some(sequence) = sequence {
            self.remember(sequence, offset);
        }
        offset
    }

    /// Takes out and gives the oldest record if it was stored before a time.
    pub(super) fn expire_one(&mut self, before_us: i64) -> Option<Record> {
        let is_old = self.records.first().is_some_and(|oldest| oldest.stored_us <= before_us);
        is_old.then(|| self.records.remove(0))
    }

    fn remember(&mut self, sequence: Sequence, offset: Offset) {
        self.producers.push((sequence, offset));
        let mut of_producer =
            self.producers.iter().filter(|(known, _)| known.producer == sequence.producer);
        if of_producer.clone().count() > SEQUENCES_KEPT
            && let Some((oldest, _)) = of_producer.next().copied()
        {
            self.producers.retain(|(known, _)| *known != oldest);
        }
    }
}
