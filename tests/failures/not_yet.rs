//! What cannot be played yet, and what it waits for. The list may only shrink.

use expect_test::expect;

use crate::bench::say;

/// Entries, and the part or rule that each waits for.
const NOT_YET: &[(&str, &str)] = &[
    (
        "F02, variant: a lost suffix of acknowledged commits",
        "postgres({ synchronousCommit: false })",
    ),
    ("F16, variant: the pool of connections runs dry", "postgres({ connections })"),
    ("F17, variant: a pause instead of slow work", "the fault pause"),
    ("F22 no clean-up", "time that depends on the versions that a scan walks over"),
    ("F24 a lost wake-up", "LISTEN and NOTIFY"),
    ("F29 the broker's own deduplication window", "a broker with one"),
    ("F30 a database restored from a backup", "a fault that restores one"),
    ("F43 a handler slower than the consumer time-out", "rabbitmq({ consumerTimeoutMs })"),
    ("F44 a rebalance in the middle of a batch", "kafka"),
    ("F51 one aggregate in two partitions", "kafka"),
    ("F52 a producer's retry reorders", "kafka"),
    ("F53 a relay trusts the idempotent producer", "kafka"),
    ("F54 transactions and readers", "kafka"),
    ("F55 a slot lost or made anew", "db.readSlot in programs"),
    ("F56 a connector is down and its slot stays", "db.readSlot in programs"),
    ("F57 an idle slot", "db.readSlot in programs"),
    ("F58 a connector emits again", "db.readSlot in programs"),
    ("F59 a new snapshot", "db.readSlot in programs"),
    ("F70 a failure after the pivot is compensated", "payments, and allOrNone"),
    ("PC4 decoding in commit order", "db.readSlot in programs; the database's own tests hold it"),
];

#[test]
fn the_list_only_shrinks() {
    let lines = NOT_YET.iter().map(|(entry, reason)| format!("{entry}: needs {reason}\n"));
    say(&lines.collect::<String>());
    expect!["20"].assert_eq(&NOT_YET.len().to_string());
    assert!(NOT_YET.iter().all(|(entry, reason)| !entry.is_empty() && !reason.is_empty()));
}
