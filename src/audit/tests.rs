//! Each verdict by the smallest scene that has it, and the events that speak for it.

use std::sync::Arc;

use super::{Moment, Verdict, judge};
use crate::scene::Scene;
use crate::sim::{Event, Fault, Limits, Loss, What, World};

const TABLES: &str = "
    shop: service({ program: placeOrder }),
    db: postgres({ tables: sql`
      CREATE TABLE orders (id bigint PRIMARY KEY, customer text NOT NULL);
      CREATE TABLE bonuses (
        id bigserial PRIMARY KEY, order_id bigint NOT NULL, points int NOT NULL);
      CREATE TABLE applied (id bigserial PRIMARY KEY, order_id bigint, version int);` }),
    broker: rabbitmq({ queues: { work: { durable: true } } }),
    mailer: mail(),";

const INSERT: &str = "await db.query(sql`
    INSERT INTO orders (id, customer) VALUES (${order.id}, ${order.customer})`);";
const SEND: &str = "await mailer.send({ order: order.id, to: order.customer, kind: \"letter\" });";
const BONUS: &str =
    "await db.query(sql`INSERT INTO bonuses (order_id, points) VALUES (${order.id}, 10)`);";

fn scene(claims: &str, body: &[&str]) -> Scene {
    let body = body.join("\n  ");
    let text = format!(
        "import {{ scene, service, postgres, rabbitmq, mail, exactly, inOrder, never, sql }} from \"pull-the-plug\";
export default scene({{
  title: {{ ru: \"Проба\", en: \"Trial\" }},
  parts: {{{TABLES}
  }},
  orders: {{ count: 1, everyMs: 400 }},
  placed: {{ db: sql`SELECT id FROM orders` }},
  claims: [{claims}],
}});

async function placeOrder({{ db, broker, mailer, sleep, order }}) {{
  {body}
}}
"
    );
    match Scene::open(&text) {
        Ok(scene) => scene,
        Err(errors) => unreachable!("{errors:?}\n{text}"),
    }
}

const LETTER: &str = "exactly(1, \"letter\").perOrder()";
const POINTS: &str =
    "exactly(10, \"points\").perOrder({ db: sql`SELECT order_id, points FROM bonuses` })";

/// The verdict at rest, and the events behind it.
fn judged(claims: &str, body: &[&str]) -> (Verdict, Vec<What>) {
    judged_after(claims, body, |_, _| ())
}

fn judged_after(
    claims: &str,
    body: &[&str],
    fails: impl Fn(&mut World, &mut Vec<Event>),
) -> (Verdict, Vec<What>) {
    let scene = scene(claims, body);
    let mut world = World::new(scene.setup(0));
    let mut events = Vec::new();
    fails(&mut world, &mut events);
    let at_rest = world.settle(Limits { steps: 500, ..Limits::default() }, &mut events);
    let moment = if at_rest { Moment::Rest } else { Moment::Limit };
    let mut accounts = judge(&scene, &world, moment);
    super::explain(&scene, &mut accounts, &events);
    let account = &accounts[0];
    let evidence = account.evidence.iter().map(|index| events[*index as usize].what.clone());
    (account.verdict, evidence.collect())
}

fn kinds(evidence: &[What]) -> Vec<&'static str> {
    evidence.iter().map(What::kind).collect()
}

#[test]
fn once_is_what_is_owed() {
    let (verdict, evidence) = judged(LETTER, &[INSERT, SEND]);
    assert_eq!(verdict, Verdict::Once);
    assert_eq!(kinds(&evidence), ["ordered", "executed", "letter-sent"]);
}

#[test]
fn not_placed_is_an_order_without_a_row_and_without_an_effect() {
    let (verdict, evidence) = judged(LETTER, &["throw new Error(\"no\");"]);
    assert_eq!(verdict, Verdict::NotPlaced);
    assert_eq!(kinds(&evidence), ["ordered", "order-answered"]);
}

#[test]
fn lost_is_placed_and_short_with_nothing_left() {
    let (verdict, evidence) = judged_after(LETTER, &[INSERT, SEND], |world, events| {
        let placed = |event: &Event| matches!(event.what, What::Executed { .. });
        while !events.iter().any(placed) && world.step(events) {}
        let shop = world.setup().part_named("shop").map(Fault::Unplug);
        assert!(shop.is_some_and(|fault| world.apply(fault, events).is_ok()));
    });
    assert_eq!(verdict, Verdict::Lost);
    let kinds = kinds(&evidence);
    assert_eq!(kinds[..4], ["ordered", "executed", "unplugged", "lost"]);
    assert!(evidence.contains(&What::Lost { what: "memory".into(), loss: Loss::Memory }));
}

#[test]
fn doubled_is_more_than_is_owed_and_shows_each_effect() {
    let (verdict, evidence) = judged(LETTER, &[INSERT, SEND, SEND]);
    assert_eq!(verdict, Verdict::Doubled);
    assert_eq!(kinds(&evidence), ["ordered", "executed", "letter-sent", "letter-sent"]);
}

#[test]
fn phantom_is_an_effect_without_a_placed_order() {
    let (verdict, evidence) = judged(LETTER, &[SEND]);
    assert_eq!(verdict, Verdict::Phantom);
    assert_eq!(kinds(&evidence), ["ordered", "letter-sent"]);
}

#[test]
fn inconsistent_is_too_much_of_one_and_too_little_of_another() {
    let both = [LETTER, POINTS].join(", ");
    assert_eq!(judged(&both, &[INSERT, SEND, SEND]).0, Verdict::Inconsistent);
    assert_eq!(judged(&both, &[INSERT, SEND, BONUS]).0, Verdict::Once);
}

#[test]
fn effects_in_rows_are_evidence_too() {
    let (verdict, evidence) = judged(POINTS, &[INSERT, BONUS, BONUS]);
    assert_eq!(verdict, Verdict::Doubled);
    assert_eq!(kinds(&evidence), ["ordered", "executed", "executed", "executed"]);
}

#[test]
fn stuck_is_short_while_something_waits() {
    let publish = "await broker.publish(\"work\", { orderId: order.id }, { persistent: true });";
    assert_eq!(judged(LETTER, &[INSERT, publish]).0, Verdict::Stuck);
    let opens = "const tx = await db.begin();\n  await tx.query(sql`
    UPDATE orders SET customer = 'x' WHERE id = ${order.id}`);";
    assert_eq!(judged(LETTER, &[INSERT, opens]).0, Verdict::Stuck);
    let blocked = "await db.query(sql`UPDATE orders SET customer = 'y' WHERE id = ${order.id}`);";
    let (verdict, evidence) = judged(LETTER, &[INSERT, opens, blocked]);
    assert_eq!(verdict, Verdict::Stuck);
    assert!(kinds(&evidence).contains(&"waits"));
}

#[test]
fn short_with_an_idle_transaction_that_has_nothing_of_the_order_is_lost() {
    let idle = "const tx = await db.begin();";
    assert_eq!(judged(LETTER, &[INSERT, idle]).0, Verdict::Lost);
}

#[test]
fn undecided_is_a_limit_before_rest() {
    let restless = "let n = 0;\n  while (true) {\n    n += 1;\n    await sleep(10);\n  }";
    assert_eq!(judged(LETTER, &[INSERT, SEND, restless]).0, Verdict::Undecided);
}

#[test]
fn in_flight_is_whatever_may_still_come() {
    let scene = Arc::new(scene(LETTER, &[INSERT, SEND]));
    let mut world = World::new(scene.setup(0));
    let mut events = Vec::new();
    let mut seen = Vec::new();
    while !world.is_at_rest() && world.step(&mut events) {
        let accounts = judge(&scene, &world, Moment::Running);
        seen.extend(accounts.first().map(|account| account.verdict));
    }
    seen.dedup();
    assert_eq!(seen, [Verdict::InFlight, Verdict::Once]);
}

const IN_ORDER: &str = "inOrder(\"status\").perOrder({
    db: sql`SELECT order_id, version FROM applied ORDER BY id` })";
const NEVER: &str = "never(\"half\", { db: sql`SELECT order_id FROM applied WHERE version = 9` })";

fn apply(version: i64) -> String {
    format!(
        "await db.query(sql`INSERT INTO applied (order_id, version) VALUES (${{order.id}}, {version})`);"
    )
}

#[test]
fn out_of_order_is_a_lower_version_after_a_higher_one() {
    let (one, two) = (apply(1), apply(2));
    assert_eq!(judged(IN_ORDER, &[INSERT]).0, Verdict::Once);
    assert_eq!(judged(IN_ORDER, &[INSERT, &one, &two]).0, Verdict::Once);
    assert_eq!(judged(IN_ORDER, &[INSERT, &one, &one, &two]).0, Verdict::Once);
    let (verdict, evidence) = judged(IN_ORDER, &[INSERT, &two, &one]);
    assert_eq!(verdict, Verdict::OutOfOrder);
    assert_eq!(kinds(&evidence), ["ordered", "executed", "executed", "executed"]);
    assert_eq!(judged(IN_ORDER, &[INSERT, &one, &two, &one]).0, Verdict::OutOfOrder);
    assert_eq!(judged(IN_ORDER, &[&one]).0, Verdict::Phantom);
}

#[test]
fn inconsistent_is_an_order_that_must_never_be_so() {
    let nine = apply(9);
    let (verdict, evidence) = judged(NEVER, &[INSERT, &nine]);
    assert_eq!(verdict, Verdict::Inconsistent);
    assert_eq!(kinds(&evidence), ["ordered", "executed", "executed"]);
    assert_eq!(judged(NEVER, &[&nine]).0, Verdict::Inconsistent);
    assert_eq!(judged(NEVER, &[INSERT, &apply(1)]).0, Verdict::Once);
}

#[test]
fn what_must_never_be_may_be_on_the_way() {
    let nine = apply(9);
    let undone = "await db.query(sql`DELETE FROM applied WHERE order_id = ${order.id}`);";
    let scene = scene(NEVER, &[INSERT, &nine, undone]);
    let mut world = World::new(scene.setup(0));
    let mut events = Vec::new();
    while !world.is_at_rest() && world.step(&mut events) {
        for account in judge(&scene, &world, Moment::Running) {
            assert!(account.verdict.is_fine(), "{account:?}");
        }
    }
    assert_eq!(judge(&scene, &world, Moment::Rest)[0].verdict, Verdict::Once);
}

#[test]
fn only_what_is_counted_is_owed_and_got() {
    let scene = scene(&[LETTER, IN_ORDER, NEVER].join(", "), &[INSERT, SEND]);
    let mut world = World::new(scene.setup(0));
    assert!(world.settle(Limits::default(), &mut Vec::new()));
    let accounts = judge(&scene, &world, Moment::Rest);
    let effects: Vec<_> =
        accounts[0].effects.iter().map(|it| (&*it.name, it.owed, it.got)).collect();
    assert_eq!(effects, [("letter", 1, 1)]);
}

/// Each verdict with one that it outranks, both true of the same order.
#[test]
fn of_several_verdicts_the_order_gets_the_gravest() {
    let (one, two, nine) = (apply(1), apply(2), apply(9));
    let all = [LETTER, IN_ORDER, NEVER].join(", ");
    let waits = "await broker.publish(\"work\", { orderId: order.id });";
    let cases: [(&[&str], Verdict); 8] = [
        (&[&nine, SEND], Verdict::Inconsistent),
        (&[INSERT, SEND, SEND, &nine], Verdict::Inconsistent),
        (&[SEND, &two, &one], Verdict::Phantom),
        (&[INSERT, SEND, SEND, &two, &one], Verdict::Doubled),
        (&[INSERT, &two, &one], Verdict::Lost),
        (&[INSERT, SEND, &two, &one], Verdict::OutOfOrder),
        (&[INSERT, &two, &one, waits], Verdict::OutOfOrder),
        (&[INSERT, &one, &two, waits], Verdict::Stuck),
    ];
    for (body, expected) in cases {
        assert_eq!(judged(&all, body).0, expected, "{body:?}");
    }
}
