//! Two writes to two systems, with nothing that makes them one.

use pull_the_plug::audit::Verdict::{self, Lost, Phantom};

use crate::bench::{Case, edit};
use crate::text::SHOP;

/// The row of the outbox, written in the transaction of the order.
pub(crate) const OUTBOX: &str = "    await tx.query(sql`INSERT INTO outbox (event_type, payload) VALUES ('order.created', ${event})`); // moment: announced
  }); // moment: committed
";
const PUBLISH: &str =
    "await broker.publish(\"order.created\", event, { messageId: order.id, persistent: true });";

/// Commits, then publishes.
pub(crate) fn commit_then_publish() -> String {
    edit(
        SHOP,
        &[(OUTBOX, &format!("  }}); // moment: committed\n  {PUBLISH} // moment: announced\n"))],
    )
}

/// Publishes inside the transaction.
pub(crate) fn publish_then_commit() -> String {
    edit(
        SHOP,
        &[(OUTBOX, &format!("    {PUBLISH} // moment: announced\n  }}); // moment: committed\n"))],
    )
}

fn case(faulty: &str, trigger: &str, shows: Verdict) {
    Case { faulty, sound: SHOP, trigger, shows: &[shows], leaves: &[] }.check();
}

#[test]
fn f01_commit_then_crash_before_publish() {
    case(&commit_then_publish(), "kill:shop@committed", Lost);
    case(&commit_then_publish(), "unplug:shop@committed", Lost);
}

#[test]
fn f02_publish_then_crash_before_commit() {
    case(&publish_then_commit(), "kill:shop@announced", Phantom);
}

/// The constraint speaks last: the order is one too many.
#[test]
fn f02_publish_then_a_constraint_refuses() {
    let refused = |text: &str| {
        let order = "    await tx.query(sql`INSERT INTO orders (id, customer) VALUES (${order.id}, ${order.customer})`);\n";
        edit(
            text,
            &[
                (
                    "id bigint PRIMARY KEY, customer",
                    "id bigint PRIMARY KEY CHECK (id <> 1), customer",
                ),
                (order, ""),
                ("// moment: announced\n", &format!("// moment: announced\n{order}")),
                ("count: 1", "count: 2"),
            ],
        )
    };
    Case {
        faulty: &refused(&publish_then_commit()),
        sound: &refused(SHOP),
        trigger: "",
        shows: &[Phantom],
        leaves: &[],
    }
    .check();
}

/// The consumer looks for the order three times, finds none, and rejects the message.
#[test]
fn f03_the_consumer_is_faster_than_the_commit() {
    let looks = |text: &str| {
        edit(
            text,
            &[
                ("{ broker, points, sleep }", "{ broker, db, points }"),
                (
                    "    await points.transaction(",
                    "    let tries = 0;
    let found = [];
    while (found.length === 0 && tries < 3) {
      found = await db.query(sql`SELECT id FROM orders WHERE id = ${message.body.orderId}`);
      tries += 1;
    }
    if (found.length === 0) {
      await message.nack({ requeue: false });
      return;
    }
    await points.transaction(",
                ),
                ("// moment: announced\n", "// moment: announced\n    await sleep(1500);\n"),
            ],
        )
    };
    let (faulty, sound) = (looks(&publish_then_commit()), looks(SHOP));
    Case { faulty: &faulty, sound: &sound, trigger: "", shows: &[Lost], leaves: &[] }.check();
}
