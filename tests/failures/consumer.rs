//! Failures of consumers and inboxes.

use pull_the_plug::audit::Verdict::{self, Doubled, Lost, Once, OutOfOrder, Stuck};
use pull_the_plug::sim::What;

use crate::bench::{Case, edit, run, verdicts, wrong};
use crate::text::{ALWAYS, IF_FRESH, SHOP, versions};

/// The handler of the sound scene, which the failures below take apart.
pub(crate) const HANDLER: &str = "    await points.transaction(async (tx) => {
      const fresh = await tx.query(sql`
        INSERT INTO processed_events (event_id) VALUES (${message.messageId})
        ON CONFLICT DO NOTHING RETURNING event_id`);
      if (fresh.length === 1) {
        await tx.query(sql`INSERT INTO bonuses (order_id, points) VALUES (${message.body.orderId}, 10)`);
      }
    }); // moment: processed
    await message.ack(); // moment: acked
";
/// The relay stores a message, dies before it marks the row, and publishes it again.
const PUBLISHED_TWICE: &str = "kill:relay@published";

fn with_handler(handler: &str) -> String {
    edit(SHOP, &[(HANDLER, handler)])
}

fn case(faulty: &str, trigger: &str, shows: Verdict) {
    Case { faulty, sound: SHOP, trigger, shows: &[shows], leaves: &[] }.check();
}

#[test]
fn f31_acknowledged_before_it_is_processed() {
    let faulty = with_handler(
        "    await message.ack(); // moment: acked
    await points.transaction(async (tx) => {
      const fresh = await tx.query(sql`
        INSERT INTO processed_events (event_id) VALUES (${message.messageId})
        ON CONFLICT DO NOTHING RETURNING event_id`);
      if (fresh.length === 1) {
        await tx.query(sql`INSERT INTO bonuses (order_id, points) VALUES (${message.body.orderId}, 10)`); // moment: earned
      }
    }); // moment: processed
",
    );
    assert_eq!(wrong(&faulty, "kill:bonus@earned"), [Lost]);
    case(&faulty, "kill:bonus@acked", Lost);
}

/// With automatic acknowledgements a message is done when it is sent: a consumer that dies over
/// the first loses all that were pushed to it.
#[test]
fn f31_automatic_acknowledgement_loses_the_whole_window() {
    let many = edit(SHOP, &[("count: 1, everyMs: 200", "count: 4, everyMs: 1")]);
    let sound = edit(
        &many,
        &[
            ("{ prefetch: 1 }", "{ prefetch: 10 }"),
            ("await points.tr", "await sleep(900);\n    await points.tr"),
        ],
    );
    let faulty = edit(
        &sound,
        &[
            ("{ prefetch: 10 }", "{ prefetch: 10, autoAck: true }"),
            ("    await message.ack(); // moment: acked\n", ""),
        ],
    );
    let crash = "kill:bonus@marked#2";
    assert_eq!(verdicts(&run(&faulty, crash)), [Lost; 4]);
    assert_eq!(wrong(&sound, crash), []);
}

#[test]
fn f32_commit_then_crash_before_the_acknowledgement() {
    let faulty = edit(SHOP, &[(IF_FRESH, ALWAYS)]);
    case(&faulty, "kill:bonus@processed", Doubled);
    case(&faulty, "unplug:bonus@processed", Doubled);
}

#[test]
fn f32_the_acknowledgement_is_lost_on_the_wire() {
    let faulty = edit(SHOP, &[(IF_FRESH, ALWAYS)]);
    case(&faulty, "cut:bonus-broker@processed,mend:bonus-broker@+9000", Doubled);
}

/// First the mark, then the points, each by itself.
pub(crate) fn mark_first() -> String {
    with_handler(
        "    const fresh = await points.query(sql`INSERT INTO processed_events (event_id) VALUES (${message.messageId}) ON CONFLICT DO NOTHING RETURNING event_id`); // moment: processed
    if (fresh.length === 1) {
      await points.query(sql`INSERT INTO bonuses (order_id, points) VALUES (${message.body.orderId}, 10)`);
    }
    await message.ack(); // moment: acked
",
    )
}

#[test]
fn f33_the_mark_has_a_transaction_of_its_own() {
    case(&mark_first(), "kill:bonus@processed", Lost);
}

/// First the points, then the mark, each by itself.
pub(crate) fn effect_first() -> String {
    with_handler(
        "    const seen = await points.query(sql`
      SELECT event_id FROM processed_events WHERE event_id = ${message.messageId}`);
    if (seen.length === 0) {
      await points.query(sql`INSERT INTO bonuses (order_id, points) VALUES (${message.body.orderId}, 10)`); // moment: processed
      await points.query(sql`INSERT INTO processed_events (event_id) VALUES (${message.messageId})`);
    }
    await message.ack(); // moment: acked
",
    )
}

#[test]
fn f34_the_effect_comes_first_and_the_mark_in_another_transaction() {
    case(&effect_first(), "kill:bonus@processed", Doubled);
}

/// Two instances of one consumer, whose handling takes three seconds, and a text with a change.
pub(crate) fn two_slow_consumers(changes: &[(&str, &str)]) -> String {
    let slow = edit(
        SHOP,
        &[
            (
                "bonus: worker({ program: addPoints }),",
                "bonus: worker({ program: addPoints }),\n    second: worker({ program: addPoints }),",
            ),
            (IF_FRESH, "if (fresh.length === 1) {\n        await sleep(3000);"),
        ],
    );
    edit(&slow, changes)
}

/// Both copies find no mark, and both add points.
#[test]
fn f35_check_then_insert_without_a_unique_key() {
    let faulty = two_slow_consumers(&[
        ("(event_id bigint PRIMARY KEY)", "(event_id bigint)"),
        (
            "INSERT INTO processed_events (event_id) VALUES (${message.messageId})
        ON CONFLICT DO NOTHING RETURNING event_id`);",
            "SELECT event_id FROM processed_events WHERE event_id = ${message.messageId}`);",
        ),
        (
            "if (fresh.length === 1) {",
            "if (fresh.length === 0) {
        await tx.query(sql`INSERT INTO processed_events (event_id) VALUES (${message.messageId})`);",
        ),
    ]);
    let sound = two_slow_consumers(&[]);
    Case {
        faulty: &faulty,
        sound: &sound,
        trigger: PUBLISHED_TWICE,
        shows: &[Doubled],
        leaves: &[],
    }
    .check();
}

#[test]
fn f37_the_key_is_made_anew_for_each_publish() {
    let faulty = edit(
        SHOP,
        &[
            ("(event_id bigint PRIMARY KEY)", "(event_id text PRIMARY KEY)"),
            ("messageId: row.id", "messageId: uuid()"),
        ],
    );
    case(&faulty, PUBLISHED_TWICE, Doubled);
    // What it protects from is redelivery alone.
    assert_eq!(wrong(&faulty, "kill:bonus@processed"), []);
}

/// Two consumers with queues of their own and one inbox table.
fn two_queues() -> String {
    let text = edit(
        SHOP,
        &[
            (r#""order.created": { durable: true }"#, r#""order.created": { durable: true }, shipping: { durable: true }"#),
            ("bonus: worker({ program: addPoints }),", "bonus: worker({ program: addPoints }),\n    parcels: worker({ program: ship }),"),
            ("(event_id bigint PRIMARY KEY);", "(consumer text, event_id bigint, PRIMARY KEY (consumer, event_id));
        CREATE TABLE parcels (id bigserial PRIMARY KEY, order_id bigint NOT NULL, parcels int NOT NULL);"),
            ("order_id, points FROM bonuses` })", "order_id, points FROM bonuses` }),
    exactly(1, \"parcel\").perOrder({ points: sql`SELECT order_id, parcels FROM parcels` })"),
            ("// moment: published", "// moment: published\n        await broker.publish(\"shipping\", row.payload, { messageId: row.id, persistent: true });"),
            ("processed_events (event_id) VALUES (${message", "processed_events (consumer, event_id) VALUES ('bonus', ${message"),
        ],
    );
    format!(
        "{text}
async function ship({{ broker, points }}) {{
  await broker.subscribe(\"shipping\", {{ prefetch: 1 }}, async (message) => {{
    await points.transaction(async (tx) => {{
      const fresh = await tx.query(sql`
        INSERT INTO processed_events (consumer, event_id) VALUES ('parcels', ${{message.messageId}})
        ON CONFLICT DO NOTHING RETURNING event_id`);
      if (fresh.length === 1) {{
        await tx.query(sql`INSERT INTO parcels (order_id, parcels) VALUES (${{message.body.orderId}}, 1)`);
      }}
    }});
    await message.ack();
  }});
}}
"
    )
}

#[test]
fn f38_the_consumer_is_missing_in_the_key() {
    let sound = two_queues();
    let faulty = edit(&sound, &[("PRIMARY KEY (consumer, event_id)", "PRIMARY KEY (event_id)")]);
    Case { faulty: &faulty, sound: &sound, trigger: "", shows: &[Lost], leaves: &[] }.check();
}

/// Two events of one order, and an inbox that knows orders only.
#[test]
fn f38_the_key_is_too_coarse() {
    let sound = edit(
        SHOP,
        &[
            ("exactly(10", "exactly(20"),
            ("// moment: announced", "// moment: announced
    await tx.query(sql`INSERT INTO outbox (event_type, payload) VALUES ('order.created', ${event})`);"),
        ],
    );
    let faulty =
        edit(&sound, &[("VALUES (${message.messageId})", "VALUES (${message.body.orderId})")]);
    Case { faulty: &faulty, sound: &sound, trigger: "", shows: &[Lost], leaves: &[] }.check();
}

/// What a relay publishes twice is not marked as redelivered, so the check must not ask for it.
#[test]
fn f39_checked_only_when_the_broker_says_redelivered() {
    let faulty = edit(SHOP, &[(IF_FRESH, "if (!message.redelivered || fresh.length === 1) {")]);
    case(&faulty, PUBLISHED_TWICE, Doubled);
    assert_eq!(wrong(&faulty, "kill:bonus@processed"), []);
    let events = run(&faulty, PUBLISHED_TWICE).events;
    let received = events.iter().filter_map(|event| match event.what {
        What::Received { redelivered } => Some(redelivered),
        _ => None,
    });
    assert_eq!(received.collect::<Vec<_>>(), [false, false]);
}

/// An inbox that forgets after eight seconds, and one that forgets after two.
pub(crate) fn forgetting() -> [String; 2] {
    let sound = edit(
        SHOP,
        &[
            (
                "(event_id bigint PRIMARY KEY)",
                "(event_id bigint PRIMARY KEY, seen_at timestamptz NOT NULL DEFAULT now())",
            ),
            ("points: postgres", "purge: worker({ program: forget }),\n    points: postgres"),
        ],
    );
    let sound = format!(
        "{sound}
async function forget({{ points, sleep }}) {{
  while (true) {{
    await points.query(sql`DELETE FROM processed_events WHERE seen_at < now() - interval '8 seconds'`);
    await sleep(2000);
  }}
}}
"
    );
    let faulty = edit(&sound, &[("interval '8 seconds'", "interval '2 seconds'")]);
    [faulty, sound]
}

/// The inbox forgets after two seconds; the copy comes after five.
#[test]
fn f40_the_inbox_forgets_too_early() {
    let [faulty, sound] = forgetting();
    let trigger = "kill:relay@published,restart:relay@+5000";
    Case { faulty: &faulty, sound: &sound, trigger, shows: &[Doubled], leaves: &[] }.check();
}

/// A letter inside the transaction of the inbox, with a key that the mail service honours.
pub(crate) fn letters() -> String {
    edit(
        SHOP,
        &[
            ("points: postgres({", "mailer: mail({ honoursKeys: true }),\n    points: postgres({"),
            (
                r#"exactly(10, "points").perOrder({ points: sql`SELECT order_id, points FROM bonuses` })"#,
                r#"exactly(1, "letter").perOrder()"#,
            ),
            ("{ broker, points, sleep }", "{ broker, points, mailer }"),
            (
                "await tx.query(sql`INSERT INTO bonuses (order_id, points) VALUES (${message.body.orderId}, 10)`);",
                "await mailer.send({ order: message.body.orderId, to: \"Anna\", kind: \"letter\", key: message.messageId }); // moment: sent",
            ),
        ],
    )
}

/// The letter leaves inside the transaction of the inbox, and a crash rolls only the mark back.
#[test]
fn f41_an_external_effect_inside_the_transaction_of_the_inbox() {
    let sound = letters();
    let faulty = edit(&sound, &[("honoursKeys: true", "honoursKeys: false")]);
    let keyless = edit(&sound, &[(", key: message.messageId", "")]);
    for faulty in [faulty, keyless] {
        Case {
            faulty: &faulty,
            sound: &sound,
            trigger: "kill:bonus@sent",
            shows: &[Doubled],
            leaves: &[],
        }
        .check();
    }
}

/// The first event always fails and goes back to the head of the queue at once.
#[test]
fn f47_a_poison_message_is_requeued_at_once() {
    let poison = edit(
        SHOP,
        &[
            ("count: 1", "count: 2"),
            (
                "  await broker.subscribe(\"order.created\", { prefetch: 1 }, async (message) => {\n",
                "  await broker.subscribe(\"order.created\", { prefetch: 1 }, async (message) => {
    if (message.body.orderId === 1) {
      await message.nack({ requeue: true });
      return;
    }
",
            ),
        ],
    );
    assert_eq!(verdicts(&run(&poison, "")), [Stuck, Stuck]);
    let rejected = edit(&poison, &[("requeue: true", "requeue: false")]);
    assert_eq!(verdicts(&run(&rejected, "")), [Lost, Once]);
}

/// A delivery limit without a queue for dead letters drops the poison, and with a window larger
/// than one its neighbours as well.
#[test]
fn f47_a_delivery_limit_without_a_dead_letter_queue() {
    let text = edit(
        SHOP,
        &[
            ("count: 1, everyMs: 200", "count: 3, everyMs: 1"),
            ("durable: true }", "quorum: true, deliveryLimit: 2 }, dead: { durable: true }"),
            (
                "    await points.transaction(",
                "    if (message.body.orderId === 1) {
      await sleep(500);
      throw new Error(\"poison\");
    }
    await sleep(1000);
    await points.transaction(",
            ),
        ],
    );
    let wide = edit(&text, &[("prefetch: 1", "prefetch: 3")]);
    assert_eq!(verdicts(&run(&wide, "")), [Lost, Lost, Lost]);
    assert_eq!(verdicts(&run(&text, "")), [Lost, Once, Once]);
    let sound = edit(&text, &[("deliveryLimit: 2", "deliveryLimit: 2, deadLetter: \"dead\"")]);
    assert_eq!(verdicts(&run(&sound, "")), [Stuck, Once, Once]);
}

/// A second instance of the consumer; the first version takes long.
pub(crate) fn competing() -> String {
    edit(
        &versions(),
        &[
            (
                "bonus: worker({ program: addPoints }),",
                "bonus: worker({ program: addPoints }),\n    second: worker({ program: addPoints }),",
            ),
            (
                "    await points.transaction(",
                "    if (message.body.version === 1) {\n      await sleep(1500);\n    }\n    await points.transaction(",
            ),
        ],
    )
}

/// A handler that puts back what comes before its time, and has room for what it waits for: with
/// a window of one it would be handed the same message for ever.
pub(crate) fn version_check(text: &str) -> String {
    edit(
        text,
        &[
            ("prefetch: 1", "prefetch: 10"),
            ("    await points.transaction(async (tx) => {\n", "    const early = await points.transaction(async (tx) => {
      const last = await tx.query(sql`SELECT coalesce(max(version), 0) AS version FROM bonuses WHERE order_id = ${message.body.orderId}`);
      if (message.body.version > last[0].version + 1) {
        return true;
      }
"),
            ("    }); // moment: processed\n", "      return false;
    }); // moment: processed
    if (early) {
      await sleep(400);
      await message.nack({ requeue: true });
      return;
    }
"),
        ],
    )
}

#[test]
fn f46_competing_consumers() {
    let single = competing();
    let faulty = edit(&single, &[(", singleActiveConsumer: true", "")]);
    for sound in [single, version_check(&faulty)] {
        Case { faulty: &faulty, sound: &sound, trigger: "", shows: &[OutOfOrder], leaves: &[] }
            .check();
    }
}

/// The relay renders the event anew when it tries again, and the rate has changed meanwhile: the
/// queue that has the first copy keeps the old amount, the other one gets the new.
#[test]
fn f49_the_content_is_rendered_again_at_the_retry() {
    let text = edit(
        &two_queues(),
        &[
            ("exactly(1, \"parcel\")", "exactly(10, \"parcel\")"),
            (
                "(order_id, parcels) VALUES (${message.body.orderId}, 1)",
                "(order_id, parcels) VALUES (${message.body.orderId}, ${message.body.points})",
            ),
            (
                "VALUES (${message.body.orderId}, 10)",
                "VALUES (${message.body.orderId}, ${message.body.points})",
            ),
            (
                "const event = { orderId: order.id };",
                "const event = { orderId: order.id, points: 10 };",
            ),
            (
                "CREATE TABLE orders",
                "CREATE TABLE rates (id bigint PRIMARY KEY, points int NOT NULL);\n        CREATE TABLE orders",
            ),
            (
                "    relay: worker",
                "    marketing: worker({ program: changeRate }),\n    relay: worker",
            ),
        ],
    );
    let sound = format!(
        "{text}
async function changeRate({{ db, sleep }}) {{
  await sleep(1500);
  await db.query(sql`INSERT INTO rates (id, points) VALUES (1, 5) ON CONFLICT DO NOTHING`);
}}
"
    );
    let faulty = edit(
        &sound,
        &[
            (
                "      for (const row of rows) {\n",
                "      const rates = await db.query(sql`SELECT points FROM rates`);
      const rate = rates.length === 0 ? 10 : rates[0].points;
      for (const row of rows) {
        const payload = { orderId: row.payload.orderId, points: rate };
",
            ),
            ("row.event_type, row.payload", "row.event_type, payload"),
            ("\"shipping\", row.payload", "\"shipping\", payload"),
        ],
    );
    let trigger = "kill:relay@published,restart:relay@+2000";
    Case { faulty: &faulty, sound: &sound, trigger, shows: &[Lost], leaves: &[] }.check();
}
