//! What a restart of the broker takes and leaves.

use super::bench::*;
use crate::sim::part::broker::*;

#[test]
fn persistent_and_durable_are_both_needed_to_survive() {
    let volatile = QueueConfig { durable: false, ..classic("volatile") };
    let mut bench = Bench::new(vec![classic("durable"), volatile]);
    bench.publish("durable", "persistent", SAFE);
    bench.publish("durable", "transient", Mode { persistent: false, ..SAFE });
    bench.publish("volatile", "persistent", SAFE);
    bench.settle();
    assert_eq!(bench.confirmed().len(), 3, "all three were confirmed");
    bench.crash();
    assert_eq!(bench.ready("durable"), "persistent");
    assert_eq!(bench.ready("volatile"), "");
    assert_eq!(bench.dropped(), [Cause::Transient, Cause::QueueGone]);
}

#[test]
fn a_queue_that_is_not_durable_is_gone_after_a_restart() {
    let mut bench = Bench::new(vec![QueueConfig { durable: false, ..classic("a") }]);
    bench.crash();
    assert_eq!(bench.facts, [Fact::QueueGone { queue: QueueId(0) }]);
    bench.publish("a", "m", SAFE);
    bench.subscribe(ANNA, "a", 1);
    bench.settle();
    assert_eq!(bench.dropped(), [Cause::Unroutable], "and the publisher gets its confirm");
    assert_eq!(bench.confirmed(), [1]);
    assert_eq!(bench.closed(), [(ANNA, CloseReason::NoQueue("a".into()))]);
}

#[test]
fn a_quorum_queue_keeps_transient_messages_and_itself() {
    let mut bench = Bench::new(vec![QueueConfig { durable: false, ..quorum("a", None) }]);
    bench.publish("a", "m", Mode { persistent: false, ..SAFE });
    bench.settle();
    bench.crash();
    assert_eq!(bench.ready("a"), "m");
}

#[test]
fn a_publish_without_confirm_is_lost_if_the_broker_dies_before_the_flush() {
    let mut bench = Bench::new(vec![classic("a")]);
    bench.publish("a", "m", Mode { confirm: false, ..SAFE });
    bench.crash();
    assert_eq!(bench.ready("a"), "");
    assert_eq!(bench.dropped(), [Cause::NotOnDisk]);
}

#[test]
fn a_crash_between_flush_and_confirm_loses_the_confirm_only() {
    let mut bench = Bench::new(vec![classic("a")]);
    bench.publish("a", "m", SAFE);
    bench.take(Step::Flush);
    bench.crash();
    bench.settle();
    assert_eq!(bench.ready("a"), "m");
    assert_eq!(bench.confirmed(), [0; 0]);
    assert!(bench.facts.contains(&Fact::ConfirmLost { conn: PUBLISHER, token: 1 }));
}

#[test]
fn what_was_confirmed_survives_any_number_of_crashes() {
    let mut bench = Bench::new(vec![classic("a")]);
    bench.publish_all("a", &["m1", "m2"]);
    bench.subscribe(ANNA, "a", 1);
    bench.settle();
    bench.crash();
    bench.crash();
    assert_eq!(bench.ready("a"), "m1* m2");
    assert_eq!(bench.broker.queue_named("a").unwrap().consumers, 0);
}

#[test]
fn dead_lettering_is_not_on_disk_until_the_next_flush() {
    let first = QueueConfig { dead_letter: Some("dead".into()), ..classic("a") };
    let mut bench = Bench::new(vec![first, classic("dead")]);
    bench.publish_all("a", &["m"]);
    bench.subscribe(ANNA, "a", 1);
    bench.settle();
    bench.nack(ANNA, 1, false);
    assert_eq!(bench.broker.pending(), [Step::Flush]);
    bench.crash();
    assert_eq!((bench.ready("a"), bench.ready("dead")), (String::new(), String::new()));
    assert_eq!(bench.dropped(), [Cause::NotOnDisk]);
}
