//! What happened inside a log broker.

use super::protocol::{MemberId, Offset, PartitionId};

/// One thing that happened.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Fact {
    /// A record was appended.
    Appended {
        /// Where.
        partition: PartitionId,
        /// At which place.
        offset: Offset,
        /// The publish that it stems from.
        origin: u64,
    },
    /// A retry of an idempotent producer was recognised; nothing was appended.
    Deduplicated {
        /// Where the first one is.
        partition: PartitionId,
        /// At which place.
        offset: Offset,
        /// The publish that came again.
        origin: u64,
    },
    /// A record was handed to a member.
    Fetched {
        /// To whom.
        member: MemberId,
        /// From where.
        partition: PartitionId,
        /// Its place.
        offset: Offset,
        /// The publish that it stems from.
        origin: u64,
    },
    /// A group's position was set.
    Committed {
        /// By whom.
        member: MemberId,
        /// Where.
        partition: PartitionId,
        /// The next offset to read.
        position: Offset,
    },
    /// A commit was refused: the member's work is done, and somebody else will do it again.
    CommitRefused {
        /// Whose.
        member: MemberId,
    },
    /// A group shared out its partitions anew.
    Rebalanced {
        /// The new generation.
        generation: u32,
        /// Who reads what.
        assignment: Vec<(MemberId, Vec<PartitionId>)>,
    },
    /// A member was put out of its group.
    Evicted {
        /// Who.
        member: MemberId,
        /// Why.
        cause: EvictCause,
    },
    /// Records that a group will not read: it began behind them.
    Skipped {
        /// The member that begins there.
        member: MemberId,
        /// Where.
        partition: PartitionId,
        /// The first place that is passed over.
        from: Offset,
        /// The place where reading begins.
        to: Offset,
    },
    /// A record outlived the retention.
    Expired {
        /// Where it was.
        partition: PartitionId,
        /// Its place.
        offset: Offset,
        /// The publish that it stems from.
        origin: u64,
    },
}

/// Why a member is out of its group.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum EvictCause {
    /// It left.
    Left,
    /// No heartbeats for `session.timeout.ms`: it is dead or cut off.
    SessionTimeout,
    /// No poll for `max.poll.interval.ms`: it is alive, and too slow.
    PollInterval,
}
