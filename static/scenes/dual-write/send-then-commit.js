import { scene, service, postgres, mail, exactly, sql } from "pull-the-plug";

export default scene({
  title: { ru: "Сначала письмо, потом COMMIT", en: "Send, then commit" },
  parts: {
    shop: service({ program: placeOrder }),
    db: postgres({
      tables: sql`
        CREATE TABLE orders (
          id bigint PRIMARY KEY,
          customer text NOT NULL
        );`,
    }),
    mailer: mail(),
  },
  orders: { count: 2, everyMs: 500 },
  placed: { db: sql`SELECT id FROM orders` },
  claims: [exactly(1, "letter").perOrder()],
});

/** @type {import("pull-the-plug").Handler} */
async function placeOrder({ db, mailer, order }) {
  await db.transaction(async (tx) => {
    await tx.query(sql`
      INSERT INTO orders (id, customer)
      VALUES (${order.id}, ${order.customer})`);
    await mailer.send({ order: order.id, to: order.customer, kind: "letter" }); // moment: sent
  });
}
