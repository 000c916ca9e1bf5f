//! Small scenes, and questions about their runs.

use std::sync::Arc;

use crate::audit::Verdict;
use crate::run::{Finished, action, finish};
use crate::scene::Scene;
use crate::sim::{Event, Limits, What};

/// The parts of a shop whose orders become letters by way of a queue.
pub(super) const SHOP: &str = "
    shop: service({ program: placeOrder }),
    db: postgres({ tables: sql`
      CREATE TABLE orders (id bigint PRIMARY KEY, customer text NOT NULL);
      CREATE TABLE jobs (id bigint PRIMARY KEY, due timestamptz NOT NULL);` }),
    broker: rabbitmq({ queues: { \"order.created\": { durable: true } } }),
    letters: worker({ program: sendLetters }),
    mailer: mail(),";

/// A service that writes the order down and publishes an event.
pub(super) const PLACE: &str = "
async function placeOrder({ db, broker, order }) {
  await db.transaction(async (tx) => {
    await tx.query(sql`INSERT INTO orders (id, customer) VALUES (${order.id}, ${order.customer})`);
  }); // moment: committed
  const event = { orderId: order.id };
  await broker.publish(\"order.created\", event, { persistent: true }); // moment: published
}";

/// A worker that sends a letter for each event.
pub(super) const LETTERS: &str = "
async function sendLetters({ broker, mailer }) {
  await broker.subscribe(\"order.created\", { prefetch: 1 }, async (message) => {
    const letter = { order: message.body.orderId, to: \"Anna\", kind: \"letter\" };
    await mailer.send(letter); // moment: sent
    await message.ack(); // moment: acked
  });
}";

/// A scene of these parts and programs, with a table `orders` in `db` and one letter owed.
pub(super) fn scene(parts: &str, orders: u32, programs: &[&str]) -> Arc<Scene> {
    let programs = programs.join("\n");
    let text = format!(
        "import {{ scene, service, worker, postgres, rabbitmq, mail, exactly, sql }}
from \"pull-the-plug\";
export default scene({{
  title: {{ ru: \"Проба\", en: \"Trial\" }},
  parts: {{{parts}
  }},
  orders: {{ count: {orders}, everyMs: 400 }},
  placed: {{ db: sql`SELECT id FROM orders` }},
  claims: [exactly(1, \"letter\").perOrder()],
}});
{programs}
"
    );
    match Scene::open(&text) {
        Ok(scene) => Arc::new(scene),
        Err(errors) => unreachable!("{errors:?}\n{text}"),
    }
}

/// The shop with one order.
pub(super) fn shop() -> Arc<Scene> {
    scene(SHOP, 1, &[PLACE, LETTERS])
}

/// A run with these actions, to rest.
pub(super) fn run(scene: &Arc<Scene>, actions: &str) -> Finished {
    let (actions, errors) = action::parse_list(actions);
    assert_eq!(errors, []);
    match finish(scene, 0, &actions, Limits::default()) {
        Ok(finished) => finished,
        Err(misnamed) => unreachable!("{misnamed:?}"),
    }
}

/// The verdict on the first order.
pub(super) fn verdict(finished: &Finished) -> Verdict {
    finished.accounts.first().map_or(Verdict::NotPlaced, |account| account.verdict)
}

/// The first event that fits, with its time in milliseconds.
pub(super) fn at_ms(events: &[Event], fits: impl Fn(&What) -> bool) -> Option<i64> {
    events.iter().find(|event| fits(&event.what)).map(|event| event.time_us / 1000)
}

/// How many events fit.
pub(super) fn count(events: &[Event], fits: impl Fn(&What) -> bool) -> usize {
    events.iter().filter(|event| fits(&event.what)).count()
}
