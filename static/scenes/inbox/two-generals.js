import { scene, service, worker, postgres, rabbitmq, exactly, sql } from "pull-the-plug";

export default scene({
  title: { ru: "Два генерала", en: "Two generals" },
  parts: {
    north: service({ program: proposeAttack }),
    northTent: postgres({
      tables: sql`
        CREATE TABLE plans (id bigint PRIMARY KEY);
        CREATE TABLE attacks (order_id bigint PRIMARY KEY);`,
    }),
    scout: worker({ program: awaitAnswers }),
    valley: rabbitmq({ queues: { plans: { durable: false }, answers: { durable: false } } }),
    south: worker({ program: answerPlans }),
    southTent: postgres({ tables: sql`CREATE TABLE attacks (order_id bigint PRIMARY KEY);` }),
  },
  orders: { count: 2, everyMs: 400 },
  placed: { northTent: sql`SELECT order_id FROM attacks` },
  claims: [exactly(1, "attack").perOrder({ southTent: sql`SELECT order_id, 1 FROM attacks` })],
});

/** @type {import("pull-the-plug").Handler<{ northTent: import("pull-the-plug").Database, valley: import("pull-the-plug").Broker }>} */
async function proposeAttack({ northTent, valley, order }) {
  await northTent.query(sql`INSERT INTO plans (id) VALUES (${order.id})`);
  await valley.publish("plans", { orderId: order.id }, { persistent: false, confirm: false }); // moment: proposed
}

/** @type {import("pull-the-plug").Program<{ southTent: import("pull-the-plug").Database, valley: import("pull-the-plug").Broker }>} */
async function answerPlans({ southTent, valley }) {
  await valley.subscribe("plans", { autoAck: true }, async (message) => {
    const { orderId } = message.body;
    await southTent.query(sql`INSERT INTO attacks (order_id) VALUES (${orderId}) ON CONFLICT DO NOTHING`); // moment: agreed
    await valley.publish("answers", { orderId }, { persistent: false, confirm: false }); // moment: answered
  });
}

/** @type {import("pull-the-plug").Program<{ northTent: import("pull-the-plug").Database, valley: import("pull-the-plug").Broker }>} */
async function awaitAnswers({ northTent, valley }) {
  await valley.subscribe("answers", { autoAck: true }, async (message) => {
    const { orderId } = message.body;
    await northTent.query(sql`INSERT INTO attacks (order_id) VALUES (${orderId}) ON CONFLICT DO NOTHING`); // moment: attacked
  });
}
