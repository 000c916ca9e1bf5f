//! The scene that the others are made of: an outbox, one relay, a queue, an inbox.

use crate::bench::edit;

/// A shop whose orders earn points, with all measures on the way from order to points. A mistake
/// is a few words of it changed.
pub(crate) const SHOP: &str = r#"import { scene, service, worker, postgres, rabbitmq, mail, exactly, inOrder, never, sql } from "pull-the-plug";

export default scene({
  title: { ru: "Проба", en: "Trial" },
  parts: {
    shop: service({ program: placeOrder }),
    db: postgres({
      tables: sql`
        CREATE TABLE orders (id bigint PRIMARY KEY, customer text NOT NULL);
        CREATE TABLE outbox (
          id bigserial PRIMARY KEY,
          event_type text NOT NULL,
          payload jsonb NOT NULL,
          created_at timestamptz NOT NULL DEFAULT now(),
          published_at timestamptz
        );`,
    }),
    relay: worker({ program: publishForever }),
    broker: rabbitmq({ queues: { "order.created": { durable: true } } }),
    bonus: worker({ program: addPoints }),
    points: postgres({
      tables: sql`
        CREATE TABLE processed_events (event_id bigint PRIMARY KEY);
        CREATE TABLE bonuses (
          id bigserial PRIMARY KEY, order_id bigint NOT NULL, points int NOT NULL);`,
    }),
  },
  orders: { count: 1, everyMs: 200 },
  placed: { db: sql`SELECT id FROM orders` },
  backlog: { db: sql`SELECT payload->>'orderId' FROM outbox WHERE published_at IS NULL` },
  claims: [exactly(10, "points").perOrder({ points: sql`SELECT order_id, points FROM bonuses` })],
});

async function placeOrder({ db, broker, order, sleep }) {
  const event = { orderId: order.id };
  await db.transaction(async (tx) => {
    await tx.query(sql`INSERT INTO orders (id, customer) VALUES (${order.id}, ${order.customer})`);
    await tx.query(sql`INSERT INTO outbox (event_type, payload) VALUES ('order.created', ${event})`); // moment: announced
  }); // moment: committed
}

async function publishForever({ db, broker, sleep, uuid }) {
  while (true) {
    await db.transaction(async (tx) => {
      const rows = await tx.query(sql`
        SELECT id, event_type, payload FROM outbox
        WHERE published_at IS NULL
        ORDER BY id LIMIT 10 FOR UPDATE SKIP LOCKED`);
      for (const row of rows) {
        await broker.publish(row.event_type, row.payload, { messageId: row.id, persistent: true }); // moment: published
      }
      const ids = rows.map((row) => row.id);
      await tx.query(sql`UPDATE outbox SET published_at = now() WHERE id = ANY(${ids})`);
    }); // moment: marked
    await sleep(500);
  }
}

async function addPoints({ broker, points, sleep }) {
  await broker.subscribe("order.created", { prefetch: 1 }, async (message) => {
    await points.transaction(async (tx) => {
      const fresh = await tx.query(sql`
        INSERT INTO processed_events (event_id) VALUES (${message.messageId})
        ON CONFLICT DO NOTHING RETURNING event_id`);
      if (fresh.length === 1) {
        await tx.query(sql`INSERT INTO bonuses (order_id, points) VALUES (${message.body.orderId}, 10)`);
      }
    }); // moment: processed
    await message.ack(); // moment: acked
  });
}
"#;

/// The condition that makes a handler take an event once.
pub(crate) const IF_FRESH: &str = "if (fresh.length === 1) {";
/// No condition: the handler takes whatever comes.
pub(crate) const ALWAYS: &str = "if (fresh.length >= 0) {";

/// The shop with two events for each order, whose versions must be applied in order. One active
/// consumer: otherwise one that comes back before the broker misses it would be handed the second
/// version while the first still counts as in the hands of its former self.
pub(crate) fn versions() -> String {
    edit(
        SHOP,
        &[
            ("points int NOT NULL);", "points int NOT NULL, version int NOT NULL);"),
            ("durable: true }", "durable: true, singleActiveConsumer: true }"),
            ("exactly(10", "exactly(20"),
            ("FROM bonuses` })],", "FROM bonuses` }),
    inOrder(\"version\").perOrder({ points: sql`SELECT order_id, version FROM bonuses ORDER BY id` })],"),
            ("const event = { orderId: order.id };", "const event = { orderId: order.id, version: 1 };
  const paid = { orderId: order.id, version: 2 };"),
            ("// moment: announced", "// moment: announced
    await tx.query(sql`INSERT INTO outbox (event_type, payload) VALUES ('order.created', ${paid})`);"),
            ("(order_id, points) VALUES (${message.body.orderId}, 10)", "(order_id, points, version) VALUES (${message.body.orderId}, 10, ${message.body.version})"),
        ],
    )
}
