import { scene, service, worker, postgres, rabbitmq, mail, exactly, sql } from "pull-the-plug";

export default scene({
  title: { ru: "Inbox, письмо и ключ идемпотентности", en: "An inbox, a letter and an idempotency key" },
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
    letters: worker({ program: sendLetters }),
    inbox: postgres({
      tables: sql`CREATE TABLE processed_events (event_id bigint PRIMARY KEY);`,
    }),
    mailer: mail({ honoursKeys: true }),
  },
  orders: { count: 2, everyMs: 400 },
  placed: { db: sql`SELECT id FROM orders` },
  backlog: { db: sql`SELECT payload->>'orderId' FROM outbox WHERE published_at IS NULL` },
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

/** @type {import("pull-the-plug").Program<{ inbox: import("pull-the-plug").Database }>} */
async function sendLetters({ broker, inbox, mailer }) {
  await broker.subscribe("order.created", { prefetch: 1 }, async (message) => {
    const { orderId, customer } = message.body;
    await inbox.transaction(async (tx) => {
      const fresh = await tx.query(sql`
        INSERT INTO processed_events (event_id)
        VALUES (${message.messageId})
        ON CONFLICT DO NOTHING
        RETURNING event_id`);
      if (fresh.length === 1) {
        await mailer.send({ order: orderId, to: customer, kind: "letter", key: message.messageId }); // moment: sent
      }
    }); // moment: processed
    await message.ack(); // moment: acked
  });
}
