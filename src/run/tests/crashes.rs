//! What ends with a process, and what goes on without it.

use super::bench::{LETTERS, PLACE, SHOP, at_ms, count, run, scene, shop, verdict};
use crate::audit::Verdict;
use crate::sim::What;

#[test]
fn what_has_left_a_box_arrives_even_if_the_box_dies() {
    let scene = shop();
    let line = 1 + scene.source.lines().position(|l| l.contains("broker.publish")).unwrap_or(0);
    for fault in ["unplug", "kill"] {
        let before = run(&scene, &format!("{fault}:shop@shop.{line}:before"));
        assert_eq!(verdict(&before), Verdict::Lost);
        let leaves = before.steps;
        assert!(leaves > 0);
        let after = run(&scene, &format!("{fault}:shop@published"));
        assert_eq!(verdict(&after), Verdict::Once);
    }
}

#[test]
fn an_answer_that_has_not_left_never_leaves_but_the_effect_stays() {
    let finished = run(&shop(), "unplug:db@committed");
    assert_eq!(verdict(&finished), Verdict::Lost);
    let commits =
        |what: &What| matches!(what, What::AnswerLeft { ask, .. } if &*ask.verb == "COMMIT");
    assert_eq!(count(&finished.events, commits), 0);
}

#[test]
fn a_handler_of_a_service_that_throws_answers_500_and_the_process_lives() {
    let throws = "
async function placeOrder({ order }) {
  throw new Error(\"no\");
}";
    let finished = run(&scene(SHOP, 2, &[throws, LETTERS]), "");
    assert_eq!(count(&finished.events, |what| *what == What::OrderAnswered(false)), 2);
    assert_eq!(count(&finished.events, |what| matches!(what, What::Crashed { .. })), 0);
    assert_eq!(verdict(&finished), Verdict::NotPlaced);
}

#[test]
fn an_uncaught_error_ends_a_worker_and_it_starts_again_after_the_restart_delay() {
    let finished = run(&shop(), "kill:broker@sent,restart:broker@+10");
    let crashed = at_ms(&finished.events, |what| matches!(what, What::Crashed { .. }));
    let events = finished.events.iter().skip_while(|e| !matches!(e.what, What::Crashed { .. }));
    let rest: Vec<_> = events.cloned().collect();
    let letters = rest.first().map(|event| event.part);
    let started = rest.iter().find(|e| e.what == What::Started && Some(e.part) == letters);
    assert_eq!(started.map(|event| event.time_us / 1000), crashed.map(|ms| ms + 1000));
    assert_eq!(verdict(&finished), Verdict::Doubled);
}

#[test]
fn a_message_without_an_acknowledgement_comes_again() {
    let finished = run(&shop(), "kill:letters@sent");
    assert_eq!(verdict(&finished), Verdict::Doubled);
    let again = |what: &What| matches!(what, What::Received { redelivered: true });
    assert_eq!(count(&finished.events, again), 1);
}

#[test]
fn two_instances_share_a_queue() {
    let parts = [SHOP, "\n    second: worker({ program: sendLetters }),"].concat();
    let finished = run(&scene(&parts, 4, &[PLACE, LETTERS]), "");
    assert!(finished.accounts.iter().all(|account| account.verdict == Verdict::Once));
    let by = |name: &str| {
        let received = finished.events.iter().filter(|e| matches!(e.what, What::Received { .. }));
        let part = scene(&parts, 4, &[PLACE, LETTERS]).setup.part_named(name);
        received.filter(|event| Some(event.part) == part).count()
    };
    assert_eq!((by("letters"), by("second")), (2, 2));
}

#[test]
fn a_transaction_that_a_program_never_ends_keeps_its_session() {
    let forgets = "
async function placeOrder({ db, mailer, order }) {
  const tx = await db.begin();
  await tx.query(sql`INSERT INTO orders (id, customer) VALUES (${order.id}, ${order.customer})`);
}";
    let finished = run(&scene(SHOP, 3, &[forgets, LETTERS]), "");
    assert!(finished.at_rest);
    let begins = |what: &What| matches!(what, What::Executed { ask, .. } if &*ask.verb == "BEGIN");
    assert_eq!(count(&finished.events, begins), 3);
    assert_eq!(verdict(&finished), Verdict::NotPlaced);
}

#[test]
fn statements_sent_together_are_answered_in_order() {
    let hasty = "
async function placeOrder({ db, mailer, order }) {
  const tx = await db.begin();
  await Promise.all([
    tx.query(sql`INSERT INTO orders (id, customer) VALUES (${order.id}, ${order.customer})`),
    tx.commit(),
    db.query(sql`SELECT id FROM orders`),
  ]);
  await mailer.send({ order: order.id, to: order.customer, kind: \"letter\" });
}";
    let finished = run(&scene(SHOP, 1, &[hasty, LETTERS]), "");
    assert_eq!(verdict(&finished), Verdict::Once);
}

#[test]
fn a_deadlock_ends_the_statement_that_waited_a_second_first() {
    let locks = "
async function extra({ db, sleep }) {
  await db.query(sql`INSERT INTO orders (id, customer) VALUES (71, 'A')`);
  await db.query(sql`INSERT INTO orders (id, customer) VALUES (72, 'B')`);
  await Promise.all([
    crossing({ db, sleep, first: 71, second: 72, ms: 100 }),
    crossing({ db, sleep, first: 72, second: 71, ms: 600 }),
  ]);
}
async function crossing({ db, sleep, first, second, ms }) {
  const tx = await db.begin();
  await tx.query(sql`UPDATE orders SET customer = 'x' WHERE id = ${first}`);
  await sleep(ms);
  await tx.query(sql`UPDATE orders SET customer = 'x' WHERE id = ${second}`); // moment: crossed
  await tx.commit();
}";
    let parts = [SHOP, "\n    extra: worker({ program: extra }),"].concat();
    let finished = run(&scene(&parts, 0, &[PLACE, LETTERS, locks]), "kill:extra@+4000");
    let waits = finished.events.iter().find(|e| matches!(e.what, What::Waits { .. }));
    let ends = finished
        .events
        .iter()
        .find(|event| matches!(&event.what, What::Refused { code, .. } if &**code == "40P01"));
    let (waits, ends) = (waits.map_or(0, |e| e.time_us), ends.map_or(0, |e| e.time_us));
    assert_eq!(ends, waits + 1_001_000);
}
