//! The consumers' side of a log broker: joining, polling, committing, being put out.

use crate::collections::Map;
use std::sync::Arc;

use super::config::Config;
use super::fact::{EvictCause, Fact};
use super::group::{Group, Member};
use super::machine::LogBroker;
use super::partition::Partition;
use super::protocol::{Answer, MemberId, Offset, PartitionId, Refusal, Reset};

impl LogBroker {
    /// Puts a member out of its group, and shares out its partitions. The world calls this when
    /// the session or the poll interval is over.
    pub fn evict(&mut self, member: MemberId, cause: EvictCause, facts: &mut Vec<Fact>) {
        let Some(group) = self.group_of(member) else { return };
        let config = self.config.clone();
        let Some(group) = self.groups.get_mut(group) else { return };
        group.members.retain(|known| known.id != member);
        facts.push(Fact::Evicted { member, cause });
        rebalance(group, &config, facts);
    }

    pub(super) fn join(
        &mut self,
        name: &Arc<str>,
        topics: &[Arc<str>],
        reset: Reset,
        facts: &mut Vec<Fact>,
    ) -> Answer {
        let known: Option<Vec<u32>> = topics.iter().map(|topic| self.topic(topic)).collect();
        let Some(topics) = known else { return Answer::Refused(Refusal::NoTopic) };
        let id = MemberId(self.next_member);
        self.next_member += 1;
        if !self.groups.iter().any(|group| group.name == *name) {
            self.groups.push(Group::new(name.clone()));
        }
        let config = self.config.clone();
        let Some(group) = self.groups.iter_mut().find(|group| group.name == *name) else {
            return Answer::Refused(Refusal::UnknownMember);
        };
        group.members.push(Member { id, topics, reset, positions: Map::new() });
        rebalance(group, &config, facts);
        Answer::Joined { member: id, generation: group.generation }
    }

    /// Reads on where the member stands, in the order of its partitions. The first poll after a
    /// rebalance takes up the committed positions.
    pub(super) fn poll(&mut self, member: MemberId, max: u32, facts: &mut Vec<Fact>) -> Answer {
        let Some(mut group) =
            self.group_of(member).and_then(|place| self.groups.get(place)).cloned()
        else {
            return Answer::Refused(Refusal::UnknownMember);
        };
        let mut records = Vec::new();
        let Some(reader) = group.members.iter_mut().find(|known| known.id == member) else {
            return Answer::Refused(Refusal::UnknownMember);
        };
        for (id, position) in reader.positions.iter_mut() {
            let Some(log) = self.partition(*id) else { continue };
            let wanted = position.or(group.committed.get(id).copied());
            let start = begin(log, wanted, reader.reset);
            let unread = wanted.unwrap_or(log.start());
            if start > unread {
                facts.push(Fact::Skipped { member, partition: *id, from: unread, to: start });
            }
            let room = (max as usize).saturating_sub(records.len());
            let found = log.from(start).iter().take(room);
            let before = records.len();
            records.extend(found.map(|record| (*id, record.clone())));
            let last = records.get(before..).and_then(<[_]>::last);
            *position = Some(last.map_or(start, |(_, record)| Offset(record.offset.0 + 1)));
        }
        for (partition, record) in &records {
            let (offset, origin) = (record.offset, record.message.origin);
            facts.push(Fact::Fetched { member, partition: *partition, offset, origin });
        }
        let partitions = reader.positions.keys().copied().collect();
        let generation = group.generation;
        self.replace(group);
        Answer::Polled { generation, partitions, records }
    }

    pub(super) fn commit(
        &mut self,
        member: MemberId,
        generation: u32,
        positions: &[(PartitionId, Offset)],
        facts: &mut Vec<Fact>,
    ) -> Answer {
        let group = self.group_of(member).and_then(|place| self.groups.get_mut(place));
        let refusal = match &group {
            None => Some(Refusal::UnknownMember),
            Some(group) if group.generation != generation => Some(Refusal::StaleGeneration),
            Some(_) => None,
        };
        if let Some(refusal) = refusal {
            facts.push(Fact::CommitRefused { member });
            return Answer::Refused(refusal);
        }
        if let Some(group) = group {
            for (partition, position) in positions.iter().copied() {
                group.committed.insert(partition, position);
                facts.push(Fact::Committed { member, partition, position });
            }
        }
        Answer::Committed
    }

    fn replace(&mut self, group: Group) {
        if let Some(known) = self.groups.iter_mut().find(|known| known.name == group.name) {
            *known = group;
        }
    }

    fn group_of(&self, member: MemberId) -> Option<usize> {
        self.groups.iter().position(|group| group.members.iter().any(|known| known.id == member))
    }
}

fn rebalance(group: &mut Group, config: &Config, facts: &mut Vec<Fact>) {
    group.rebalance(config);
    let (generation, assignment) = (group.generation, group.assignment());
    facts.push(Fact::Rebalanced { generation, assignment });
}

/// Where reading begins: at the position, if there is one and it is still kept.
fn begin(log: &Partition, position: Option<Offset>, reset: Reset) -> Offset {
    match position {
        Some(position) if log.start() <= position && position <= log.end() => position,
        _ if reset == Reset::Earliest => log.start(),
        _ => log.end(),
    }
}
