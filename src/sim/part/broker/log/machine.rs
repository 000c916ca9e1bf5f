//! The log broker's state and what requests do to it.

use std::hash::Hasher;
use std::sync::Arc;

use siphasher::sip::SipHasher13;

use super::config::Config;
use super::fact::{EvictCause, Fact};
use super::group::{Group, Member};
use super::partition::Partition;
use super::protocol::{
    Answer, MemberId, Offset, Output, PartitionId, Refusal, Request, Reset, Sequence,
};
use crate::sim::part::broker::{ConnId, Message};

/// A log broker. What is appended and what is committed is safe from then on: it stands for a
/// cluster whose replicas have both.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct LogBroker {
    config: Arc<Config>,
    /// By topic, then by number.
    topics: Vec<Vec<Arc<Partition>>>,
    groups: Vec<Group>,
    /// Answers that are still to be sent, eldest first.
    answers: Vec<Output>,
    next_member: u64,
    /// Where the next record without a key goes, counted over all topics.
    next_unkeyed: u64,
}

impl LogBroker {
    /// An empty broker.
    pub fn new(config: Arc<Config>) -> Self {
        let partitions = |count: u32| (0..count.max(1)).map(|_| Arc::default()).collect();
        let topics = config.topics.iter().map(|topic| partitions(topic.partitions)).collect();
        let (groups, answers) = (Vec::new(), Vec::new());
        Self { config, topics, groups, answers, next_member: 1, next_unkeyed: 0 }
    }

    /// A request arrives at `now_us`, in microseconds of virtual time. What it asks for is done
    /// here; the answer is a later step.
    pub fn receive(&mut self, conn: ConnId, request: &Request, now_us: i64, facts: &mut Vec<Fact>) {
        let (token, answer) = match request {
            Request::Produce { message, sequence, token } => {
                (*token, self.produce(message, *sequence, now_us, facts))
            }
            Request::Join { group, topics, reset, token } => {
                (*token, self.join(group, topics, *reset, facts))
            }
            Request::Poll { member, max, token } => (*token, self.poll(*member, *max, facts)),
            Request::Commit { member, generation, positions, token } => {
                (*token, self.commit(*member, *generation, positions, facts))
            }
            Request::Leave { member, token } => {
                self.evict(*member, EvictCause::Left, facts);
                (*token, Answer::Left)
            }
        };
        self.answers.push(Output { conn, token, answer });
    }

    /// The connections that have an answer to come, in order.
    pub fn pending(&self) -> Vec<ConnId> {
        let mut conns: Vec<ConnId> = self.answers.iter().map(|answer| answer.conn).collect();
        conns.sort_unstable();
        conns.dedup();
        conns
    }

    /// Sends the eldest answer of a connection.
    pub fn take(&mut self, conn: ConnId) -> Option<Output> {
        let place = self.answers.iter().position(|answer| answer.conn == conn)?;
        Some(self.answers.remove(place))
    }

    /// A connection is gone, and with it the answers on it. Its member stays in the group until
    /// the session times out.
    pub fn disconnect(&mut self, conn: ConnId) {
        self.answers.retain(|answer| answer.conn != conn);
    }

    /// The broker goes down and comes back: answers not sent are lost, and nothing else.
    pub fn crash(&mut self) {
        self.answers.clear();
    }

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

    /// Drops records that have outlived their topic's retention, read or not.
    pub fn expire(&mut self, now_us: i64, facts: &mut Vec<Fact>) {
        for ((topic, partitions), config) in (0u32..).zip(&mut self.topics).zip(&self.config.topics)
        {
            let Some(retention_us) = config.retention_us else { continue };
            let before_us = now_us.saturating_sub(retention_us);
            for (number, log) in (0u32..).zip(partitions) {
                let partition = PartitionId { topic, number };
                while let Some(record) = Arc::make_mut(log).expire_one(before_us) {
                    let (offset, origin) = (record.offset, record.message.origin);
                    facts.push(Fact::Expired { partition, offset, origin });
                }
            }
        }
    }

    /// When the next record outlives its retention, in microseconds of virtual time.
    pub fn next_expiry_us(&self) -> Option<i64> {
        let pairs = self.topics.iter().zip(&self.config.topics);
        let oldest = pairs.flat_map(|(partitions, config)| {
            let heads = partitions.iter().filter_map(|log| log.records().first());
            heads.filter_map(|head| Some(head.stored_us.saturating_add(config.retention_us?)))
        });
        oldest.min()
    }

    /// The groups, in the order in which they came up.
    pub fn groups(&self) -> &[Group] {
        &self.groups
    }

    /// One partition.
    pub fn partition(&self, id: PartitionId) -> Option<&Partition> {
        let partitions = self.topics.get(id.topic as usize)?;
        partitions.get(id.number as usize).map(|log| &**log)
    }

    /// All partitions, by topic, then by number.
    pub fn partitions(&self) -> impl Iterator<Item = (PartitionId, &Partition)> {
        (0u32..).zip(&self.topics).flat_map(|(topic, partitions)| {
            let id = move |number| PartitionId { topic, number };
            (0u32..).zip(partitions).map(move |(number, log)| (id(number), &**log))
        })
    }

    fn produce(
        &mut self,
        message: &Arc<Message>,
        sequence: Option<Sequence>,
        now_us: i64,
        facts: &mut Vec<Fact>,
    ) -> Answer {
        let origin = message.origin;
        let Some(topic) = self.topic(&message.topic) else {
            return Answer::Refused(Refusal::NoTopic);
        };
        let Some(partitions) = self.topics.get_mut(topic as usize) else {
            return Answer::Refused(Refusal::NoTopic);
        };
        let count = u64::try_from(partitions.len()).unwrap_or(1).max(1);
        let chosen = match &message.key {
            Some(key) => hash(key) % count,
            None => self.next_unkeyed % count,
        };
        let number = u32::try_from(chosen).unwrap_or(0);
        let partition = PartitionId { topic, number };
        let Some(log) = partitions.get_mut(number as usize) else {
            return Answer::Refused(Refusal::NoTopic);
        };
        if let Some(offset) = sequence.and_then(|sequence| log.known(sequence)) {
            facts.push(Fact::Deduplicated { partition, offset, origin });
            return Answer::Produced { partition, offset };
        }
        self.next_unkeyed += u64::from(message.key.is_none());
        let offset = Arc::make_mut(log).append(message.clone(), sequence, now_us);
        facts.push(Fact::Appended { partition, offset, origin });
        Answer::Produced { partition, offset }
    }

    fn join(
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
        group.members.push(Member { id, topics, reset, positions: Default::default() });
        rebalance(group, &config, facts);
        Answer::Joined { member: id, generation: group.generation }
    }

    /// Reads on where the member stands, in the order of its partitions. The first poll after a
    /// rebalance takes up the committed positions.
    fn poll(&mut self, member: MemberId, max: u32, facts: &mut Vec<Fact>) -> Answer {
        let Some(mut group) =
            self.group_of(member).and_then(|place| self.groups.get(place)).cloned()
        else {
            return Answer::Refused(Refusal::UnknownMember);
        };
        let mut records = Vec::new();
        let Some(reader) = group.members.iter_mut().find(|known| known.id == member) else {
            return Answer::Refused(Refusal::UnknownMember);
        };
        for (id, position) in &mut reader.positions {
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

    fn commit(
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

    fn topic(&self, name: &str) -> Option<u32> {
        let found = (0u32..).zip(&self.config.topics).find(|(_, topic)| &*topic.name == name);
        found.map(|(number, _)| number)
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

/// A hash of a key that is the same on every machine.
fn hash(key: &str) -> u64 {
    let mut hasher = SipHasher13::new();
    hasher.write(key.as_bytes());
    hasher.finish()
}
