import { scene, service, worker, postgres, rabbitmq, mail, exactly, sql } from "pull-the-plug";

export default scene({
  title: { ru: "Outbox: поллер помнит последний id", en: "Outbox: a relay that remembers the last id" },
  parts: {
    shop: service({ program: placeOrder }),
    db: postgres({
      tables: sql`
        CREATE TABLE orders (
          id bigint PRIMARY KEY,
          customer text NOT NULL
        );
        CREATE TABLE outbox (
          id bigserial PRIMARY KEY,
          event_type text NOT NULL,
          payload jsonb NOT NULL,
          created_at timestamptz NOT NULL DEFAULT now()
        );
        CREATE TABLE cursors (
          relay text PRIMARY KEY,
          last_id bigint NOT NULL
        );`,
    }),
    relay: worker({ program: publishForever }),
    broker: rabbitmq({ queues: { "order.created": { durable: true } } }),
    letters: worker({ program: sendLetters }),
    mailer: mail(),
  },
  orders: { count: 2, everyMs: 400 },
  placed: { db: sql`SELECT id FROM orders` },
  claims: [exactly(1, "letter").perOrder()],
});

/** @type {import("pull-the-plug").Handler} */
async function placeOrder({ db, order }) {
  await db.transaction(async (tx) => {
    await tx.query(sql`
      INSERT INTO orders (id, customer)
      VALUES (${order.id}, ${order.customer})`);
    const event = { orderId: order.id, customer: order.customer };
    await tx.query(sql`
      INSERT INTO outbox (event_type, payload)
      VALUES ('order.created', ${event})`);
  }); // moment: committed
}

/** @type {import("pull-the-plug").Program} */
async function publishForever({ db, broker, sleep }) {
  await db.query(sql`INSERT INTO cursors (relay, last_id) VALUES ('relay', 0) ON CONFLICT DO NOTHING`);
  while (true) {
    const [cursor] = await db.query(sql`SELECT last_id FROM cursors WHERE relay = 'relay'`);
    const rows = await db.query(sql`
      SELECT id, event_type, payload FROM outbox
      WHERE id > ${cursor.last_id}
      ORDER BY id LIMIT 10`);
    for (const row of rows) {
      await broker.publish(row.event_type, row.payload, { messageId: row.id, persistent: true }); // moment: published
      await db.query(sql`UPDATE cursors SET last_id = ${row.id} WHERE relay = 'relay'`); // moment: moved
    }
    await sleep(500);
  }
}

/** @type {import("pull-the-plug").Program} */
async function sendLetters({ broker, mailer }) {
  await broker.subscribe("order.created", { prefetch: 1 }, async (message) => {
    const { orderId, customer } = message.body;
    await mailer.send({ order: orderId, to: customer, kind: "letter" }); // moment: sent
    await message.ack(); // moment: acked
  });
}
