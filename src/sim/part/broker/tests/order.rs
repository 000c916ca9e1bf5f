//! Who gets what, and in which order.

use super::bench::*;
use crate::sim::part::broker::*;

/// Holds m1 of three, gives it back, and says in which order they wait then.
fn requeued(queue: QueueConfig) -> String {
    let mut bench = Bench::new(vec![queue]);
    bench.publish_all("a", &["m1", "m2", "m3"]);
    bench.subscribe(ANNA, "a", 1);
    bench.settle();
    bench.nack(ANNA, 1, true);
    bench.ready("a")
}

#[test]
fn a_requeued_message_takes_its_old_place_in_a_classic_queue() {
    assert_eq!(requeued(classic("a")), "m1* m2 m3");
}

#[test]
fn a_requeued_message_takes_its_old_place_in_a_quorum_queue_with_a_limit() {
    assert_eq!(requeued(quorum("a", Some(5))), "m1* m2 m3");
}

#[test]
fn a_requeued_message_goes_to_the_back_in_a_quorum_queue_without_a_limit() {
    assert_eq!(requeued(quorum("a", None)), "m2 m3 m1*");
}

#[test]
fn a_lost_connection_gives_messages_their_old_place_in_any_queue() {
    for queue in [classic("a"), quorum("a", None), quorum("a", Some(5))] {
        let mut bench = Bench::new(vec![queue]);
        bench.publish_all("a", &["m1", "m2", "m3"]);
        bench.subscribe(ANNA, "a", 2);
        bench.settle();
        bench.disconnect(ANNA);
        assert_eq!(bench.ready("a"), "m1* m2* m3");
    }
}

#[test]
fn consumers_take_turns() {
    let mut bench = Bench::new(vec![classic("a")]);
    bench.subscribe(ANNA, "a", 0);
    bench.subscribe(BORIS, "a", 0);
    bench.publish_all("a", &["m1", "m2", "m3", "m4", "m5"]);
    assert_eq!(bench.given(ANNA), "m1 m3 m5");
    assert_eq!(bench.given(BORIS), "m2 m4");
}

#[test]
fn a_consumer_with_a_full_window_loses_its_turn_to_the_next() {
    let mut bench = Bench::new(vec![classic("a")]);
    bench.subscribe(ANNA, "a", 1);
    bench.subscribe(BORIS, "a", 0);
    bench.publish_all("a", &["m1", "m2", "m3"]);
    assert_eq!(bench.given(ANNA), "m1");
    assert_eq!(bench.given(BORIS), "m2 m3");
}

#[test]
fn with_two_consumers_a_dead_ones_message_is_seen_after_its_successor() {
    let mut bench = Bench::new(vec![classic("a")]);
    bench.subscribe(ANNA, "a", 1);
    bench.subscribe(BORIS, "a", 1);
    bench.publish_all("a", &["m1", "m2", "m3"]);
    bench.ack(BORIS, 1);
    bench.disconnect(ANNA);
    for tag in 2..=3 {
        bench.settle();
        bench.ack(BORIS, tag);
    }
    assert_eq!(bench.given(BORIS), "m2 m1* m3");
}

#[test]
fn a_single_active_consumer_is_followed_by_the_next_only_when_it_is_gone() {
    let mut bench = Bench::new(vec![QueueConfig { single_active_consumer: true, ..classic("a") }]);
    bench.subscribe(ANNA, "a", 1);
    bench.subscribe(BORIS, "a", 1);
    bench.publish_all("a", &["m1", "m2"]);
    bench.ack(ANNA, 1);
    bench.settle();
    assert_eq!((bench.given(ANNA), bench.given(BORIS)), ("m1 m2".into(), String::new()));
    bench.disconnect(ANNA);
    bench.settle();
    assert_eq!(bench.given(BORIS), "m2*");
}
