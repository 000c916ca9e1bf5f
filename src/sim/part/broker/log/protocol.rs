//! What crosses the link between a client and a log broker.

use std::sync::Arc;

use super::partition::Record;
use crate::sim::part::broker::{ConnId, Message};

/// A partition of a topic.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct PartitionId {
    /// The topic, by its place in the configuration.
    pub topic: u32,
    /// The partition, from 0.
    pub number: u32,
}

/// A place in a partition, from 0.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Offset(pub u64);

/// One life of a consumer in a group. A consumer that restarts is a new member.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct MemberId(pub u64);

/// An idempotent producer's mark on a record: numbers grow within one producer session.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Sequence {
    /// The producer's session. After a restart it is another one.
    pub producer: u64,
    /// The record's number in the session. A retry by the client library repeats it.
    pub number: u64,
}

/// Where a group begins that has no committed position, or one that is not kept any more
/// ("Consumer Configs", `auto.offset.reset`).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Reset {
    /// At the first record that is kept.
    Earliest,
    /// Behind the last record: what is there already is never read. It is the default.
    #[default]
    Latest,
}

/// What a client may ask. `token` is the caller's own number of the call.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Request {
    /// Append a record to the partition that its key leads to.
    Produce {
        /// The message; its topic names the topic.
        message: Arc<Message>,
        /// The mark of an idempotent producer.
        sequence: Option<Sequence>,
        /// The caller's number of this call.
        token: u64,
    },
    /// Become a new member of a group.
    Join {
        /// The group's name.
        group: Arc<str>,
        /// The topics that the member reads.
        topics: Vec<Arc<str>>,
        /// Where to begin without a committed position.
        reset: Reset,
        /// The caller's number of this call.
        token: u64,
    },
    /// Ask for records and take part in whatever rebalance there was.
    Poll {
        /// Who asks.
        member: MemberId,
        /// How many records at most (`max.poll.records`).
        max: u32,
        /// The caller's number of this call.
        token: u64,
    },
    /// Set the group's positions: each the *next* offset to read.
    Commit {
        /// Who commits.
        member: MemberId,
        /// The generation that the member believes in.
        generation: u32,
        /// The new positions.
        positions: Vec<(PartitionId, Offset)>,
        /// The caller's number of this call.
        token: u64,
    },
    /// Leave the group at once.
    Leave {
        /// Who leaves.
        member: MemberId,
        /// The caller's number of this call.
        token: u64,
    },
}

/// An answer on its way to a client.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Output {
    /// To whom.
    pub conn: ConnId,
    /// The call that it is for.
    pub token: u64,
    /// The answer.
    pub answer: Answer,
}

/// The answers to the requests.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Answer {
    /// The record is in the log. A retry of an idempotent producer gets the first one's offset.
    Produced {
        /// Where.
        partition: PartitionId,
        /// At which place.
        offset: Offset,
    },
    /// The client is a member now.
    Joined {
        /// Its number.
        member: MemberId,
        /// The generation that its joining began.
        generation: u32,
    },
    /// What a poll found, perhaps nothing.
    Polled {
        /// The generation in force.
        generation: u32,
        /// What the member is to read in it.
        partitions: Vec<PartitionId>,
        /// Records, in order within each partition.
        records: Vec<(PartitionId, Record)>,
    },
    /// The positions are set.
    Committed,
    /// The member is out.
    Left,
    /// Nothing was done.
    Refused(Refusal),
}

/// Why a request was refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Refusal {
    /// `UNKNOWN_TOPIC_OR_PARTITION`.
    NoTopic,
    /// `UNKNOWN_MEMBER_ID`: the member was put out of the group; it has to join anew.
    UnknownMember,
    /// `ILLEGAL_GENERATION`: the group was rebalanced since the member's last poll.
    StaleGeneration,
}
