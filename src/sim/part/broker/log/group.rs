//! A group of consumers: who is in it, who reads what, and how far the group has come.

use crate::collections::Map;
use std::sync::Arc;

use super::config::Config;
use super::protocol::{MemberId, Offset, PartitionId, Reset};

/// A group.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Group {
    /// Its name.
    pub name: Arc<str>,
    /// Grows with each rebalance.
    pub generation: u32,
    /// Its members, in the order in which they joined.
    pub members: Vec<Member>,
    /// Its committed positions: the next offset to read. All before it counts as done, whether it
    /// is or not ("KafkaConsumer", offsets and consumer position).
    pub committed: Map<PartitionId, Offset>,
}

/// A member of a group.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Member {
    /// Its number.
    pub id: MemberId,
    /// The topics that it reads, by their places in the configuration.
    pub topics: Vec<u32>,
    /// Where it begins without a committed position.
    pub reset: Reset,
    /// Its partitions in this generation, and where it reads next; nothing if it has not yet
    /// polled since the rebalance.
    pub positions: Map<PartitionId, Option<Offset>>,
}

impl Group {
    pub(super) fn new(name: Arc<str>) -> Self {
        Self { name, generation: 0, members: Vec::new(), committed: Map::new() }
    }

    /// Shares out all partitions anew: for each topic, neighbouring partitions to each of its
    /// readers ("Consumer Configs", `RangeAssignor`). Every member goes back to the committed
    /// positions, for all its partitions are revoked in between.
    pub(super) fn rebalance(&mut self, config: &Config) {
        self.generation += 1;
        for member in &mut self.members {
            member.positions.clear();
        }
        for (topic, topic_config) in (0u32..).zip(&config.topics) {
            let mut readers: Vec<&mut Member> =
                self.members.iter_mut().filter(|member| member.topics.contains(&topic)).collect();
            let readers_count = u32::try_from(readers.len()).unwrap_or(u32::MAX);
            let partitions = topic_config.partitions.max(1);
            let Some(each) = partitions.checked_div(readers_count) else { continue };
            let with_one_more = partitions % readers_count;
            let mut next = 0;
            for (place, reader) in (0u32..).zip(&mut readers) {
                let end = next + each + u32::from(place < with_one_more);
                let share = (next..end).map(|number| (PartitionId { topic, number }, None));
                reader.positions.extend(share);
                next = end;
            }
        }
    }

    /// Who reads what.
    pub fn assignment(&self) -> Vec<(MemberId, Vec<PartitionId>)> {
        let share = |member: &Member| (member.id, member.positions.keys().copied().collect());
        self.members.iter().map(share).collect()
    }
}
