import { scene, service, worker, postgres, exactly, sql } from "pull-the-plug";

export default scene({
  title: { ru: "Двухфазный COMMIT", en: "Two-phase commit" },
  parts: {
    shop: service({ program: placeOrder }),
    coordinator: worker({ program: coordinate }),
    log: postgres({
      tables: sql`
        CREATE TABLE transfers (
          order_id bigint PRIMARY KEY,
          state text NOT NULL
        );`,
    }),
    sales: postgres({ tables: sql`CREATE TABLE orders (id bigint PRIMARY KEY);` }),
    stock: postgres({
      tables: sql`
        CREATE TABLE goods (
          sku text PRIMARY KEY,
          sold int NOT NULL
        );
        CREATE TABLE reservations (order_id bigint PRIMARY KEY);`,
    }),
    till: worker({ program: sellOverTheCounter }),
  },
  orders: { count: 2, everyMs: 400 },
  placed: { sales: sql`SELECT id FROM orders` },
  backlog: { log: sql`SELECT order_id FROM transfers WHERE state <> 'done'` },
  claims: [exactly(1, "reservation").perOrder({ stock: sql`SELECT order_id, 1 FROM reservations` })],
});

/** @type {import("pull-the-plug").Handler<{ log: import("pull-the-plug").Database }>} */
async function placeOrder({ log, order }) {
  await log.query(sql`INSERT INTO transfers (order_id, state) VALUES (${order.id}, 'new')`);
}

/** @type {import("pull-the-plug").Program<{ log: import("pull-the-plug").Database, sales: import("pull-the-plug").Database, stock: import("pull-the-plug").Database }>} */
async function coordinate({ log, sales, stock, sleep }) {
  const left = await log.query(sql`SELECT order_id, state FROM transfers WHERE state <> 'done' ORDER BY order_id`);
  for (const { order_id, state } of left) {
    await finish(sales, state, order_id);
    await finish(stock, state, order_id);
    if (state === "commit") {
      await log.query(sql`UPDATE transfers SET state = 'done' WHERE order_id = ${order_id}`);
    }
  }
  while (true) {
    const fresh = await log.query(sql`SELECT order_id FROM transfers WHERE state = 'new' ORDER BY order_id`);
    for (const { order_id } of fresh) {
      const order = await sales.begin();
      await order.query(sql`INSERT INTO orders (id) VALUES (${order_id})`);
      await order.prepare(order_id);
      const goods = await stock.begin();
      await goods.query(sql`INSERT INTO reservations (order_id) VALUES (${order_id})`);
      await goods.query(sql`
        INSERT INTO goods (sku, sold) VALUES ('book', 1)
        ON CONFLICT (sku) DO UPDATE SET sold = goods.sold + 1`);
      await goods.prepare(order_id); // moment: prepared
      await log.query(sql`UPDATE transfers SET state = 'commit' WHERE order_id = ${order_id}`); // moment: decided
      await sales.commitPrepared(order_id); // moment: half
      await stock.commitPrepared(order_id); // moment: committed
      await log.query(sql`UPDATE transfers SET state = 'done' WHERE order_id = ${order_id}`);
    }
    await sleep(300);
  }
}

/**
 * After a restart the log decides: forward if it says so, else back.
 * @param {import("pull-the-plug").Database} database
 * @param {string} state
 * @param {number} id
 */
async function finish(database, state, id) {
  try {
    if (state === "commit") {
      await database.commitPrepared(id);
    } else {
      await database.rollbackPrepared(id);
    }
  } catch (/** @type {any} */ error) {
    if (error.code !== "42704") throw error; // 42704: nothing is prepared under this name
  }
}

/** @type {import("pull-the-plug").Program<{ stock: import("pull-the-plug").Database }>} */
async function sellOverTheCounter({ stock, sleep }) {
  let sold = 0;
  while (sold < 2) {
    await sleep(900);
    await stock.query(sql`
      INSERT INTO goods (sku, sold) VALUES ('book', 1)
      ON CONFLICT (sku) DO UPDATE SET sold = goods.sold + 1`);
    sold += 1;
  }
}
