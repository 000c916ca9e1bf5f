//! Two-phase commit: a coordinator, two databases.

use pull_the_plug::audit::Verdict::{NotPlaced, Once, Stuck};

use crate::bench::{Case, edit, run, verdicts, wrong, wrong_after_a_crash};

/// Orders are taken in, and a coordinator books each in the stock and in the ledger, or in none.
/// It writes its decision down before the first COMMIT PREPARED, and goes on from there.
pub(crate) const BOOKING: &str = r#"import { scene, service, worker, postgres, exactly, never, sql } from "pull-the-plug";

export default scene({
  title: { ru: "Проба", en: "Trial" },
  parts: {
    shop: service({ program: placeOrder }),
    db: postgres({
      tables: sql`
        CREATE TABLE orders (
          id bigint PRIMARY KEY, decided boolean NOT NULL DEFAULT false, done boolean NOT NULL DEFAULT false);`,
    }),
    coordinator: worker({ program: book }),
    stock: postgres({ tables: sql`CREATE TABLE parcels (order_id bigint PRIMARY KEY, n int NOT NULL);` }),
    ledger: postgres({ tables: sql`CREATE TABLE charges (order_id bigint PRIMARY KEY, n int NOT NULL);` }),
  },
  orders: { count: 1, everyMs: 200 },
  placed: { db: sql`SELECT id FROM orders` },
  claims: [
    exactly(1, "parcel").perOrder({ stock: sql`SELECT order_id, n FROM parcels` }),
    exactly(1, "charge").perOrder({ ledger: sql`SELECT order_id, n FROM charges` }),
  ],
});

async function placeOrder({ db, order }) {
  await db.query(sql`INSERT INTO orders (id) VALUES (${order.id})`); // moment: placed
}

async function finish(db, id) {
  try {
    await db.commitPrepared(id);
  } catch (error) {
    // It is committed already, or this database will be asked again.
    if (error.code !== "42704") {
      throw error;
    }
  }
}

async function forget(db, id) {
  try {
    await db.rollbackPrepared(id);
  } catch (error) {
    // Nothing was prepared.
    if (error.code !== "42704") {
      throw error;
    }
  }
}

async function book({ db, stock, ledger, sleep }) {
  while (true) {
    const orders = await db.query(sql`SELECT id, decided FROM orders WHERE NOT done ORDER BY id`);
    for (const order of orders) {
      if (!order.decided) {
        await forget(stock, order.id);
        await forget(ledger, order.id);
        const parcel = await stock.begin();
        await parcel.query(sql`INSERT INTO parcels (order_id, n) VALUES (${order.id}, 1)`);
        const charge = await ledger.begin();
        await charge.query(sql`INSERT INTO charges (order_id, n) VALUES (${order.id}, 1)`);
        await parcel.prepare(order.id);
        await charge.prepare(order.id); // moment: prepared
        await db.query(sql`UPDATE orders SET decided = true WHERE id = ${order.id}`); // moment: decided
      }
      await finish(stock, order.id); // moment: half
      await finish(ledger, order.id);
      await db.query(sql`UPDATE orders SET done = true WHERE id = ${order.id}`);
    }
    await sleep(500);
  }
}
"#;

/// A coordinator that takes each order once and remembers nothing.
pub(crate) fn without_recovery() -> String {
    edit(
        BOOKING,
        &[
            (
                "    for (const order of orders) {\n",
                "    for (const order of orders) {
      await db.query(sql`UPDATE orders SET done = true WHERE id = ${order.id}`);\n",
            ),
            (
                "      await finish(ledger, order.id);
      await db.query(sql`UPDATE orders SET done = true WHERE id = ${order.id}`);
",
                "      await finish(ledger, order.id);\n",
            ),
        ],
    )
}

/// The ledger refuses the first charge: the coordinator rolls both back, and nothing is booked.
#[test]
fn f61_a_participant_votes_no() {
    let refused = edit(
        BOOKING,
        &[
            ("count: 1", "count: 2"),
            ("SELECT id FROM orders` }", "SELECT id FROM orders WHERE NOT refused` }"),
            ("done boolean NOT", "refused boolean NOT NULL DEFAULT false, done boolean NOT"),
            ("charges (order_id bigint PRIMARY KEY", "charges (order_id bigint PRIMARY KEY CHECK (order_id <> 1)"),
            ("        await charge.query(sql`INSERT INTO charges (order_id, n) VALUES (${order.id}, 1)`);\n", "        try {
          await charge.query(sql`INSERT INTO charges (order_id, n) VALUES (${order.id}, 1)`);
        } catch (error) {
          await parcel.rollback();
          await charge.rollback();
          await db.query(sql`UPDATE orders SET refused = true, done = true WHERE id = ${order.id} AND ${error.code} = '23514'`);
          continue;
        }
"),
        ],
    );
    assert_eq!(verdicts(&run(&refused, "")), [NotPlaced, Once]);
    assert_eq!(wrong_after_a_crash(&refused), []);
}

#[test]
fn f62_the_coordinator_dies_before_its_decision_reaches_anyone() {
    let faulty = without_recovery();
    let trigger = "kill:coordinator@prepared";
    Case { faulty: &faulty, sound: BOOKING, trigger, shows: &[Stuck], leaves: &[] }.check();
    // Prepared transactions outlive their databases.
    let both = "kill:coordinator@prepared,kill:stock@+100,kill:ledger@+100";
    assert_eq!(verdicts(&run(&faulty, both)), [Stuck]);
}

/// Between the two commits one database shows the order and the other does not.
#[test]
fn f63_the_coordinator_dies_between_the_two_commits() {
    let faulty = without_recovery();
    let torn = "kill:coordinator@coordinator.<await db.commitPrepared>#1:effect";
    let run = run(&faulty, torn);
    let got: Vec<i64> = run.accounts[0].effects.iter().map(|effect| effect.got).collect();
    assert_eq!((verdicts(&run), got), (vec![Stuck], vec![1, 0]));
    assert_eq!(wrong(BOOKING, torn), []);
}
