//! Which protection removes what, and what it leaves: each cell is a run.

use expect_test::expect;

use crate::bench::{edit, say, wrong};
use crate::broker::BROKER_RESTARTS;
use crate::consumer::{competing, effect_first, forgetting, letters, mark_first, version_check};
use crate::dual_write::{commit_then_publish, publish_then_commit};
use crate::relay::{
    LEASE, backing_off, claims, no_inbox, outliving_the_lease, overtaking, two_relays,
};
use crate::saga::{advancing, cancelling, saving};
use crate::text::SHOP;
use crate::two_phase::{BOOKING, without_recovery};

/// A failure without and with a protection.
struct Cell(&'static str, &'static str, &'static str, String, String);

const TWICE: &str = "kill:relay@published";
const BEFORE_ACK: &str = "kill:bonus@processed";
const PUBLISH_FAILS: &str =
    "kill:broker@relay.<await broker.publish(row>:before,restart:broker@+500";
const FIRST_COMMIT: &str = "kill:coordinator@coordinator.<await db.commitPrepared>#1:effect";

fn outbox(cells: &mut Vec<Cell>) {
    let mut add = |failure, trigger, without, with| {
        cells.push(Cell("outbox", failure, trigger, without, with));
    };
    add("F01", "kill:shop@committed", no_inbox(&commit_then_publish()), no_inbox(SHOP));
    add("F02", "kill:shop@announced", no_inbox(&publish_then_commit()), no_inbox(SHOP));
    add("F05", TWICE, no_inbox(SHOP), no_inbox(SHOP));
}

fn confirms(cells: &mut Vec<Cell>) {
    let mut add = |failure, trigger, change: (&str, &str)| {
        cells.push(Cell(
            "confirms + durable",
            failure,
            trigger,
            edit(SHOP, &[change]),
            SHOP.to_owned(),
        ));
    };
    let dies = "unplug:bonus@1,kill:broker@published,restart:broker@+100,plug:bonus@+3000";
    add("F25", dies, ("persistent: true", "persistent: true, confirm: false"));
    add("F26", BROKER_RESTARTS, ("persistent: true", "persistent: false"));
    let nowhere = edit(SHOP, &[("publish(row.event_type", "publish(\"nowhere\"")]);
    let mandatory = edit(&nowhere, &[("persistent: true", "persistent: true, mandatory: true")]);
    cells.push(Cell("queue declared", "F27", "", nowhere.clone(), SHOP.to_owned()));
    cells.push(Cell("mandatory", "F27", "", nowhere, mandatory));
}

fn relays(cells: &mut Vec<Cell>) {
    let mut add = |protection, failure, trigger, without, with| {
        cells.push(Cell(protection, failure, trigger, without, with));
    };
    let two = two_relays(&no_inbox(SHOP));
    let open = edit(&two, &[(" FOR UPDATE SKIP LOCKED", "")]);
    add("SKIP LOCKED", "F18", "", open.clone(), two.clone());
    add("SKIP LOCKED", "F05", TWICE, open, two);
    let [overtaken, one, guarded] = overtaking();
    let no_claim = edit(&overtaken, &[(" FOR UPDATE SKIP LOCKED", "")]);
    add("SKIP LOCKED", "F12", "", no_claim, overtaken.clone());
    add("one relay", "F12", "", overtaken.clone(), one);
    add("head of aggregate only", "F12", "", overtaken, guarded);
    let owner = claims(SHOP, "owner IS NULL", "");
    add("lease + fence", "F20", "kill:relay@claimed#2", owner, claims(SHOP, LEASE, ""));
    let slow = no_inbox(&outliving_the_lease());
    let unfenced = edit(&slow, &[(" AND owner = ${me}", "")]);
    add("lease + fence", "F17", "", unfenced, slow);
}

fn inbox(cells: &mut Vec<Cell>) {
    let mut add = |failure, trigger, without, with: &str| {
        cells.push(Cell("inbox", failure, trigger, without, with.to_owned()));
    };
    add("F05", TWICE, no_inbox(SHOP), SHOP);
    add("F17", "", no_inbox(&outliving_the_lease()), &outliving_the_lease());
    add("F32", BEFORE_ACK, no_inbox(SHOP), SHOP);
    add("F33", BEFORE_ACK, mark_first(), SHOP);
    add("F34", BEFORE_ACK, effect_first(), SHOP);
    let [short, long] = forgetting();
    let late = "kill:relay@published,restart:relay@+5000";
    add("F40 short memory", late, no_inbox(&short), &short);
    add("F40 long memory", late, no_inbox(&long), &long);
    let keyless = edit(&letters(), &[("honoursKeys: true", "honoursKeys: false")]);
    add("F41", "kill:bonus@sent", no_inbox(&keyless), &keyless);
    let [overtaken, ..] = overtaking();
    add("F12", "", no_inbox(&overtaken), &overtaken);
    cells.push(Cell("key at the service", "F41", "kill:bonus@sent", keyless, letters()));
}

fn versions(cells: &mut Vec<Cell>) {
    let mut add = |failure, trigger, text: &str| {
        let checked = match failure {
            "F12, no room" => edit(&version_check(text), &[("prefetch: 10", "prefetch: 1")]),
            _ => version_check(text),
        };
        cells.push(Cell("version check", failure, trigger, text.to_owned(), checked));
    };
    let [overtaken, ..] = overtaking();
    add("F12", "", &overtaken);
    add("F12, no room", "", &overtaken);
    add("F13", PUBLISH_FAILS, &backing_off()[0]);
    add("F46", "", &edit(&competing(), &[(", singleActiveConsumer: true", "")]));
}

fn coordination(cells: &mut Vec<Cell>) {
    let mut add = |protection, failure, trigger, pair: [String; 2]| {
        let [without, with] = pair;
        cells.push(Cell(protection, failure, trigger, without, with));
    };
    let pair = || [without_recovery(), BOOKING.to_owned()];
    add("2PC recovery", "F62", "kill:coordinator@prepared", pair());
    add("2PC recovery", "F63", FIRST_COMMIT, pair());
    add("saga's outbox", "F65", "kill:saga@saved", saving());
    add("tombstone", "F68", "", cancelling());
    add("guard by state", "F72", TWICE, advancing());
}

#[test]
fn which_protection_removes_what() {
    let mut cells = Vec::new();
    for rows in [outbox, confirms, relays, inbox, versions, coordination] {
        rows(&mut cells);
    }
    let outcome = |text: &str, trigger: &str| {
        let found: Vec<_> = wrong(text, trigger).into_iter().map(|verdict| verdict.id()).collect();
        if found.is_empty() { "fine".to_owned() } else { found.join("+") }
    };
    let mut table = String::new();
    for Cell(protection, failure, trigger, without, with) in &cells {
        let (without, with) = (outcome(without, trigger), outcome(with, trigger));
        table.push_str(&format!("{protection:22} {failure:16} {without:12} {with}\n"));
    }
    say(&table);
    expect![[r#"
        outbox                 F01              lost         fine
        outbox                 F02              phantom      fine
        outbox                 F05              doubled      doubled
        confirms + durable     F25              lost         fine
        confirms + durable     F26              lost         fine
        queue declared         F27              lost         fine
        mandatory              F27              lost         stuck
        SKIP LOCKED            F18              doubled      fine
        SKIP LOCKED            F05              doubled      fine
        SKIP LOCKED            F12              fine         out-of-order
        one relay              F12              out-of-order fine
        head of aggregate only F12              out-of-order fine
        lease + fence          F20              stuck        fine
        lease + fence          F17              doubled      doubled
        inbox                  F05              doubled      fine
        inbox                  F17              doubled      fine
        inbox                  F32              doubled      fine
        inbox                  F33              lost         fine
        inbox                  F34              doubled      fine
        inbox                  F40 short memory doubled      doubled
        inbox                  F40 long memory  doubled      fine
        inbox                  F41              doubled      doubled
        inbox                  F12              out-of-order out-of-order
        key at the service     F41              doubled      fine
        version check          F12              out-of-order fine
        version check          F12, no room     out-of-order stuck
        version check          F13              out-of-order fine
        version check          F46              out-of-order fine
        2PC recovery           F62              stuck        fine
        2PC recovery           F63              stuck        fine
        saga's outbox          F65              stuck        fine
        tombstone              F68              inconsistent fine
        guard by state         F72              doubled      fine
    "#]]
    .assert_eq(&table);
}
