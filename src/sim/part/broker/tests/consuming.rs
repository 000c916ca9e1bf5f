//! Delivery, acknowledgement, rejection, time-outs.

use super::bench::*;
use crate::sim::part::broker::*;

#[test]
fn auto_ack_forgets_at_hand_over() {
    let mut bench = Bench::new(vec![classic("a")]);
    bench.publish_all("a", &["m1", "m2", "m3"]);
    let queue = "a".into();
    bench.request(ANNA, &Request::Subscribe { queue, prefetch: 1, auto_ack: true, token: 7 });
    bench.settle();
    bench.disconnect(ANNA);
    assert_eq!(bench.given(ANNA), "m1 m2 m3", "the window does not hold auto-ack back");
    assert_eq!((bench.ready("a"), bench.acked()), (String::new(), 3));
}

#[test]
fn prefetch_counts_what_this_consumer_has_not_acknowledged() {
    let mut bench = Bench::new(vec![classic("a")]);
    bench.publish_all("a", &["m1", "m2", "m3", "m4", "m5"]);
    bench.subscribe(ANNA, "a", 2);
    bench.settle();
    assert_eq!(bench.given(ANNA), "m1 m2");
    bench.subscribe(BORIS, "a", 1);
    bench.settle();
    assert_eq!(bench.given(BORIS), "m3");
    bench.ack(ANNA, 1);
    bench.settle();
    assert_eq!(bench.given(ANNA), "m1 m2 m4");
    assert_eq!(bench.ready("a"), "m5");
}

#[test]
fn two_consumers_of_one_connection_have_a_window_each() {
    let mut bench = Bench::new(vec![classic("a")]);
    bench.publish_all("a", &["m1", "m2", "m3"]);
    for token in [1, 2] {
        let queue = "a".into();
        bench.request(ANNA, &Request::Subscribe { queue, prefetch: 1, auto_ack: false, token });
    }
    bench.settle();
    assert_eq!(bench.given(ANNA), "m1 m2");
}

#[test]
fn delivery_tags_are_counted_on_each_channel() {
    let mut bench = Bench::new(vec![classic("a")]);
    bench.publish_all("a", &["m1", "m2"]);
    bench.subscribe(ANNA, "a", 1);
    bench.subscribe(BORIS, "a", 1);
    bench.settle();
    let tags: Vec<_> = bench.broker.unacked().map(|(conn, tag, _)| (conn, tag)).collect();
    assert_eq!(tags, [(ANNA, Tag(1)), (BORIS, Tag(1))]);
    assert!(bench.broker.is_unacked(ANNA, Tag(1)));
    assert!(!bench.broker.is_unacked(ANNA, Tag(2)));
}

#[test]
fn a_second_ack_closes_the_channel_and_returns_what_it_held() {
    let mut bench = Bench::new(vec![classic("a")]);
    bench.publish_all("a", &["m1", "m2"]);
    bench.subscribe(ANNA, "a", 0);
    bench.settle();
    bench.ack(ANNA, 1);
    bench.ack(ANNA, 1);
    bench.ack(ANNA, 2);
    bench.settle();
    assert_eq!(bench.closed(), [(ANNA, CloseReason::UnknownTag(Tag(1)))]);
    assert_eq!(bench.closed()[0].1.code(), (406, "PRECONDITION_FAILED"));
    assert_eq!(bench.ready("a"), "m2*", "the ack on the closed channel is ignored");
    assert_eq!(bench.acked(), 1);
    assert!(bench.broker.connections().all(|conn| conn != ANNA));
}

#[test]
fn a_stale_ack_does_not_ack_the_other_consumers_copy() {
    let mut bench = Bench::new(vec![classic("a")]);
    bench.publish_all("a", &["m"]);
    bench.subscribe(ANNA, "a", 1);
    bench.settle();
    bench.broker.time_out(ANNA, Tag(1), 0, &mut bench.facts);
    bench.subscribe(BORIS, "a", 1);
    bench.settle();
    bench.ack(ANNA, 1);
    assert_eq!(bench.unacked("a"), "m*");
    assert_eq!(bench.acked(), 0);
    bench.ack(BORIS, 1);
    assert_eq!(bench.acked(), 1);
}

#[test]
fn the_acknowledgement_time_out_closes_the_channel_and_returns_all() {
    let mut bench = Bench::new(vec![classic("a")]);
    bench.publish_all("a", &["m1", "m2"]);
    bench.subscribe(ANNA, "a", 2);
    bench.settle();
    bench.ack(ANNA, 1);
    bench.broker.time_out(ANNA, Tag(1), 0, &mut bench.facts);
    assert_eq!(bench.unacked("a"), "m2", "an acknowledged delivery times nobody out");
    bench.broker.time_out(ANNA, Tag(2), 0, &mut bench.facts);
    bench.settle();
    assert_eq!(bench.ready("a"), "m2*");
    assert_eq!(bench.closed(), [(ANNA, CloseReason::ConsumerTimeout(Tag(2)))]);
}

#[test]
fn the_whole_prefetched_window_comes_back_flagged() {
    let mut bench = Bench::new(vec![classic("a")]);
    bench.publish_all("a", &["m1", "m2", "m3", "m4"]);
    bench.subscribe(ANNA, "a", 3);
    bench.settle();
    bench.disconnect(ANNA);
    assert_eq!(bench.ready("a"), "m1* m2* m3* m4");
}

#[test]
fn redelivery_keeps_the_message_and_changes_tag_and_flag() {
    let mut bench = Bench::new(vec![classic("a")]);
    bench.publish_all("a", &["m"]);
    bench.subscribe(ANNA, "a", 1);
    bench.settle();
    bench.nack(ANNA, 1, true);
    bench.settle();
    let deliveries: Vec<_> = bench
        .sent
        .iter()
        .filter_map(|output| match output {
            Output::Deliver { tag, entry, redelivered, deliveries, message, .. } => {
                Some((*tag, *entry, *redelivered, *deliveries, message.clone()))
            }
            _ => None,
        })
        .collect();
    let message = deliveries[0].4.clone();
    assert_eq!(deliveries[0], (Tag(1), EntryId(1), false, 1, message.clone()));
    assert_eq!(deliveries[1], (Tag(2), EntryId(1), true, 2, message));
}

#[test]
fn a_cancelled_consumer_gets_no_more_and_keeps_what_it_has() {
    let mut bench = Bench::new(vec![classic("a")]);
    bench.publish_all("a", &["m1", "m2"]);
    bench.subscribe(ANNA, "a", 1);
    bench.settle();
    bench.request(ANNA, &Request::Cancel { consumer: 7, token: 8 });
    bench.ack(ANNA, 1);
    bench.settle();
    assert_eq!(bench.given(ANNA), "m1");
    assert_eq!((bench.ready("a"), bench.acked()), ("m2".into(), 1));
    assert!(bench.sent.contains(&Output::Cancelled { conn: ANNA, token: 8 }));
}

#[test]
fn subscribing_to_a_missing_queue_closes_the_channel() {
    let mut bench = Bench::new(vec![]);
    bench.subscribe(ANNA, "a", 1);
    bench.settle();
    assert_eq!(bench.closed(), [(ANNA, CloseReason::NoQueue("a".into()))]);
}

#[test]
fn a_reject_without_requeue_drops_or_dead_letters() {
    let first = QueueConfig { dead_letter: Some("dead".into()), ..classic("a") };
    let nowhere = QueueConfig { dead_letter: Some("missing".into()), ..classic("b") };
    let mut bench = Bench::new(vec![first, classic("dead"), nowhere]);
    bench.publish_all("a", &["m1"]);
    bench.publish_all("b", &["m2"]);
    bench.subscribe(ANNA, "a", 1);
    bench.subscribe(ANNA, "b", 1);
    bench.settle();
    bench.nack(ANNA, 1, false);
    bench.nack(ANNA, 2, false);
    assert_eq!(bench.ready("dead"), "m1", "a new entry, not flagged");
    let (entry, successor, cause) = (EntryId(1), EntryId(3), Cause::Rejected);
    assert!(bench.facts.contains(&Fact::DeadLettered { entry, successor, cause }));
    assert_eq!(bench.dropped(), [Cause::Rejected]);
}

#[test]
fn a_delivery_limit_of_two_allows_three_deliveries() {
    let mut bench = Bench::new(vec![quorum("a", Some(2))]);
    bench.publish_all("a", &["poison"]);
    bench.subscribe(ANNA, "a", 1);
    for tag in 1..=3 {
        bench.settle();
        assert_eq!(bench.dropped(), []);
        bench.nack(ANNA, tag, true);
    }
    bench.settle();
    assert_eq!(bench.given(ANNA), "poison poison* poison*");
    assert_eq!(bench.dropped(), [Cause::DeliveryLimit]);
}

#[test]
fn the_delivery_limit_counts_crashes_and_takes_the_innocent_along() {
    let limited = QueueConfig { dead_letter: Some("dead".into()), ..quorum("a", Some(2)) };
    let mut bench = Bench::new(vec![limited, classic("dead")]);
    bench.publish_all("a", &["poison", "n1", "n2", "n3"]);
    for _ in 0..3 {
        bench.broker.connect(ANNA);
        bench.subscribe(ANNA, "a", 3);
        bench.settle();
        bench.disconnect(ANNA);
    }
    assert_eq!(bench.ready("a"), "n3", "it was never within a window");
    assert_eq!(bench.ready("dead"), "poison n1 n2");
}

#[test]
fn a_classic_queue_has_no_delivery_limit() {
    let mut bench = Bench::new(vec![QueueConfig { delivery_limit: Some(0), ..classic("a") }]);
    bench.publish_all("a", &["m"]);
    bench.subscribe(ANNA, "a", 1);
    bench.settle();
    bench.nack(ANNA, 1, true);
    assert_eq!(bench.ready("a"), "m*");
}

#[test]
fn messages_expire_at_the_head_and_not_while_they_are_held() {
    let dead_letter = Some("dead".into());
    let short = QueueConfig { ttl_us: Some(100), dead_letter, ..classic("a") };
    let mut bench = Bench::new(vec![short, classic("dead")]);
    bench.publish_all("a", &["m1"]);
    bench.subscribe(ANNA, "a", 1);
    bench.settle();
    bench.now_us = 50;
    bench.publish_all("a", &["m2"]);
    assert_eq!(bench.broker.next_expiry_us(), Some(150));
    bench.broker.expire(149, &mut bench.facts);
    assert_eq!(bench.ready("dead"), "");
    bench.broker.expire(150, &mut bench.facts);
    assert_eq!((bench.ready("dead"), bench.unacked("a")), ("m2".into(), "m1".into()));
    assert_eq!(bench.broker.next_expiry_us(), None);
    bench.now_us = 200;
    bench.disconnect(ANNA);
    assert_eq!(bench.broker.next_expiry_us(), Some(100), "it is due as soon as it is back");
    bench.broker.expire(200, &mut bench.facts);
    assert_eq!(bench.ready("dead"), "m2 m1");
}

#[test]
fn all_that_is_due_expires_at_once() {
    let mut bench = Bench::new(vec![QueueConfig { ttl_us: Some(10), ..classic("a") }]);
    bench.publish_all("a", &["m1", "m2"]);
    bench.now_us = 5;
    bench.publish_all("a", &["m3"]);
    bench.broker.expire(10, &mut bench.facts);
    assert_eq!(bench.ready("a"), "m3");
}

#[test]
fn a_dead_letter_cycle_without_a_rejection_is_cut() {
    let again = QueueConfig { ttl_us: Some(10), dead_letter: Some("a".into()), ..classic("again") };
    let first =
        QueueConfig { ttl_us: Some(1000), dead_letter: Some("again".into()), ..classic("a") };
    let mut bench = Bench::new(vec![first, again]);
    bench.publish_all("a", &["m"]);
    bench.subscribe(ANNA, "a", 1);
    for round in 1..=3 {
        bench.settle();
        bench.nack(ANNA, round, false);
        assert_eq!(bench.ready("again"), "m", "a rejected message may go round");
        bench.now_us += 10;
        bench.broker.expire(bench.now_us, &mut bench.facts);
        assert_eq!(bench.ready("a"), "m");
    }
    let view = bench.broker.queue_named("a").unwrap();
    assert_eq!(view.entries[0].deaths.len(), 2, "each queue and cause is noted once");
    bench.settle();
    bench.disconnect(ANNA);
    for now_us in [2000, 3000, 4000] {
        bench.broker.expire(now_us, &mut bench.facts);
    }
    assert_eq!((bench.ready("a"), bench.ready("again")), (String::new(), String::new()));
    assert_eq!(bench.dropped(), [Cause::Expired]);
}

#[test]
fn a_queue_does_not_dead_letter_into_itself_by_time() {
    let own = QueueConfig { ttl_us: Some(10), dead_letter: Some("a".into()), ..classic("a") };
    let mut bench = Bench::new(vec![own]);
    bench.publish_all("a", &["m"]);
    bench.broker.expire(10, &mut bench.facts);
    assert_eq!(bench.dropped(), [Cause::Expired]);
}
