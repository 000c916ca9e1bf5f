//! The log broker's state and what requests do to it.

use crate::collections::sort;
use std::hash::{Hash, Hasher};
use std::sync::Arc;

use siphasher::sip::SipHasher13;

use super::config::Config;
use super::fact::{EvictCause, Fact};
use super::group::Group;
use super::partition::Partition;
use super::protocol::{Answer, Output, PartitionId, Refusal, Request, Sequence};
use crate::sim::part::broker::{ConnId, Message};

/// A log broker. What is appended and what is committed is safe from then on: it stands for a
/// cluster whose replicas have both.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LogBroker {
    pub(super) config: Arc<Config>,
    /// By topic, then by number.
    topics: Vec<Vec<Arc<Partition>>>,
    pub(super) groups: Vec<Group>,
    /// Answers that are still to be sent, eldest first.
    answers: Vec<Output>,
    pub(super) next_member: u64,
    /// Where the next record without a key goes, counted over all topics.
    next_unkeyed: u64,
}

/// The configuration never changes and is left out: hashing is the explorer's daily bread.
impl Hash for LogBroker {
    fn hash<H: Hasher>(&self, state: &mut H) {
        let Self { config: _, topics, groups, answers, next_member, next_unkeyed } = self;
        (topics, groups, answers, next_member, next_unkeyed).hash(state);
    }
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
        sort(&mut conns);
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

    pub(super) fn topic(&self, name: &str) -> Option<u32> {
        let found = (0u32..).zip(&self.config.topics).find(|(_, topic)| &*topic.name == name);
        found.map(|(number, _)| number)
    }
}

/// A hash of a key that is the same on every machine.
fn hash(key: &str) -> u64 {
    let mut hasher = SipHasher13::new();
    hasher.write(key.as_bytes());
    hasher.finish()
}
