//! Rest: declared when nothing can change an outcome any more, and never before.

use super::bench::{LETTERS, PLACE, SHOP, at_ms, run, scene, verdict};
use crate::audit::Verdict;
use crate::run::Finished;
use crate::sim::What;

/// The shop with one more worker.
fn ends(extra: &str) -> Finished {
    let parts = [SHOP, "\n    extra: worker({ program: extra }),"].concat();
    run(&scene(&parts, 1, &[PLACE, LETTERS, extra]), "")
}

#[test]
fn idle_polls_are_rest() {
    let finished = ends(
        "
async function extra({ db, sleep }) {
  while (true) {
    await db.transaction(async (tx) => {
      await tx.query(sql`SELECT id FROM orders WHERE customer = 'Nobody' FOR UPDATE SKIP LOCKED`);
    });
    await sleep(300);
  }
}",
    );
    assert!(finished.at_rest);
    assert!(finished.events.last().is_some_and(|event| event.time_us < 10_000_000));
}

#[test]
fn a_program_that_never_pauses_comes_to_rest_too() {
    let finished = ends(
        "
async function extra({ sleep }) {
  while (true) {
    await sleep(0);
  }
}",
    );
    assert!(finished.at_rest);
}

#[test]
fn a_crash_loop_is_rest() {
    let finished = ends(
        "
async function extra({ db }) {
  await db.transaction(async (tx) => {
    await tx.query(sql`SELECT id FROM orders`);
    throw new Error(\"no\");
  });
}",
    );
    assert!(finished.at_rest);
    assert_eq!(verdict(&finished), Verdict::Once);
}

#[test]
fn a_crash_before_the_first_call_is_rest() {
    let finished = ends(
        "
async function extra({ db }) {
  throw new Error(\"no\");
}",
    );
    assert!(finished.at_rest);
}

#[test]
fn a_loop_of_rollbacks_is_rest() {
    let finished = ends(
        "
async function extra({ db, sleep }) {
  while (true) {
    try {
      await db.transaction(async (tx) => {
        await tx.query(sql`INSERT INTO orders (id, customer) VALUES (77, 'Nobody')`);
        throw new Error(\"no\");
      });
    } catch (error) {
      await sleep(200);
    }
  }
}",
    );
    assert!(finished.at_rest);
    assert_eq!(finished.accounts.len(), 1);
}

#[test]
fn a_message_that_kills_its_consumer_each_time_is_stuck() {
    let poison = "
async function sendLetters({ broker }) {
  await broker.subscribe(\"order.created\", { prefetch: 1 }, async (message) => {
    throw new Error(\"poison\");
  });
}";
    let finished = run(&scene(SHOP, 1, &[PLACE, poison]), "");
    assert!(finished.at_rest);
    assert_eq!(verdict(&finished), Verdict::Stuck);
}

#[test]
fn a_message_that_is_routed_nowhere_again_and_again_is_rest() {
    let finished = ends(
        "
async function extra({ broker, sleep }) {
  while (true) {
    try {
      await broker.publish(\"nowhere\", { orderId: 1 }, { mandatory: true });
    } catch (error) {
      await sleep(200);
    }
  }
}",
    );
    assert!(finished.at_rest);
    assert_eq!(verdict(&finished), Verdict::Once);
}

#[test]
fn a_message_that_is_put_back_each_time_is_stuck() {
    let refuses = "
async function sendLetters({ broker, sleep }) {
  await broker.subscribe(\"order.created\", { prefetch: 1 }, async (message) => {
    await sleep(200);
    await message.nack();
  });
}";
    let finished = run(&scene(SHOP, 1, &[PLACE, refuses]), "");
    assert!(finished.at_rest);
    assert_eq!(verdict(&finished), Verdict::Stuck);
}

#[test]
fn a_statement_that_is_blocked_for_ever_is_rest() {
    let finished = ends(
        "
async function extra({ db, sleep }) {
  await sleep(1000);
  const tx = await db.begin();
  await tx.query(sql`SELECT id FROM orders FOR UPDATE`);
  while (true) {
    try {
      await db.query(sql`UPDATE orders SET customer = 'Boris' WHERE id = 1`);
    } catch (error) {
      await sleep(100);
    }
  }
}",
    );
    assert!(finished.at_rest);
    assert_eq!(verdict(&finished), Verdict::Once);
}

#[test]
fn a_row_committed_after_long_silence_is_still_seen() {
    let slow = "
async function placeOrder({ db, order, sleep }) {
  const tx = await db.begin();
  await tx.query(sql`INSERT INTO orders (id, customer) VALUES (${order.id}, ${order.customer})`);
  await sleep(20000);
  await tx.commit();
}";
    let polls = "
async function sendLetters({ db, mailer, sleep }) {
  let sent = 0;
  while (true) {
    const rows = await db.query(sql`SELECT id FROM orders`);
    if (rows.length > sent) {
      await mailer.send({ order: 1, to: \"Anna\", kind: \"letter\" });
      sent = rows.length;
    }
    await sleep(500);
  }
}";
    let finished = run(&scene(SHOP, 1, &[slow, polls]), "");
    assert_eq!(verdict(&finished), Verdict::Once);
}

#[test]
fn a_slow_timer_beside_a_fast_loop_is_waited_for() {
    let finished = ends(
        "
async function later({ mailer, sleep }) {
  await sleep(30000);
  await mailer.send({ order: 1, to: \"Anna\", kind: \"letter\" });
}
async function extra({ mailer, sleep }) {
  later({ mailer, sleep });
  while (true) {
    await sleep(10);
  }
}",
    );
    assert!(finished.at_rest);
    assert_eq!(verdict(&finished), Verdict::Doubled);
}

#[test]
fn a_stored_time_that_a_query_waits_for_is_waited_for() {
    let finished = ends(
        "
async function extra({ db, mailer, sleep }) {
  await db.query(sql`INSERT INTO jobs (id, due) VALUES (1, now() + interval '30 seconds')`);
  let sent = 0;
  while (sent === 0) {
    const rows = await db.query(sql`SELECT id FROM jobs WHERE due < now()`);
    if (rows.length > 0) {
      await mailer.send({ order: 1, to: \"Anna\", kind: \"letter\" });
      sent = 1;
    }
    await sleep(700);
  }
}",
    );
    assert_eq!(verdict(&finished), Verdict::Doubled);
}

#[test]
fn a_counter_that_only_grows_is_never_called_rest() {
    let finished = ends(
        "
async function extra({ sleep }) {
  let round = 0;
  while (true) {
    round += 1;
    await sleep(100000);
  }
}",
    );
    assert!(!finished.at_rest);
    assert_eq!(verdict(&finished), Verdict::Undecided);
}

#[test]
fn judging_mends_links_at_once_and_restarts_parts_after_the_delay() {
    let scene = scene(SHOP, 1, &[PLACE, LETTERS]);
    let finished = run(&scene, "unplug:mailer@1");
    let pulled = at_ms(&finished.events, |what| *what == What::Unplugged).unwrap_or(0);
    let plugged = at_ms(&finished.events, |what| *what == What::Plugged).unwrap_or(0);
    assert_eq!(plugged - pulled, 1000);
    assert_eq!(verdict(&finished), Verdict::Once);
}
