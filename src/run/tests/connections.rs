//! Connections: who learns of their end, when, and what becomes of what was under way.

use std::sync::Arc;

use super::bench::{LETTERS, PLACE, SHOP, at_ms, count, run, scene, shop, verdict};
use crate::audit::Verdict;
use crate::scene::Scene;
use crate::sim::{Loss, What};

const CATCHING: &str = "
async function placeOrder({ db, mailer, order, sleep }) {
  let tries = 0;
  while (tries < 5) {
    try {
      await db.transaction(async (tx) => {
        await tx.query(sql`
        INSERT INTO orders (id, customer) VALUES (${order.id}, ${order.customer})
        ON CONFLICT DO NOTHING`);
      }); // moment: committed
      break;
    } catch (error) {
      tries += 1;
      await sleep(100);
    }
  }
  await mailer.send({ order: order.id, to: order.customer, kind: \"letter\" });
}";

fn disconnected(what: &What) -> bool {
    matches!(what, What::Disconnected(_))
}

fn publish_lost(loss: Loss) -> What {
    What::Lost { what: "publish order.created".into(), loss }
}

/// The name of the published message, and the step after the one in which it left.
fn publish(scene: &Arc<Scene>) -> (String, u64) {
    let events = run(scene, "").events;
    let stored = events.iter().find(|event| matches!(event.what, What::Stored(_)));
    let name = stored.and_then(|event| event.cause).map(|name| name.text(&scene.setup));
    let leaves = |what: &What| matches!(what, What::Called { ask, .. } if &*ask.verb == "publish");
    let left = events.iter().find(|event| leaves(&event.what));
    (name.unwrap_or_default(), left.map_or(0, |event| event.step + 1))
}

fn client_gone(what: &What) -> bool {
    matches!(what, What::ClientGone { .. })
}

#[test]
fn a_killed_client_is_known_to_be_gone_after_one_latency() {
    let finished = run(&shop(), "kill:letters@committed");
    let killed = at_ms(&finished.events, |what| *what == What::Killed).unwrap_or(0);
    let gone = at_ms(&finished.events, client_gone).unwrap_or(0);
    assert!((40..=61).contains(&(gone - killed)), "{killed} {gone}");
}

#[test]
fn a_client_without_power_is_taken_for_dead_after_three_seconds() {
    let finished = run(&shop(), "unplug:letters@committed,plug:letters@+9000");
    let pulled = at_ms(&finished.events, |what| *what == What::Unplugged).unwrap_or(0);
    let gone = at_ms(&finished.events, client_gone).unwrap_or(0);
    assert_eq!(gone - pulled, 3000);
}

#[test]
fn a_dead_clients_transaction_keeps_its_locks_until_the_server_notices() {
    let scene = scene(SHOP, 1, &[PLACE, LETTERS]);
    let line = 1 + scene.source.lines().position(|l| l.contains("INSERT INTO orders")).unwrap_or(0);
    let actions = format!("unplug:shop@shop.{line}:effect");
    let finished = run(&scene, &actions);
    let lost =
        at_ms(&finished.events, |what| matches!(what, What::Lost { loss: Loss::RolledBack, .. }));
    let pulled = at_ms(&finished.events, |what| *what == What::Unplugged).unwrap_or(0);
    assert_eq!(lost, Some(pulled + 3000));
    assert_eq!(verdict(&finished), Verdict::NotPlaced);
}

#[test]
fn a_message_to_a_host_without_power_is_lost() {
    let finished = run(&shop(), "unplug:broker@committed,plug:broker@+9000");
    let lost = |what: &What| *what == publish_lost(Loss::NoPower);
    assert_eq!(count(&finished.events, lost), 1);
    assert_eq!(verdict(&finished), Verdict::Lost);
}

#[test]
fn a_message_to_a_dead_process_is_answered_with_a_reset() {
    let finished = run(&shop(), "kill:broker@committed,restart:broker@+9000");
    let lost = |what: &What| *what == publish_lost(Loss::NoConnection);
    let died = at_ms(&finished.events, |what| *what == What::Killed).unwrap_or(0);
    assert_eq!(count(&finished.events, lost), 1);
    let answered = at_ms(&finished.events, |what| *what == What::OrderAnswered(false));
    assert!(answered.is_some_and(|ms| ms - died < 200), "{answered:?}");
}

#[test]
fn a_killed_database_executes_nothing() {
    let scene = scene(SHOP, 1, &[CATCHING, LETTERS]);
    let finished = run(&scene, "kill:db@1,restart:db@+700");
    let killed = finished.events.iter().position(|event| event.what == What::Killed);
    let started = finished.events.iter().rposition(|event| event.what == What::Started);
    let between = &finished.events[killed.unwrap_or(0)..started.unwrap_or(0)];
    assert_eq!(count(between, |what| matches!(what, What::Executed { rows: Some(_), .. })), 0);
    assert_eq!(verdict(&finished), Verdict::Once);
}

#[test]
fn what_a_cut_link_holds_goes_on_in_order_when_it_is_mended() {
    let finished = run(&shop(), "cut:broker-shop@committed,mend:broker-shop@+1500");
    assert_eq!(verdict(&finished), Verdict::Once);
    assert_eq!(count(&finished.events, |what| matches!(what, What::Lost { .. })), 0);
}

#[test]
fn over_a_cut_link_both_ends_give_up_after_three_seconds() {
    let finished = run(&shop(), "cut:broker-letters@committed,mend:broker-letters@+9000");
    let cut = at_ms(&finished.events, |what| matches!(what, What::Cut(_))).unwrap_or(0);
    assert_eq!(at_ms(&finished.events, client_gone), Some(cut + 3000));
    assert_eq!(at_ms(&finished.events, disconnected), Some(cut + 3000));
    assert_eq!(verdict(&finished), Verdict::Once);
}

#[test]
fn a_connection_that_begins_over_a_cut_link_ends_as_well() {
    let finished = run(&shop(), "cut:broker-letters@1,mend:broker-letters@+20000");
    let gave_up = at_ms(&finished.events, disconnected);
    assert!(gave_up.is_some_and(|ms| ms < 4000), "{gave_up:?}");
    assert_eq!(verdict(&finished), Verdict::Once);
}

#[test]
fn what_never_got_a_connection_does_not_arrive_later() {
    let scene = scene(SHOP, 1, &[CATCHING, LETTERS]);
    let finished = run(&scene, "cut:db-shop@1,mend:db-shop@+60000");
    assert_eq!(count(&finished.events, |what| matches!(what, What::Executed { .. })), 1);
    assert_eq!(verdict(&finished), Verdict::Phantom);
}

#[test]
fn a_dropped_message_takes_all_behind_it_along_and_the_connection_resets() {
    let scene = shop();
    let (name, step) = publish(&scene);
    let finished = run(&scene, &format!("drop:{name}@{step}"));
    assert_eq!(finished.missed, []);
    let lost = |what: &What| matches!(what, What::Lost { loss: Loss::Dropped, .. });
    assert_eq!(count(&finished.events, lost), 1);
    assert_eq!(count(&finished.events, disconnected), 1);
    assert_eq!(verdict(&finished), Verdict::Lost);
}

#[test]
fn a_delayed_message_comes_that_much_later() {
    let scene = shop();
    let (name, step) = publish(&scene);
    let finished = run(&scene, &format!("delay:{name}-700@{step}"));
    let at_ms = |events: &[_]| at_ms(events, |what| matches!(what, What::Stored(_)));
    assert_eq!(at_ms(&finished.events), at_ms(&run(&scene, "").events).map(|ms| ms + 700));
}

#[test]
fn a_lost_commit_answer_leaves_the_program_not_knowing() {
    let tells = "
async function placeOrder({ db, mailer, order }) {
  try {
    await db.transaction(async (tx) => {
      await tx.query(sql`
        INSERT INTO orders (id, customer) VALUES (${order.id}, ${order.customer})`);
    }); // moment: committed
  } catch (error) {
    if (error.code === \"commit-unknown\") {
      await mailer.send({ order: order.id, to: order.customer, kind: \"letter\" });
    }
  }
}";
    let scene = scene(SHOP, 1, &[tells, LETTERS]);
    assert_eq!(verdict(&run(&scene, "")), Verdict::Lost);
    assert_eq!(verdict(&run(&scene, "kill:db@committed")), Verdict::Once);
}

#[test]
fn a_refused_commit_rolls_back_and_the_order_is_answered_with_500() {
    let finished = run(&shop(), "refuse:db@1");
    assert_eq!(verdict(&finished), Verdict::NotPlaced);
    assert_eq!(count(&finished.events, |what| *what == What::OrderAnswered(false)), 1);
    assert_eq!(count(&finished.events, |what| matches!(what, What::Crashed { .. })), 0);
}
