//! One test for each rule of the log broker, named after it.

use std::sync::Arc;

use super::*;
use crate::datum::Datum;
use crate::sim::part::broker::{ConnId, Message};

const CONN: ConnId = ConnId(1);

/// A log broker on a bench, with all facts so far.
struct Bench {
    broker: LogBroker,
    facts: Vec<Fact>,
    now_us: i64,
    published: u64,
}

impl Bench {
    fn new(partitions: u32) -> Self {
        Self::keeping(partitions, None)
    }

    fn keeping(partitions: u32, retention_us: Option<i64>) -> Self {
        let topics = vec![TopicConfig { name: "t".into(), partitions, retention_us }];
        let broker = LogBroker::new(Arc::new(Config { topics }));
        Self { broker, facts: Vec::new(), now_us: 0, published: 0 }
    }

    fn call(&mut self, request: &Request) -> Answer {
        self.broker.receive(CONN, request, self.now_us, &mut self.facts);
        self.broker.take(CONN).unwrap().answer
    }

    /// Publishes with a key and gives the partition and the offset.
    fn produce(&mut self, key: Option<&str>, sequence: Option<Sequence>) -> (u32, u64) {
        self.published += 1;
        let message = Arc::new(Message {
            topic: "t".into(),
            body: Datum::Null,
            key: key.map(Into::into),
            message_id: None,
            persistent: true,
            origin: self.published,
        });
        match self.call(&Request::Produce { message, sequence, token: 1 }) {
            Answer::Produced { partition, offset } => (partition.number, offset.0),
            other => panic!("{other:?}"),
        }
    }

    fn join(&mut self, reset: Reset) -> MemberId {
        let request =
            Request::Join { group: "g".into(), topics: vec!["t".into()], reset, token: 1 };
        match self.call(&request) {
            Answer::Joined { member, .. } => member,
            other => panic!("{other:?}"),
        }
    }

    /// Polls and gives the origins of what came.
    fn poll(&mut self, member: MemberId, max: u32) -> Vec<u64> {
        match self.call(&Request::Poll { member, max, token: 1 }) {
            Answer::Polled { records, .. } => {
                records.iter().map(|(_, record)| record.message.origin).collect()
            }
            other => panic!("{other:?}"),
        }
    }

    fn commit(&mut self, member: MemberId, generation: u32, position: u64) -> Answer {
        let positions = vec![(PartitionId { topic: 0, number: 0 }, Offset(position))];
        self.call(&Request::Commit { member, generation, positions, token: 1 })
    }

    fn shares(&self) -> Vec<usize> {
        let assignment = self.broker.groups()[0].assignment();
        assignment.iter().map(|(_, partitions)| partitions.len()).collect()
    }
}

#[test]
fn one_key_goes_to_one_partition_and_keeps_its_order() {
    let mut bench = Bench::new(4);
    let (first, offset) = bench.produce(Some("order-1"), None);
    let others: Vec<u32> =
        (2..20).map(|order| bench.produce(Some(&format!("order-{order}")), None).0).collect();
    let (again, later) = bench.produce(Some("order-1"), None);
    assert_eq!(first, again);
    assert!(later > offset);
    assert!(others.iter().any(|other| *other != first), "keys are spread");
}

#[test]
fn records_without_a_key_are_spread_evenly() {
    let mut bench = Bench::new(3);
    let numbers: Vec<u32> = (0..6).map(|_| bench.produce(None, None).0).collect();
    assert_eq!(numbers, [0, 1, 2, 0, 1, 2]);
}

#[test]
fn a_retry_of_an_idempotent_producer_is_appended_once() {
    let mut bench = Bench::new(1);
    let sequence = Some(Sequence { producer: 9, number: 1 });
    assert_eq!(bench.produce(None, sequence), (0, 0));
    assert_eq!(bench.produce(None, sequence), (0, 0));
    let end = bench.broker.partition(PartitionId { topic: 0, number: 0 }).unwrap().end();
    assert_eq!(end, Offset(1));
}

#[test]
fn a_second_publish_by_the_application_is_a_new_record() {
    let mut bench = Bench::new(1);
    bench.produce(None, Some(Sequence { producer: 9, number: 1 }));
    assert_eq!(bench.produce(None, Some(Sequence { producer: 9, number: 2 })), (0, 1));
    assert_eq!(bench.produce(None, Some(Sequence { producer: 10, number: 1 })), (0, 2));
}

#[test]
fn a_position_declares_all_before_it_done() {
    let mut bench = Bench::new(1);
    for _ in 0..3 {
        bench.produce(None, None);
    }
    let member = bench.join(Reset::Earliest);
    assert_eq!(bench.poll(member, 10), [1, 2, 3]);
    assert_eq!(bench.commit(member, 1, 2), Answer::Committed);
    bench.broker.evict(member, EvictCause::SessionTimeout, &mut bench.facts);
    let next = bench.join(Reset::Earliest);
    assert_eq!(bench.poll(next, 10), [3], "1 and 2 count as done, whether they are or not");
}

#[test]
fn what_was_polled_and_not_committed_is_read_again() {
    let mut bench = Bench::new(1);
    bench.produce(None, None);
    let member = bench.join(Reset::Earliest);
    assert_eq!(bench.poll(member, 10), [1]);
    assert_eq!(bench.poll(member, 10), [0; 0], "not by the same member");
    bench.broker.evict(member, EvictCause::SessionTimeout, &mut bench.facts);
    let next = bench.join(Reset::Earliest);
    assert_eq!(bench.poll(next, 10), [1]);
}

#[test]
fn a_group_without_positions_begins_where_reset_says() {
    let mut bench = Bench::new(1);
    bench.produce(None, None);
    let member = bench.join(Reset::Latest);
    assert_eq!(bench.poll(member, 10), [0; 0]);
    let partition = PartitionId { topic: 0, number: 0 };
    let skipped = Fact::Skipped { member, partition, from: Offset(0), to: Offset(1) };
    assert_eq!(bench.facts.last(), Some(&skipped));
    bench.produce(None, None);
    assert_eq!(bench.poll(member, 10), [2]);
}

#[test]
fn partitions_are_shared_out_and_extra_members_are_idle() {
    let mut bench = Bench::new(3);
    let first = bench.join(Reset::Earliest);
    assert_eq!(bench.shares(), [3]);
    bench.join(Reset::Earliest);
    assert_eq!(bench.shares(), [2, 1]);
    bench.join(Reset::Earliest);
    bench.join(Reset::Earliest);
    assert_eq!(bench.shares(), [1, 1, 1, 0]);
    bench.call(&Request::Leave { member: first, token: 1 });
    assert_eq!(bench.shares(), [1, 1, 1]);
}

#[test]
fn after_a_rebalance_the_old_generations_commit_is_refused() {
    let mut bench = Bench::new(1);
    bench.produce(None, None);
    let slow = bench.join(Reset::Earliest);
    assert_eq!(bench.poll(slow, 10), [1]);
    let other = bench.join(Reset::Earliest);
    assert_eq!(bench.commit(slow, 1, 1), Answer::Refused(Refusal::StaleGeneration));
    bench.broker.evict(slow, EvictCause::PollInterval, &mut bench.facts);
    assert_eq!(bench.commit(slow, 3, 1), Answer::Refused(Refusal::UnknownMember));
    assert_eq!(bench.poll(other, 10), [1], "its work is done again by the other");
    assert_eq!(bench.commit(other, 3, 1), Answer::Committed);
}

#[test]
fn a_dead_members_partitions_wait_for_its_session_to_end() {
    let mut bench = Bench::new(1);
    let dead = bench.join(Reset::Earliest);
    bench.produce(None, None);
    bench.broker.disconnect(CONN);
    let heir = bench.join(Reset::Earliest);
    assert_eq!(bench.poll(heir, 10), [0; 0]);
    bench.broker.evict(dead, EvictCause::SessionTimeout, &mut bench.facts);
    assert_eq!(bench.poll(heir, 10), [1]);
}

#[test]
fn retention_takes_records_that_nobody_read() {
    let mut bench = Bench::keeping(1, Some(100));
    bench.produce(None, None);
    bench.now_us = 50;
    bench.produce(None, None);
    assert_eq!(bench.broker.next_expiry_us(), Some(100));
    bench.broker.expire(99, &mut bench.facts);
    let member = bench.join(Reset::Earliest);
    assert_eq!(bench.poll(member, 1), [1]);
    assert_eq!(bench.commit(member, 1, 0), Answer::Committed);
    bench.broker.evict(member, EvictCause::Left, &mut bench.facts);
    bench.broker.expire(100, &mut bench.facts);
    let next = bench.join(Reset::Earliest);
    assert_eq!(bench.poll(next, 10), [2]);
    let partition = PartitionId { topic: 0, number: 0 };
    let skipped = Fact::Skipped { member: next, partition, from: Offset(0), to: Offset(1) };
    assert!(bench.facts.contains(&skipped));
}

#[test]
fn a_crash_loses_the_answer_and_not_the_record() {
    let mut bench = Bench::new(1);
    bench.produce(None, None);
    let member = bench.join(Reset::Earliest);
    let request = Request::Poll { member, max: 1, token: 1 };
    bench.broker.receive(CONN, &request, 0, &mut bench.facts);
    assert_eq!(bench.broker.pending(), [CONN]);
    bench.broker.crash();
    assert_eq!(bench.broker.pending(), []);
    assert_eq!(bench.broker.partitions().next().unwrap().1.records().len(), 1);
}

#[test]
fn an_unknown_topic_is_refused() {
    let mut bench = Bench::new(1);
    let (group, topics) = ("g".into(), vec!["missing".into()]);
    let request = Request::Join { group, topics, reset: Reset::Latest, token: 1 };
    assert_eq!(bench.call(&request), Answer::Refused(Refusal::NoTopic));
}

#[test]
fn a_poll_takes_no_more_than_its_limit_over_all_partitions() {
    let mut bench = Bench::new(2);
    let member = bench.join(Reset::Earliest);
    bench.produce(None, None);
    bench.produce(None, None);
    assert_eq!(bench.poll(member, 1), [1]);
    assert_eq!(bench.poll(member, 1), [2]);
}

#[test]
fn a_position_behind_the_end_is_reset() {
    let mut bench = Bench::new(1);
    bench.produce(None, None);
    let member = bench.join(Reset::Earliest);
    assert_eq!(bench.commit(member, 1, 99), Answer::Committed);
    assert_eq!(bench.poll(member, 10), [1]);
}

#[test]
fn records_with_a_key_do_not_take_the_turn_of_those_without() {
    let mut bench = Bench::new(3);
    assert_eq!(bench.produce(None, None).0, 0);
    bench.produce(Some("order-1"), None);
    assert_eq!(bench.produce(None, None).0, 1);
}

#[test]
fn a_partition_remembers_five_records_of_a_producer() {
    let mut bench = Bench::new(1);
    let sequence = |number| Some(Sequence { producer: 9, number });
    for number in 1..=6 {
        bench.produce(None, sequence(number));
    }
    assert_eq!(bench.produce(None, sequence(2)), (0, 1));
    assert_eq!(bench.produce(None, sequence(1)), (0, 6), "the first one is forgotten");
}

#[test]
fn a_member_reads_only_the_topics_that_it_subscribed() {
    let topic = |name: &str| TopicConfig { name: name.into(), partitions: 1, retention_us: None };
    let mut bench = Bench::new(1);
    bench.broker = LogBroker::new(Arc::new(Config { topics: vec![topic("t"), topic("u")] }));
    bench.join(Reset::Earliest);
    assert_eq!(bench.shares(), [1]);
}

#[test]
fn answers_come_in_order_and_go_with_their_connection() {
    let mut bench = Bench::new(1);
    let member = bench.join(Reset::Earliest);
    for token in [7, 8] {
        let request = Request::Poll { member, max: 1, token };
        bench.broker.receive(CONN, &request, 0, &mut bench.facts);
    }
    assert_eq!(bench.broker.pending(), [CONN]);
    assert_eq!(bench.broker.take(CONN).map(|output| output.token), Some(7));
    bench.broker.disconnect(CONN);
    assert_eq!(bench.broker.take(CONN), None);
}

#[cfg(not(target_arch = "wasm32"))]
mod properties {
    use std::collections::BTreeSet;

    use proptest::collection::vec;
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn work_before_commit_reads_every_record_at_least_once(
            acts in vec((0u8..6, any::<usize>()), 0..60),
        ) {
            let mut bench = Bench::new(3);
            let mut members = vec![bench.join(Reset::Earliest)];
            for (act, choice) in acts {
                let member = choice.checked_rem(members.len()).map(|place| members[place]);
                match (act, member) {
                    (0 | 1, _) => drop(bench.produce(None, None)),
                    (2, _) => members.push(bench.join(Reset::Earliest)),
                    (3, Some(member)) => {
                        bench.broker.evict(member, EvictCause::SessionTimeout, &mut bench.facts);
                        members.retain(|known| *known != member);
                    }
                    (_, Some(member)) => poll_and_commit(&mut bench, member, act == 4),
                    (_, None) => {}
                }
            }
            for member in members {
                bench.broker.evict(member, EvictCause::Left, &mut bench.facts);
            }
            let last = bench.join(Reset::Earliest);
            bench.poll(last, 1000);
            let fetched: BTreeSet<u64> = bench.facts.iter().filter_map(|fact| match fact {
                Fact::Fetched { origin, .. } => Some(*origin),
                _ => None,
            }).collect();
            prop_assert_eq!(fetched, (1..=bench.published).collect());
        }
    }

    /// Polls, and commits the place behind the last record of each partition, or does not.
    fn poll_and_commit(bench: &mut Bench, member: MemberId, commits: bool) {
        let polled = bench.call(&Request::Poll { member, max: 2, token: 1 });
        let Answer::Polled { generation, records, .. } = polled else { panic!("{polled:?}") };
        if commits {
            let behind = |(id, record): &(PartitionId, Record)| (*id, Offset(record.offset.0 + 1));
            let positions = records.iter().map(behind).collect();
            bench.call(&Request::Commit { member, generation, positions, token: 1 });
        }
    }
}
