//! Failures between a relay and its broker.

use pull_the_plug::audit::Verdict::{Lost, Stuck};

use crate::bench::{Case, edit, wrong};
use crate::text::SHOP;

/// The consumer is away while the broker restarts.
pub(crate) const BROKER_RESTARTS: &str =
    "unplug:bonus@1,kill:broker@marked#2,restart:broker@+100,plug:bonus@+2000";

fn consumer_away(faulty: &str) {
    Case { faulty, sound: SHOP, trigger: BROKER_RESTARTS, shows: &[Lost], leaves: &[] }.check();
}

#[test]
fn f26_a_transient_message_in_a_durable_queue() {
    consumer_away(&edit(SHOP, &[("persistent: true", "persistent: false")]));
}

#[test]
fn f26_a_persistent_message_in_a_queue_that_is_not_durable() {
    consumer_away(&edit(SHOP, &[("durable: true", "durable: false")]));
}

/// Nobody has declared the queue: the broker confirms, and drops.
#[test]
fn f27_confirmed_and_routed_nowhere() {
    let faulty = edit(SHOP, &[("queues: { \"order.created\"", "queues: { \"orders.created\"")]);
    let faulty = edit(&faulty, &[("subscribe(\"order.created\"", "subscribe(\"orders.created\"")]);
    Case { faulty: &faulty, sound: SHOP, trigger: "", shows: &[Lost], leaves: &[] }.check();
    // A mandatory message that comes back is not marked: seen, and not lost.
    let mandatory = edit(&faulty, &[("persistent: true", "persistent: true, mandatory: true")]);
    assert_eq!(wrong(&mandatory, ""), [Stuck]);
}

/// The relay marks the row while the message is only in the broker's memory.
#[test]
fn f25_published_without_a_confirm() {
    let faulty = edit(SHOP, &[("persistent: true", "persistent: true, confirm: false")]);
    let trigger = "unplug:bonus@1,kill:broker@published,restart:broker@+100,plug:bonus@+3000";
    Case { faulty: &faulty, sound: SHOP, trigger, shows: &[Lost], leaves: &[] }.check();
}
