//! Routing, confirms, returns.

use super::bench::*;
use crate::sim::part::broker::*;

#[test]
fn unroutable_and_not_mandatory_is_confirmed_and_dropped() {
    let mut bench = Bench::new(vec![classic("a")]);
    bench.publish("nowhere", "m", SAFE);
    bench.settle();
    assert_eq!(bench.confirmed(), [1]);
    assert_eq!(bench.sent.len(), 1, "nothing but the confirm");
    assert_eq!(bench.dropped(), [Cause::Unroutable]);
}

#[test]
fn mandatory_is_returned_first_and_confirmed_then() {
    let mut bench = Bench::new(vec![]);
    bench.publish("nowhere", "m", Mode { mandatory: true, ..SAFE });
    bench.settle();
    assert!(matches!(bench.sent[0], Output::Return { token: 1, .. }));
    assert_eq!(bench.sent[1], Output::Confirm { conn: PUBLISHER, token: 1 });
    assert_eq!(bench.dropped(), [Cause::Returned]);
}

#[test]
fn a_missing_exchange_closes_the_channel() {
    let mut bench = Bench::new(vec![classic("a")]);
    bench.publish("a", "earlier", SAFE);
    bench.publish_to("gone", "a", "m", SAFE);
    bench.publish("a", "later", SAFE);
    bench.settle();
    assert_eq!(bench.closed(), [(PUBLISHER, CloseReason::NoExchange("gone".into()))]);
    assert_eq!(bench.closed()[0].1.code(), (404, "NOT_FOUND"));
    assert_eq!(bench.confirmed(), [0; 0], "confirms of the closed channel are lost");
    assert!(bench.facts.contains(&Fact::ConfirmLost { conn: PUBLISHER, token: 1 }));
    assert_eq!(bench.ready("a"), "earlier");
    assert_eq!(bench.facts.last(), Some(&Fact::Flushed { entry: EntryId(1) }));
    assert!(bench.facts.contains(&Fact::Ignored { conn: PUBLISHER }));
}

#[test]
fn a_persistent_message_is_confirmed_only_after_the_flush() {
    let mut bench = Bench::new(vec![classic("a")]);
    bench.publish("a", "m", SAFE);
    assert_eq!(bench.broker.pending(), [Step::Flush]);
    assert_eq!(bench.broker.take(Step::Answer(PUBLISHER), &mut bench.facts), None);
    bench.take(Step::Flush);
    assert_eq!(bench.broker.pending(), [Step::Answer(PUBLISHER)]);
    bench.take(Step::Answer(PUBLISHER));
    assert_eq!(bench.confirmed(), [1]);
    assert_eq!(bench.broker.pending(), []);
}

#[test]
fn a_transient_message_is_confirmed_at_once_and_may_overtake() {
    let mut bench = Bench::new(vec![classic("a")]);
    bench.publish("a", "slow", SAFE);
    bench.publish("a", "fast", Mode { persistent: false, ..SAFE });
    bench.take(Step::Answer(PUBLISHER));
    bench.settle();
    assert_eq!(bench.confirmed(), [2, 1]);
}

#[test]
fn a_persistent_message_in_a_queue_that_is_not_durable_is_confirmed_at_once() {
    let mut bench = Bench::new(vec![QueueConfig { durable: false, ..classic("a") }]);
    bench.publish("a", "m", SAFE);
    assert_eq!(bench.broker.pending(), [Step::Answer(PUBLISHER)]);
}

#[test]
fn a_quorum_queue_confirms_after_the_flush_whatever_the_mode() {
    let mut bench = Bench::new(vec![quorum("a", None)]);
    bench.publish("a", "m", Mode { persistent: false, ..SAFE });
    assert_eq!(bench.broker.pending(), [Step::Flush]);
}

#[test]
fn a_confirm_waits_for_all_queues() {
    let volatile = QueueConfig { durable: false, ..classic("volatile") };
    let exchanges = vec![Exchange { name: "all".into(), kind: ExchangeKind::Fanout }];
    let bind =
        |queue: &str| Binding { exchange: "all".into(), queue: queue.into(), key: "".into() };
    let bindings = vec![bind("volatile"), bind("kept"), bind("kept")];
    let queues = vec![volatile, classic("kept")];
    let mut bench = Bench::with(Config { exchanges, queues, bindings });
    bench.publish_to("all", "x", "m", SAFE);
    assert_eq!((bench.ready("volatile"), bench.ready("kept")), ("m".into(), "m".into()));
    assert_eq!(bench.broker.pending(), [Step::Flush], "one of the two has to be written");
    bench.settle();
    assert_eq!(bench.confirmed(), [1], "one confirm for one publish");
}

#[test]
fn without_confirms_the_publisher_hears_nothing() {
    let mut bench = Bench::new(vec![classic("a")]);
    bench.publish("a", "m", Mode { confirm: false, ..SAFE });
    bench.settle();
    assert_eq!(bench.sent, []);
    assert_eq!(bench.ready("a"), "m");
}

#[test]
fn a_lost_confirm_and_a_second_publish_make_two_entries_without_flags() {
    let mut bench = Bench::new(vec![classic("a")]);
    bench.publish("a", "m", SAFE);
    bench.take(Step::Flush);
    bench.disconnect(PUBLISHER);
    assert_eq!(bench.facts.last(), Some(&Fact::ConfirmLost { conn: PUBLISHER, token: 1 }));
    bench.broker.connect(PUBLISHER);
    bench.publish("a", "m", SAFE);
    bench.subscribe(ANNA, "a", 0);
    bench.settle();
    assert_eq!(bench.confirmed(), [2]);
    assert_eq!(bench.given(ANNA), "m m", "same message id, and neither is flagged");
}

#[test]
fn a_duplicated_entry_stands_behind_its_original_and_is_not_flagged() {
    let mut bench = Bench::new(vec![classic("a")]);
    bench.publish_all("a", &["m1", "m2"]);
    bench.broker.duplicate(EntryId(1), 0, &mut bench.facts);
    bench.broker.duplicate(EntryId(99), 0, &mut bench.facts);
    assert_eq!(bench.ready("a"), "m1 m1 m2");
}

#[test]
fn a_queue_that_nobody_declared_takes_nothing_until_somebody_does() {
    let mut bench = Bench::new(vec![QueueConfig { declared: false, ..classic("a") }]);
    bench.publish("a", "early", SAFE);
    let declare = Request::Declare { queue: "a".into(), token: 5 };
    bench.request(ANNA, &declare);
    bench.request(ANNA, &declare);
    bench.publish("a", "late", SAFE);
    bench.settle();
    assert_eq!(bench.ready("a"), "late");
    assert_eq!(bench.dropped(), [Cause::Unroutable]);
    let declared = |fact: &&Fact| matches!(fact, Fact::QueueDeclared { .. });
    assert_eq!(bench.facts.iter().filter(declared).count(), 1);
    assert!(bench.sent.contains(&Output::Declared { conn: ANNA, token: 5 }));
}
