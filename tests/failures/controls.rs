//! What must stay right: measures that work, under the very blows that they are for.

use pull_the_plug::audit::Verdict::Stuck;
use pull_the_plug::sim::What;

use crate::bench::{edit, run, wrong, wrong_after_a_crash};
use crate::broker::BROKER_RESTARTS;
use crate::consumer::{competing, two_slow_consumers, version_check};
use crate::relay::{backing_off, no_inbox, overtaking, two_relays};
use crate::text::SHOP;

#[test]
fn pc1_an_inbox_makes_one_effect_of_two_copies_under_any_crash() {
    assert_eq!(wrong(SHOP, "kill:relay@published"), []);
    assert_eq!(wrong_after_a_crash(SHOP), []);
}

/// The first consumer dies while the second one's insert waits for its fate.
#[test]
fn pc2_the_second_copy_waits_and_takes_over_after_a_rollback() {
    let text = two_slow_consumers(&[]);
    let waits = |actions: &str| {
        let events = run(&text, actions).events;
        let waits = events.iter().filter(|event| match &event.what {
            What::Waits { ask, .. } => &*ask.object == "processed_events",
            _ => false,
        });
        waits.count()
    };
    for takes_over in ["kill:relay@published", "kill:relay@published,kill:bonus@+2000"] {
        assert!(waits(takes_over) > 0, "{takes_over}");
        assert_eq!(wrong(&text, takes_over), []);
    }
}

#[test]
fn pc3_skip_locked_gives_no_row_to_two_live_transactions() {
    let text =
        edit(&two_relays(&no_inbox(SHOP)), &[("count: 1, everyMs: 200", "count: 6, everyMs: 130")]);
    assert_eq!(wrong(&text, ""), []);
    let one_by_one = edit(&text, &[("LIMIT 10", "LIMIT 1")]);
    assert_eq!(wrong(&one_by_one, ""), []);
}

#[test]
fn pc5_confirmed_and_persistent_in_a_durable_queue_survives_a_kill() {
    assert_eq!(wrong(SHOP, BROKER_RESTARTS), []);
}

#[test]
fn pc6_a_version_check_makes_waiting_of_a_wrong_order() {
    let [two_relays, ..] = overtaking();
    let [puts_off, _] = backing_off();
    let refused = "kill:broker@relay.<await broker.publish(row>:before,restart:broker@+500";
    for (text, trigger) in [(two_relays, ""), (puts_off, refused), (competing(), "")] {
        assert_eq!(wrong(&version_check(&text), trigger), []);
    }
    let [two_relays, ..] = overtaking();
    let no_room = edit(&version_check(&two_relays), &[("prefetch: 10", "prefetch: 1")]);
    assert_eq!(wrong(&no_room, ""), [Stuck]);
}
