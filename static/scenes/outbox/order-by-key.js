import { scene, service, worker, postgres, rabbitmq, exactly, inOrder, sql } from "pull-the-plug";

export default scene({
  title: { ru: "Outbox: порядок событий заказа", en: "Outbox: the order of an order’s events" },
  parts: {
    shop: service({ program: placeOrder }),
    db: postgres({
      tables: sql`
        CREATE TABLE orders (
          id bigint PRIMARY KEY,
          customer text NOT NULL,
          status text NOT NULL
        );
        CREATE TABLE outbox (
          id bigserial PRIMARY KEY,
          order_id bigint NOT NULL,
          payload jsonb NOT NULL,
          published_at timestamptz
        );`,
    }),
    relayA: worker({ program: publishForever }),
    relayB: worker({ program: publishForever }),
    broker: rabbitmq({ queues: { "order.status": { durable: true } } }),
    courier: worker({ program: followStatus }),
    delivery: postgres({
      tables: sql`
        CREATE TABLE applied (
          id bigserial PRIMARY KEY,
          order_id bigint NOT NULL,
          version int NOT NULL,
          status text NOT NULL,
          UNIQUE (order_id, version)
        );`,
    }),
  },
  orders: { count: 2, everyMs: 400 },
  placed: { db: sql`SELECT id FROM orders` },
  backlog: { db: sql`SELECT order_id FROM outbox WHERE published_at IS NULL` },
  claims: [
    exactly(2, "status").perOrder({ delivery: sql`SELECT order_id, 1 FROM applied` }),
    inOrder("status").perOrder({ delivery: sql`SELECT order_id, version FROM applied ORDER BY id` }),
  ],
});

/** @type {import("pull-the-plug").Handler} */
async function placeOrder({ db, order }) {
  await db.transaction(async (tx) => {
    await tx.query(sql`
      INSERT INTO orders (id, customer, status)
      VALUES (${order.id}, ${order.customer}, 'paid')`);
    for (const [version, status] of [[1, "created"], [2, "paid"]]) {
      const event = { orderId: order.id, version, status };
      await tx.query(sql`INSERT INTO outbox (order_id, payload) VALUES (${order.id}, ${event})`);
    }
  }); // moment: committed
}

/** @type {import("pull-the-plug").Program} */
async function publishForever({ db, broker, sleep }) {
  while (true) {
    await db.transaction(async (tx) => {
      const rows = await tx.query(sql`
        SELECT id, order_id, payload FROM outbox
        WHERE published_at IS NULL
        ORDER BY id LIMIT 1 FOR UPDATE SKIP LOCKED`);
      for (const row of rows) {
        await broker.publish("order.status", row.payload, { key: row.order_id, persistent: true }); // moment: published
        await tx.query(sql`UPDATE outbox SET published_at = now() WHERE id = ${row.id}`); // moment: marked
      }
    });
    await sleep(300);
  }
}

/** @type {import("pull-the-plug").Program<{ delivery: import("pull-the-plug").Database }>} */
async function followStatus({ broker, delivery }) {
  await broker.subscribe("order.status", { prefetch: 1 }, async (message) => {
    const { orderId, version, status } = message.body;
    await delivery.query(sql`
      INSERT INTO applied (order_id, version, status)
      VALUES (${orderId}, ${version}, ${status})
      ON CONFLICT DO NOTHING`);
    await message.ack();
  });
}
