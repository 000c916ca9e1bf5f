import { scene, service, worker, postgres, rabbitmq, exactly, sql } from "pull-the-plug";

export default scene({
  title: { ru: "Сначала ack, потом работа", en: "Ack first, then work" },
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
          id bigserial PRIMARY KEY,
          order_id bigint NOT NULL,
          points int NOT NULL
        );`,
    }),
  },
  orders: { count: 2, everyMs: 400 },
  placed: { db: sql`SELECT id FROM orders` },
  backlog: { db: sql`SELECT payload->>'orderId' FROM outbox WHERE published_at IS NULL` },
  claims: [exactly(10, "points").perOrder({ points: sql`SELECT order_id, points FROM bonuses` })],
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
      await tx.query(sql`UPDATE outbox SET published_at = now() WHERE id = ANY(${ids})`); // moment: marked
    });
    await sleep(500);
  }
}

/** @type {import("pull-the-plug").Program<{ points: import("pull-the-plug").Database }>} */
async function addPoints({ broker, points }) {
  await broker.subscribe("order.created", { prefetch: 1 }, async (message) => {
    await message.ack(); // moment: acked
    await points.transaction(async (tx) => {
      const fresh = await tx.query(sql`
        INSERT INTO processed_events (event_id)
        VALUES (${message.messageId})
        ON CONFLICT DO NOTHING
        RETURNING event_id`);
      if (fresh.length === 1) {
        await tx.query(sql`
          INSERT INTO bonuses (order_id, points)
          VALUES (${message.body.orderId}, 10)`);
      }
    }); // moment: processed
  });
}
