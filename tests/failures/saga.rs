//! Sagas: steps in several databases, each undone by a step of its own.

use pull_the_plug::audit::Verdict::{Doubled, Inconsistent, Lost, Stuck};

use crate::bench::{Case, edit, wrong};
use crate::text::SHOP;

/// The orchestrator: it saves that the order is being charged, and sends the command.
fn orchestrator(sends: &str) -> String {
    let text = edit(
        SHOP,
        &[
            (
                "CREATE TABLE outbox",
                "CREATE TABLE sagas (order_id bigint PRIMARY KEY, state text NOT NULL);\n        CREATE TABLE outbox",
            ),
            (
                "  backlog: { db: sql`SELECT payload->>'orderId' FROM outbox WHERE published_at IS NULL` },",
                "  backlog: { db: sql`SELECT order_id FROM sagas WHERE state = 'charging'` },",
            ),
            ("    relay: worker", "    saga: worker({ program: orchestrate }),\n    relay: worker"),
            (
                "    await tx.query(sql`INSERT INTO outbox (event_type, payload) VALUES ('order.created', ${event})`); // moment: announced\n",
                "    await tx.query(sql`INSERT INTO sagas (order_id, state) VALUES (${event.orderId}, 'new')`);\n",
            ),
        ],
    );
    format!(
        "{text}
async function orchestrate({{ db, broker, sleep }}) {{
  while (true) {{
    const sagas = await db.query(sql`SELECT order_id FROM sagas WHERE state = 'new'`);
    for (const saga of sagas) {{
      const command = {{ orderId: saga.order_id }};
{sends}    }}
    await sleep(500);
  }}
}}
"
    )
}

/// The command is sent after the state is saved, or with it by an outbox of its own.
pub(crate) fn saving() -> [String; 2] {
    let faulty = orchestrator(
        "      await db.query(sql`UPDATE sagas SET state = 'charging' WHERE order_id = ${saga.order_id}`); // moment: saved
      await broker.publish(\"order.created\", command, { messageId: saga.order_id, persistent: true });
",
    );
    let sound = orchestrator(
        "      await db.transaction(async (tx) => {
        await tx.query(sql`UPDATE sagas SET state = 'charging' WHERE order_id = ${saga.order_id}`);
        await tx.query(sql`INSERT INTO outbox (event_type, payload) VALUES ('order.created', ${command})`);
      }); // moment: saved
",
    );
    [faulty, sound]
}

#[test]
fn f65_the_state_is_saved_and_the_command_not_sent() {
    let [faulty, sound] = saving();
    Case {
        faulty: &faulty,
        sound: &sound,
        trigger: "kill:saga@saved",
        shows: &[Stuck],
        leaves: &[],
    }
    .check();
}

/// Two databases of a saga that is refused at its last step. `undo` takes both steps back.
fn compensating(undo: &str) -> String {
    format!(
        r#"import {{ scene, service, worker, postgres, exactly, never, sql }} from "pull-the-plug";

export default scene({{
  title: {{ ru: "Проба", en: "Trial" }},
  parts: {{
    shop: service({{ program: placeOrder }}),
    db: postgres({{ tables: sql`CREATE TABLE sagas (order_id bigint PRIMARY KEY, state text NOT NULL DEFAULT 'new');` }}),
    saga: worker({{ program: run }}),
    stock: postgres({{ tables: sql`CREATE TABLE held (order_id bigint PRIMARY KEY);` }}),
    credit: postgres({{ tables: sql`CREATE TABLE credits (order_id bigint PRIMARY KEY);` }}),
  }},
  orders: {{ count: 1, everyMs: 200 }},
  placed: {{ db: sql`SELECT order_id FROM sagas` }},
  claims: [
    never("stock held for nothing", {{ stock: sql`SELECT order_id FROM held` }}),
    never("credit held for nothing", {{ credit: sql`SELECT order_id FROM credits` }}),
  ],
}});

async function placeOrder({{ db, order }}) {{
  await db.query(sql`INSERT INTO sagas (order_id) VALUES (${{order.id}})`);
}}

async function run({{ db, stock, credit, sleep }}) {{
  while (true) {{
    const sagas = await db.query(sql`SELECT order_id AS id, state FROM sagas WHERE state <> 'over'`);
    for (const saga of sagas) {{
      if (saga.state === "new") {{
        await stock.query(sql`INSERT INTO held (order_id) VALUES (${{saga.id}}) ON CONFLICT DO NOTHING`);
        await credit.query(sql`INSERT INTO credits (order_id) VALUES (${{saga.id}}) ON CONFLICT DO NOTHING`);
        await db.query(sql`UPDATE sagas SET state = 'refused' WHERE order_id = ${{saga.id}}`); // moment: refused
      }}
{undo}    }}
    await sleep(500);
  }}
}}
"#
    )
}

/// The database of the second step is away when it is to be undone, and the chain stops there.
#[test]
fn f67_a_compensation_fails_and_the_chain_stops() {
    let chain = "await credit.query(sql`DELETE FROM credits WHERE order_id = ${saga.id}`);
        await stock.query(sql`DELETE FROM held WHERE order_id = ${saga.id}`);";
    let over = "await db.query(sql`UPDATE sagas SET state = 'over' WHERE order_id = ${saga.id}`);";
    let faulty = compensating(&format!(
        "      {over}
      try {{
        {chain}
      }} catch (error) {{
        // Somebody will look at it.
      }}
"
    ));
    let sound = compensating(&format!(
        "      try {{
        {chain}
        {over}
      }} catch (error) {{
        await sleep(1000);
      }}
"
    ));
    let trigger = "kill:credit@refused,restart:credit@+1500";
    Case { faulty: &faulty, sound: &sound, trigger, shows: &[Inconsistent], leaves: &[] }.check();
}

/// A command to reserve that comes after its own cancellation.
fn reserving(cancel: &str, reserve: &str) -> String {
    format!(
        r#"import {{ scene, service, worker, postgres, rabbitmq, never, sql }} from "pull-the-plug";

export default scene({{
  title: {{ ru: "Проба", en: "Trial" }},
  parts: {{
    shop: service({{ program: placeOrder }}),
    broker: rabbitmq({{ queues: {{ reserve: {{ durable: true }}, cancel: {{ durable: true }} }} }}),
    clerk: worker({{ program: reserveForever }}),
    canceller: worker({{ program: cancelForever }}),
    stock: postgres({{ tables: sql`
      CREATE TABLE orders (id bigint PRIMARY KEY, cancelled boolean NOT NULL);
      CREATE TABLE held (order_id bigint NOT NULL, saga bigint PRIMARY KEY, tombstone boolean NOT NULL);` }}),
  }},
  orders: {{ count: 1, everyMs: 200 }},
  placed: {{ stock: sql`SELECT id FROM orders WHERE NOT cancelled` }},
  claims: [never("stock held for a cancelled order", {{ stock: sql`
    SELECT order_id FROM held WHERE NOT tombstone
    AND EXISTS (SELECT 1 FROM orders WHERE orders.id = held.order_id AND cancelled)` }})],
}});

async function placeOrder({{ broker, stock, order, sleep }}) {{
  await stock.query(sql`INSERT INTO orders (id, cancelled) VALUES (${{order.id}}, false)`);
  await broker.publish("reserve", {{ orderId: order.id }}, {{ persistent: true }});
  await sleep(300);
  await broker.publish("cancel", {{ orderId: order.id }}, {{ persistent: true }});
}}

async function reserveForever({{ broker, stock, sleep }}) {{
  await broker.subscribe("reserve", {{ prefetch: 1 }}, async (message) => {{
    await sleep(1500);
    {reserve}
    await message.ack();
  }});
}}

async function cancelForever({{ broker, stock }}) {{
  await broker.subscribe("cancel", {{ prefetch: 1 }}, async (message) => {{
    await stock.transaction(async (tx) => {{
      await tx.query(sql`UPDATE orders SET cancelled = true WHERE id = ${{message.body.orderId}}`);
      {cancel}
    }});
    await message.ack();
  }});
}}
"#
    )
}

/// The cancellation deletes what it finds, or leaves a tombstone.
pub(crate) fn cancelling() -> [String; 2] {
    let faulty = reserving(
        "await tx.query(sql`DELETE FROM held WHERE saga = ${message.body.orderId}`);",
        "await stock.query(sql`INSERT INTO held (order_id, saga, tombstone) VALUES (${message.body.orderId}, ${message.body.orderId}, false) ON CONFLICT DO NOTHING`);",
    );
    let sound = reserving(
        "await tx.query(sql`INSERT INTO held (order_id, saga, tombstone) VALUES (${message.body.orderId}, ${message.body.orderId}, true) ON CONFLICT (saga) DO UPDATE SET tombstone = true`);",
        "await stock.query(sql`INSERT INTO held (order_id, saga, tombstone) VALUES (${message.body.orderId}, ${message.body.orderId}, false) ON CONFLICT DO NOTHING`);",
    );
    [faulty, sound]
}

/// The cancellation finds nothing and says all is well; then the reservation comes.
#[test]
fn f68_the_compensation_comes_before_the_action() {
    let [faulty, sound] = cancelling();
    Case { faulty: &faulty, sound: &sound, trigger: "", shows: &[Inconsistent], leaves: &[] }
        .check();
}

/// A step of a saga that is taken on a reply, without and with a guard by the state.
pub(crate) fn advancing() -> [String; 2] {
    let unguarded = edit(
        SHOP,
        &[
            (
                "        CREATE TABLE processed_events (event_id bigint PRIMARY KEY);",
                "        CREATE TABLE sagas (order_id bigint PRIMARY KEY, state text NOT NULL);",
            ),
            ("exactly(10, \"points\")", "exactly(1, \"parcel\")"),
            (
                "INSERT INTO processed_events (event_id) VALUES (${message.messageId})
        ON CONFLICT DO NOTHING RETURNING event_id`);",
                "INSERT INTO sagas (order_id, state) VALUES (${message.body.orderId}, 'shipped')
        ON CONFLICT (order_id) DO UPDATE SET state = 'shipped' RETURNING state`);",
            ),
            ("VALUES (${message.body.orderId}, 10)", "VALUES (${message.body.orderId}, 1)"),
        ],
    );
    let guarded = edit(
        &unguarded,
        &[(
            "SET state = 'shipped' RETURNING",
            "SET state = 'shipped' WHERE sagas.state <> 'shipped' RETURNING",
        )],
    );
    [unguarded, guarded]
}

/// One reply, twice: the relay of the other side has published it again.
#[test]
fn f72_a_reply_that_comes_twice_advances_twice() {
    let [unguarded, guarded] = advancing();
    for trigger in ["kill:relay@published", "kill:bonus@processed"] {
        Case { faulty: &unguarded, sound: &guarded, trigger, shows: &[Doubled], leaves: &[] }
            .check();
    }
}

/// A service that answers from a stock of one. `take` takes an item for an order.
fn selling(count: u32, take: &str) -> String {
    format!(
        r#"import {{ scene, service, postgres, never, sql }} from "pull-the-plug";

export default scene({{
  title: {{ ru: "Проба", en: "Trial" }},
  parts: {{
    shop: service({{ program: placeOrder }}),
    db: postgres({{ tables: sql`
      CREATE TABLE stock (sku bigint PRIMARY KEY, n int NOT NULL);
      CREATE TABLE orders (id bigint PRIMARY KEY);` }}),
  }},
  orders: {{ count: {count}, everyMs: 10 }},
  placed: {{ db: sql`SELECT id FROM orders` }},
  claims: [never("sold what is not there", {{ db: sql`SELECT id FROM orders WHERE EXISTS (SELECT 1 FROM stock WHERE n < 0)` }})],
}});

async function placeOrder({{ db, order }}) {{
  await db.query(sql`INSERT INTO stock (sku, n) VALUES (1, 1) ON CONFLICT DO NOTHING`);
  await db.transaction(async (tx) => {{
    {take}
    await tx.query(sql`INSERT INTO orders (id) VALUES (${{order.id}})`);
  }});
}}
"#
    )
}

#[test]
fn f74_both_look_and_both_take_the_last_item() {
    let faulty = selling(
        3,
        "const found = await tx.query(sql`SELECT n FROM stock WHERE sku = 1 AND n >= 1`);
    if (found.length === 0) {
      throw new Error(\"sold out\");
    }
    await tx.query(sql`UPDATE stock SET n = n - 1 WHERE sku = 1`);",
    );
    let sound = selling(
        3,
        "const taken = await tx.query(sql`UPDATE stock SET n = n - 1 WHERE sku = 1 AND n >= 1 RETURNING n`);
    if (taken.length === 0) {
      throw new Error(\"sold out\");
    }",
    );
    Case { faulty: &faulty, sound: &sound, trigger: "", shows: &[Inconsistent], leaves: &[] }
        .check();
}

/// Nobody has subscribed to the event: it waits in its queue, and nobody knows.
#[test]
fn f76_nobody_subscribes_to_an_event() {
    let faulty = edit(SHOP, &[("    bonus: worker({ program: addPoints }),\n", "")]);
    Case { faulty: &faulty, sound: SHOP, trigger: "", shows: &[Stuck], leaves: &[] }.check();
}

/// The first order charges 30 of a balance of 100 and takes it back a second later; the second
/// charges 20 meanwhile. `undo` is the compensation.
fn balance(undo: &str) -> String {
    format!(
        r#"import {{ scene, service, postgres, never, sql }} from "pull-the-plug";

export default scene({{
  title: {{ ru: "Проба", en: "Trial" }},
  parts: {{
    shop: service({{ program: placeOrder }}),
    db: postgres({{ tables: sql`
      CREATE TABLE accounts (id bigint PRIMARY KEY, balance int NOT NULL);
      CREATE TABLE orders (id bigint PRIMARY KEY);` }}),
  }},
  orders: {{ count: 2, everyMs: 300 }},
  placed: {{ db: sql`SELECT id FROM orders` }},
  claims: [never("charges forgotten", {{ db: sql`SELECT id FROM orders WHERE EXISTS (SELECT 1 FROM accounts WHERE balance > 80)` }})],
}});

async function placeOrder({{ db, order, sleep }}) {{
  await db.query(sql`INSERT INTO accounts (id, balance) VALUES (1, 100) ON CONFLICT DO NOTHING`);
  if (order.id === 2) {{
    await db.transaction(async (tx) => {{
      await tx.query(sql`UPDATE accounts SET balance = balance - 20 WHERE id = 1`);
      await tx.query(sql`INSERT INTO orders (id) VALUES (${{order.id}})`);
    }});
    return;
  }}
  const before = await db.query(sql`SELECT balance FROM accounts WHERE id = 1`);
  await db.query(sql`UPDATE accounts SET balance = balance - 30 WHERE id = 1`);
  await sleep(1000);
  {undo}
}}
"#
    )
}

#[test]
fn f73_a_compensation_writes_the_old_value_back() {
    let faulty = balance(
        "await db.query(sql`UPDATE accounts SET balance = ${before[0].balance} WHERE id = 1`);",
    );
    let sound =
        balance("await db.query(sql`UPDATE accounts SET balance = balance + 30 WHERE id = 1`);");
    Case { faulty: &faulty, sound: &sound, trigger: "", shows: &[Inconsistent], leaves: &[] }
        .check();
}

/// Two orders of one item. The first reserves it and gives it back a second later; `taken` says
/// what the second does when it finds none free.
fn last_item(taken: &str) -> String {
    format!(
        r#"import {{ scene, service, postgres, exactly, sql }} from "pull-the-plug";

export default scene({{
  title: {{ ru: "Проба", en: "Trial" }},
  parts: {{
    shop: service({{ program: placeOrder }}),
    db: postgres({{ tables: sql`
      CREATE TABLE items (id bigint PRIMARY KEY, holder bigint, sold boolean NOT NULL DEFAULT false);
      CREATE TABLE orders (id bigint PRIMARY KEY);
      CREATE TABLE sales (order_id bigint PRIMARY KEY, n int NOT NULL);` }}),
  }},
  orders: {{ count: 2, everyMs: 400 }},
  placed: {{ db: sql`SELECT id FROM orders` }},
  claims: [exactly(1, "sale").perOrder({{ db: sql`SELECT order_id, n FROM sales` }})],
}});

async function placeOrder({{ db, order, sleep }}) {{
  if (order.id === 1) {{
    await db.query(sql`INSERT INTO items (id, holder) VALUES (1, 1)`);
    await sleep(1000);
    await db.query(sql`UPDATE items SET holder = NULL WHERE id = 1`);
    return;
  }}
  await db.query(sql`INSERT INTO orders (id) VALUES (${{order.id}})`);
  while (true) {{
    const item = await db.query(sql`UPDATE items SET holder = ${{order.id}}, sold = true WHERE holder IS NULL RETURNING id`);
    if (item.length === 1) {{
      await db.query(sql`INSERT INTO sales (order_id, n) VALUES (${{order.id}}, 1)`);
      return;
    }}
    {taken}
  }}
}}
"#
    )
}

/// The second order takes a reservation that is later undone for a sale, and gives up.
#[test]
fn f73_a_dirty_read_misses_a_sale() {
    let faulty = last_item("return;");
    // A semantic lock: what is held and not sold is pending, so one waits for its outcome.
    let sound = last_item(
        "const pending = await db.query(sql`SELECT id FROM items WHERE NOT sold`);
    if (pending.length === 0) {
      return;
    }
    await sleep(300);",
    );
    assert_eq!(wrong(&faulty, ""), [Lost]);
    assert_eq!(wrong(&sound, ""), []);
}
