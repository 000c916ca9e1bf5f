//! Failures of relays.

use pull_the_plug::audit::Verdict::{Doubled, Lost, Once, OutOfOrder, Stuck};
use pull_the_plug::sim::What;

use crate::bench::{Case, edit, run, verdicts, wrong};
use crate::text::{ALWAYS, IF_FRESH, SHOP, versions};

/// What the relay of the sound scene does each round.
const ROUND: &str = "    await db.transaction(async (tx) => {
      const rows = await tx.query(sql`
        SELECT id, event_type, payload FROM outbox
        WHERE published_at IS NULL
        ORDER BY id LIMIT 10 FOR UPDATE SKIP LOCKED`);
      for (const row of rows) {
        await broker.publish(row.event_type, row.payload, { messageId: row.id, persistent: true }); // moment: published
      }
      const ids = rows.map((row) => row.id);
      await tx.query(sql`UPDATE outbox SET published_at = now() WHERE id = ANY(${ids})`);
    }); // moment: marked
";
const PUBLISH: &str = "      await broker.publish(row.event_type, row.payload, { messageId: row.id, persistent: true }); // moment: published";
const RELAY: &str = "relay: worker({ program: publishForever }),";

/// A scene with another round of the relay.
fn with_round(text: &str, round: &str) -> String {
    edit(text, &[(ROUND, round)])
}

/// The same with two relays.
pub(crate) fn two_relays(text: &str) -> String {
    edit(text, &[(RELAY, &format!("{RELAY}\n    second: worker({{ program: publishForever }}),"))])
}

/// The same without an inbox, so that each copy counts.
pub(crate) fn no_inbox(text: &str) -> String {
    edit(text, &[(IF_FRESH, ALWAYS)])
}

#[test]
fn f05_crash_between_publish_and_mark() {
    let faulty = no_inbox(SHOP);
    for trigger in ["kill:relay@published", "unplug:relay@published"] {
        Case { faulty: &faulty, sound: SHOP, trigger, shows: &[Doubled], leaves: &[] }.check();
    }
    let events = run(&faulty, "kill:relay@published").events;
    let received = events.iter().filter_map(|event| match event.what {
        What::Received { redelivered } => Some(redelivered),
        _ => None,
    });
    assert_eq!(received.collect::<Vec<_>>(), [false, false]);
}

#[test]
fn f06_mark_before_publish() {
    let faulty = with_round(
        SHOP,
        &format!(
            "    const rows = await db.query(sql`UPDATE outbox SET published_at = now() WHERE published_at IS NULL RETURNING id, event_type, payload`); // moment: marked
    for (const row of rows) {{
{PUBLISH}
    }}
"
        ),
    );
    let trigger = "kill:relay@marked#2";
    Case { faulty: &faulty, sound: SHOP, trigger, shows: &[Lost], leaves: &[] }.check();
}

/// The relay swallows the error of a publish and marks the row all the same.
#[test]
fn f06_the_result_of_the_publish_is_ignored() {
    let publish = PUBLISH.trim_start();
    let faulty = edit(
        SHOP,
        &[(publish, "try {
          await broker.publish(row.event_type, row.payload, { messageId: row.id, persistent: true });
        } catch (error) {
          // It will be there.
        }")],
    );
    let trigger = "kill:broker@committed,restart:broker@+3000";
    Case { faulty: &faulty, sound: SHOP, trigger, shows: &[Lost], leaves: &[] }.check();
}

/// Two orders; the transaction of the first takes its id and stays open for two seconds.
fn first_is_slow(text: &str) -> String {
    edit(
        text,
        &[
            ("count: 1", "count: 2"),
            (
                "// moment: announced\n",
                "// moment: announced\n    if (order.id === 1) {\n      await sleep(1500);\n    }\n",
            ),
        ],
    )
}

/// A relay that remembers how far it has come, and reads what lies behind by `condition`.
fn cursor(condition: &str) -> String {
    let text = edit(
        SHOP,
        &[
            ("          published_at timestamptz\n        );`,", "          published_at timestamptz,
          txid bigint NOT NULL DEFAULT pg_current_xact_id()::text::bigint
        );
        CREATE TABLE cursors (name text PRIMARY KEY, txid bigint NOT NULL, position bigint NOT NULL);`,"),
            ("  backlog: { db: sql`SELECT payload->>'orderId' FROM outbox WHERE published_at IS NULL` },\n", ""),
        ],
    );
    let round = format!(
        "    let at = await db.query(sql`SELECT txid, position FROM cursors`);
    if (at.length === 0) {{
      at = await db.query(sql`INSERT INTO cursors (name, txid, position) VALUES ('relay', 0, 0) RETURNING txid, position`);
    }}
    const rows = await db.query(sql`SELECT id, txid, event_type, payload FROM outbox WHERE {condition}`);
    for (const row of rows) {{
{PUBLISH}
      await db.query(sql`UPDATE cursors SET position = ${{row.id}}, txid = ${{row.txid}}`);
    }}
"
    );
    first_is_slow(&with_round(&text, &round))
}

/// Id 2 is committed before id 1, and the cursor passes over it.
#[test]
fn f09_a_cursor_over_sequence_ids() {
    let faulty = cursor("id > ${at[0].position} ORDER BY id");
    let barrier = cursor(
        "txid < pg_snapshot_xmin(pg_current_snapshot())::text::bigint AND (txid > ${at[0].txid} OR txid = ${at[0].txid} AND id > ${at[0].position}) ORDER BY txid, id",
    );
    let in_turn = edit(&faulty, &[("CREATE TABLE cursors", "CREATE TABLE turns (name text PRIMARY KEY);
        CREATE TABLE cursors"), ("  await db.transaction(async (tx) => {\n    await tx.query(sql`INSERT INTO orders", "  await db.transaction(async (tx) => {
    await tx.query(sql`INSERT INTO turns (name) VALUES ('outbox') ON CONFLICT (name) DO UPDATE SET name = turns.name`);
    await tx.query(sql`INSERT INTO orders")]);
    for sound in [first_is_slow(SHOP), barrier, in_turn] {
        Case { faulty: &faulty, sound: &sound, trigger: "", shows: &[Lost], leaves: &[] }.check();
    }
}

/// To wait once when an id is missing helps only against transactions that are shorter.
#[test]
fn f09_waiting_for_a_gap_only_narrows_the_window() {
    let waits = |ms: u32| {
        let read = "const rows = await db.query(sql`SELECT id, txid, event_type, payload FROM outbox WHERE id > ${at[0].position} ORDER BY id`);";
        let again = read.replace("const ", "").replace("    ", "");
        let waiting = format!(
            "{}
    if (rows.length > 0 && rows[0].id > at[0].position + 1) {{
      await sleep({ms});
      {again}
    }}",
            read.replace("const ", "let ")
        );
        edit(&cursor("id > ${at[0].position} ORDER BY id"), &[(read, &waiting)])
    };
    assert_eq!(wrong(&waits(300), ""), [Lost]);
    assert_eq!(wrong(&waits(3000), ""), []);
}

/// When the first points came, in milliseconds.
fn first_points_ms(text: &str, actions: &str) -> i64 {
    let events = run(text, actions).events;
    let points = events.iter().find(|event| match &event.what {
        What::Executed { ask, .. } => &*ask.object == "bonuses",
        _ => false,
    });
    points.map_or(i64::MAX, |event| event.time_us / 1000)
}

/// A transaction on another table writes and stays open; the barrier waits for it.
#[test]
fn f10_a_barrier_and_a_long_writer() {
    let long = |text: &str, end: &str| {
        let text = edit(
            text,
            &[
                (RELAY, &format!("{RELAY}\n    report: worker({{ program: report }}),")),
                (
                    "CREATE TABLE orders",
                    "CREATE TABLE reports (id bigint PRIMARY KEY);\n        CREATE TABLE orders",
                ),
            ],
        );
        format!(
            "{text}
async function report({{ db, sleep }}) {{
  const tx = await db.begin();
  await tx.query(sql`INSERT INTO reports (id) VALUES (1) ON CONFLICT DO NOTHING`);
  {end}
}}
"
        )
    };
    let barrier = cursor(
        "txid < pg_snapshot_xmin(pg_current_snapshot())::text::bigint AND (txid > ${at[0].txid} OR txid = ${at[0].txid} AND id > ${at[0].position}) ORDER BY txid, id",
    );
    let late = long(&barrier, "await sleep(30000);\n  await tx.commit();");
    assert_eq!(wrong(&late, ""), []);
    assert!(first_points_ms(&late, "") > 30_000);
    let flag = long(SHOP, "await sleep(30000);\n  await tx.commit();");
    assert!(first_points_ms(&flag, "") < 2_000);
}

/// An orphan prepared transaction holds the barrier for ever.
#[test]
fn f10_a_barrier_and_an_orphan_prepared_transaction() {
    let orphan = |text: &str| {
        let text = edit(
            text,
            &[
                (RELAY, &format!("{RELAY}\n    orphan: worker({{ program: prepare }}),")),
                (
                    "CREATE TABLE orders",
                    "CREATE TABLE reports (id bigint PRIMARY KEY);\n        CREATE TABLE orders",
                ),
            ],
        );
        format!(
            "{text}
async function prepare({{ db }}) {{
  const tx = await db.begin();
  await tx.query(sql`INSERT INTO reports (id) VALUES (1)`);
  await tx.prepare(\"orphan\");
}}
"
        )
    };
    let barrier = edit(
        &cursor(
            "txid < pg_snapshot_xmin(pg_current_snapshot())::text::bigint AND (txid > ${at[0].txid} OR txid = ${at[0].txid} AND id > ${at[0].position}) ORDER BY txid, id",
        ),
        &[(
            "  claims:",
            "  backlog: { db: sql`SELECT payload->>'orderId' FROM outbox WHERE NOT EXISTS (SELECT 1 FROM cursors WHERE cursors.position >= outbox.id)` },\n  claims:",
        )],
    );
    Case {
        faulty: &orphan(&barrier),
        sound: &orphan(&first_is_slow(SHOP)),
        trigger: "",
        shows: &[Stuck],
        leaves: &[],
    }
    .check();
}

/// The event of the first order cannot be written down, and its relay gives up there.
#[test]
fn f14_a_poison_row_holds_up_all_behind_it() {
    let text = edit(SHOP, &[("count: 1", "count: 3")]);
    let refuses = "if (row.payload.orderId === 1) {
          throw new Error(\"too large\");
        }
        await broker.publish(row.event_type";
    let strict = edit(&text, &[("await broker.publish(row.event_type", refuses)]);
    assert_eq!(verdicts(&run(&strict, "")), [Stuck, Stuck, Stuck]);
    // To go on to the next row helps as long as the batch holds one.
    let full = parking("", "");
    assert_eq!(verdicts(&run(&full, "")), [Stuck, Stuck, Stuck]);
    let counts = "      await db.query(sql`UPDATE outbox SET attempts = attempts + 1 WHERE id = ${row.id}`);\n";
    let parks = parking(" AND attempts < 3", counts);
    assert_eq!(verdicts(&run(&parks, "")), [Stuck, Once, Once]);
}

/// A relay that takes one row at a time and goes on when it cannot be sent. `free`: which rows it
/// still takes; `counts`: how it counts its attempts.
fn parking(free: &str, counts: &str) -> String {
    let text = edit(SHOP, &[("count: 1", "count: 3")]);
    let attempts = "          published_at timestamptz,
          attempts int NOT NULL DEFAULT 0\n";
    let text = edit(&text, &[("          published_at timestamptz\n", attempts)]);
    let round = format!("    const rows = await db.query(sql`SELECT id, event_type, payload FROM outbox WHERE published_at IS NULL{free} ORDER BY id LIMIT 1`);
    for (const row of rows) {{
{counts}      try {{
        if (row.payload.orderId === 1) {{
          throw new Error(\"too large\");
        }}
        await broker.publish(row.event_type, row.payload, {{ messageId: row.id, persistent: true }}); // moment: published
        await db.query(sql`UPDATE outbox SET published_at = now() WHERE id = ${{row.id}}`);
      }} catch (error) {{
        await sleep(200);
      }}
    }}
");
    with_round(&text, &round)
}

#[test]
fn f18_several_relays_without_any_claim() {
    let sound = two_relays(&no_inbox(SHOP));
    let faulty = edit(&sound, &[(" FOR UPDATE SKIP LOCKED", "")]);
    assert_eq!(wrong(&faulty, ""), [Doubled]);
    assert_eq!(wrong(&sound, ""), []);
    // A claim ends with its relay; the copy that a crash makes is for the inbox.
    let inbox = edit(&sound, &[(ALWAYS, IF_FRESH)]);
    Case { faulty: &faulty, sound: &inbox, trigger: "", shows: &[Doubled], leaves: &[] }.check();
}

/// A relay that claims rows for itself in a transaction of its own. `free`: which are free.
pub(crate) fn claims(text: &str, free: &str, work: &str) -> String {
    let text = edit(
        text,
        &[(
            "          published_at timestamptz\n",
            "          published_at timestamptz,
          owner text,
          leased_until timestamptz\n",
        )],
    );
    let text = edit(
        &text,
        &[(
            "async function publishForever({ db, broker, sleep, uuid }) {\n",
            "async function publishForever({ db, broker, sleep, uuid }) {\n  const me = uuid();\n",
        )],
    );
    let round = format!(
        "    const rows = await db.query(sql`UPDATE outbox SET owner = ${{me}}, leased_until = now() + interval '2 seconds' WHERE id IN (SELECT id FROM outbox WHERE published_at IS NULL AND ({free}) ORDER BY id LIMIT 10 FOR UPDATE SKIP LOCKED) RETURNING id, event_type, payload`); // moment: claimed
    for (const row of rows) {{
{work}{PUBLISH}
      await db.query(sql`UPDATE outbox SET published_at = now() WHERE id = ${{row.id}} AND owner = ${{me}}`);
    }}
"
    );
    with_round(&text, &round)
}

pub(crate) const LEASE: &str = "owner IS NULL OR leased_until < now()";

#[test]
fn f20_the_owner_died_and_its_claim_stays() {
    let faulty = claims(SHOP, "owner IS NULL", "");
    let sound = claims(SHOP, LEASE, "");
    let trigger = "kill:relay@claimed#2";
    Case { faulty: &faulty, sound: &sound, trigger, shows: &[Stuck], leaves: &[] }.check();
}

/// Two relays with leases, the first round of each longer than its lease.
pub(crate) fn outliving_the_lease() -> String {
    let slow =
        "      if (rested === 0) {\n        rested = 1;\n        await sleep(2500);\n      }\n";
    let text = claims(SHOP, LEASE, slow);
    let text = edit(&text, &[("const me = uuid();", "const me = uuid();\n  let rested = 0;")]);
    two_relays(&text)
}

/// The relay with the lease is slow; another takes the row over, and both publish. The fence in
/// the mark does not help, the inbox does.
#[test]
fn f17_a_lease_runs_out_under_a_slow_relay() {
    let sound = outliving_the_lease();
    let faulty = no_inbox(&sound);
    Case { faulty: &faulty, sound: &sound, trigger: "", shows: &[Doubled], leaves: &[] }.check();
}

/// The relay is away for longer than rows are kept.
#[test]
fn f21_clean_up_deletes_what_was_not_sent() {
    let text =
        edit(SHOP, &[(RELAY, &format!("{RELAY}\n    cleaner: worker({{ program: clean }}),"))]);
    let sound = format!(
        "{text}
async function clean({{ db, sleep }}) {{
  while (true) {{
    await db.query(sql`DELETE FROM outbox WHERE created_at < now() - interval '2 seconds' AND published_at IS NOT NULL`);
    await sleep(1000);
  }}
}}
"
    );
    let faulty = edit(&sound, &[(" AND published_at IS NOT NULL", "")]);
    let trigger = "unplug:relay@committed,plug:relay@+6000";
    Case { faulty: &faulty, sound: &sound, trigger, shows: &[Lost], leaves: &[] }.check();
}

const FREE: &str = "        WHERE published_at IS NULL\n";
/// No older unsent row of the same order.
const HEAD_ONLY: &str = "        WHERE published_at IS NULL AND NOT EXISTS (SELECT 1 FROM outbox AS older
          WHERE older.published_at IS NULL AND older.id < outbox.id AND older.payload->>'orderId' = outbox.payload->>'orderId')
";

/// Two relays; one of them alone; two that take no version before its elder is out.
pub(crate) fn overtaking() -> [String; 3] {
    let slow = "if (row.payload.version === 1) {\n          await sleep(1500);\n        }\n        await broker.publish(row";
    let one = edit(&versions(), &[("LIMIT 10", "LIMIT 1"), ("await broker.publish(row", slow)]);
    let faulty = two_relays(&one);
    // Alone it must wait for a lock, which may be its own of before a power cut.
    let one = edit(&one, &[(" SKIP LOCKED", "")]);
    let guarded = edit(&faulty, &[(FREE, HEAD_ONLY)]);
    [faulty, one, guarded]
}

/// One relay has the first version and is slow, the other passes over it and takes the second.
#[test]
fn f12_two_relays_with_skip_locked() {
    let [faulty, one, guarded] = overtaking();
    for sound in [one, guarded] {
        Case { faulty: &faulty, sound: &sound, trigger: "", shows: &[OutOfOrder], leaves: &[] }
            .check();
    }
}

/// A relay that puts off what it could not publish, and one that puts off what lies behind too.
pub(crate) fn backing_off() -> [String; 2] {
    let text = edit(
        &versions(),
        &[(
            "          published_at timestamptz\n",
            "          published_at timestamptz,
          next_at timestamptz NOT NULL DEFAULT now()\n",
        )],
    );
    let faulty = with_round(
        &text,
        "    const rows = await db.query(sql`
        SELECT id, event_type, payload FROM outbox
        WHERE published_at IS NULL
        AND next_at <= now() ORDER BY id LIMIT 10`);
    for (const row of rows) {
      try {
        await broker.publish(row.event_type, row.payload, { messageId: row.id, persistent: true }); // moment: published
        await db.query(sql`UPDATE outbox SET published_at = now() WHERE id = ${row.id}`);
      } catch (error) {
        await db.query(sql`UPDATE outbox SET next_at = now() + interval '5 seconds' WHERE id = ${row.id}`);
        await sleep(1000);
      }
    }
",
    );
    let sound =
        edit(&faulty, &[(FREE, HEAD_ONLY), ("ORDER BY id LIMIT 10", "ORDER BY id LIMIT 1")]);
    [faulty, sound]
}

/// The first version could not be published and waits for its next time; the second goes now.
#[test]
fn f13_what_waits_for_its_retry_is_overtaken() {
    let [faulty, sound] = backing_off();
    let trigger = "kill:broker@relay.<await broker.publish(row>:before,restart:broker@+500";
    Case { faulty: &faulty, sound: &sound, trigger, shows: &[OutOfOrder], leaves: &[] }.check();
}

/// The first relay's link hangs while it holds the rows; the second one, whose link is well,
/// passes over them until the transaction ends.
#[test]
fn f16_publishing_while_the_transaction_is_open() {
    let patient = |text: &str| {
        edit(
            &two_relays(text),
            &[("  orders:", "  noticeMs: 40000,\n  timeoutMs: 40000,\n  orders:")],
        )
    };
    let (open, leased) = (patient(SHOP), patient(&claims(SHOP, LEASE, "")));
    let hangs = |relay| format!("cut:{relay}-broker@1,order@+20,mend:{relay}-broker@+60000");
    let held = ["relay", "second"].map(|relay| first_points_ms(&open, &hangs(relay)));
    assert!(held.iter().any(|ms| *ms > 30_000), "{held:?}");
    let short = ["relay", "second"].map(|relay| first_points_ms(&leased, &hangs(relay)));
    assert!(short.iter().all(|ms| *ms < 6_000), "{short:?}");
}

/// Ten orders in a second, and a relay that sends two rows in a second.
#[test]
fn f23_more_arrives_than_the_relay_sends() {
    let many = edit(SHOP, &[("count: 1, everyMs: 200", "count: 10, everyMs: 100")]);
    let slow = edit(&many, &[("LIMIT 10", "LIMIT 1")]);
    let last_ms = |text: &str| {
        let points = run(text, "").events.into_iter().rev();
        let mut points = points.filter(|event| match &event.what {
            What::Executed { ask, .. } => &*ask.verb == "INSERT" && &*ask.object == "bonuses",
            _ => false,
        });
        points.next().map_or(0, |event| event.time_us / 1000)
    };
    assert!(last_ms(&slow) > last_ms(&many) + 2_000, "{} {}", last_ms(&slow), last_ms(&many));
}
