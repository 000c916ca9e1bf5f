//! `synchronous_commit = off`, limits on sessions, and what holds vacuum back.

use super::*;

const INSERT: &str = "INSERT INTO outbox (agg) VALUES (1) RETURNING id";

fn asynchronous() -> Lab {
    Lab::with(Settings { asynchronous_commit: true, ..Settings::default() })
}

#[test]
fn a_crash_before_the_flush_loses_a_suffix_of_the_commits() {
    let mut lab = asynchronous();
    lab.sql(1, "INSERT INTO stock (sku, n) VALUES ('a', 1), ('b', 1)");
    assert!(lab.db.pending_flush());
    lab.db.flush();
    assert!(!lab.db.pending_flush());
    lab.begin(1);
    lab.sql(1, "UPDATE stock SET n = 2 WHERE sku = 'a'");
    lab.begin(2);
    lab.sql(2, "DELETE FROM stock WHERE sku = 'b'");
    lab.commit(2);
    lab.commit(1);
    assert_eq!(lab.sql(3, "SELECT sku, n FROM stock"), r#"1: {"sku":"a","n":2}"#);
    lab.facts.clear();
    lab.db.crash(&mut lab.facts);
    let seen = lab.sql(3, "SELECT sku, n FROM stock");
    assert_eq!(seen, r#"2: {"sku":"a","n":1} {"sku":"b","n":1}"#);
    // Session 2 wrote second and committed first.
    let lost: Vec<_> =
        lab.facts.iter().filter(|fact| matches!(fact, Fact::CommitLost { .. })).collect();
    assert_eq!(lost, [&Fact::CommitLost { tx: TxId(3) }, &Fact::CommitLost { tx: TxId(2) }]);
    // The locks are gone, too.
    assert_eq!(lab.sql(3, "UPDATE stock SET n = 5"), "2:");
}

#[test]
fn numbers_of_a_lost_commit_are_given_again_only_if_they_were_not_logged_ahead_on_disk() {
    let mut lab = asynchronous();
    assert_eq!(lab.sql(1, INSERT), r#"1: {"id":1}"#);
    lab.db.crash(&mut lab.facts);
    assert_eq!(lab.sql(1, INSERT), r#"1: {"id":1}"#);
    lab.db.flush();
    assert_eq!(lab.sql(1, INSERT), r#"1: {"id":2}"#);
    lab.db.crash(&mut lab.facts);
    assert_eq!(lab.sql(1, INSERT), r#"1: {"id":34}"#);
}

#[test]
fn with_synchronous_commit_nothing_is_pending() {
    let mut lab = Lab::new();
    lab.sql(1, INSERT);
    assert!(!lab.db.pending_flush());
    lab.db.crash(&mut lab.facts);
    assert_eq!(lab.sql(1, "SELECT id FROM outbox"), r#"1: {"id":1}"#);
}

#[test]
fn two_phase_commit_flushes_all_before_it_in_any_mode() {
    let mut lab = asynchronous();
    lab.sql(1, INSERT);
    lab.begin(1);
    lab.sql(1, INSERT);
    lab.ask(1, &Request::Prepare("p".into()));
    assert!(!lab.db.pending_flush());
    lab.sql(2, INSERT);
    lab.ask(2, &Request::CommitPrepared("p".into()));
    assert!(!lab.db.pending_flush());
    lab.sql(2, INSERT);
    lab.db.crash(&mut lab.facts);
    let ids = lab.sql(1, "SELECT id FROM outbox ORDER BY id");
    assert_eq!(ids, r#"3: {"id":1} {"id":2} {"id":3}"#);
}

#[test]
fn a_prepared_transaction_keeps_its_locks_when_commits_after_it_are_lost() {
    let mut lab = asynchronous();
    lab.sql(1, "INSERT INTO stock (sku, n) VALUES ('a', 1)");
    lab.begin(1);
    lab.sql(1, "UPDATE stock SET n = 2");
    lab.ask(1, &Request::Prepare("p".into()));
    lab.sql(2, INSERT);
    lab.db.crash(&mut lab.facts);
    assert_eq!(lab.sql(2, "SELECT n FROM stock FOR UPDATE NOWAIT"), "55P03");
    lab.ask(2, &Request::CommitPrepared("p".into()));
    assert_eq!(lab.sql(2, "SELECT n FROM stock"), r#"1: {"n":2}"#);
}

#[test]
fn decoding_shows_nothing_that_is_not_on_disk() {
    let mut lab = asynchronous();
    lab.db.add_slot(&"s".into(), SlotConfig::default());
    let read = Request::ReadSlot { name: "s".into(), max: 9 };
    lab.sql(1, "INSERT INTO stock (sku, n) VALUES ('a', 1)");
    assert_eq!(shown(&lab.ask(9, &read)), "0:");
    lab.db.crash(&mut lab.facts);
    lab.sql(1, "INSERT INTO stock (sku, n) VALUES ('b', 1)");
    lab.db.flush();
    let row = r#"{"lsn":1,"table":"stock","op":"insert","row":{"sku":"b","n":1}}"#;
    assert_eq!(shown(&lab.ask(9, &read)), format!("1: {row}"));
}

#[test]
fn a_session_beyond_the_limit_is_refused_until_one_is_closed() {
    let mut lab = Lab::with(Settings { max_connections: Some(2), ..Settings::default() });
    lab.begin(1);
    lab.sql(2, "SELECT 1");
    assert_eq!(lab.sql(3, "SELECT 1"), "53300");
    assert_eq!(lab.sql(1, INSERT), r#"1: {"id":1}"#);
    lab.db.close(SessionId(1), &mut lab.facts);
    assert_eq!(lab.sql(3, "SELECT 1 AS n"), r#"1: {"n":1}"#);
    assert_eq!(lab.sql(1, "SELECT 1"), "53300");
}

#[test]
fn an_idle_transaction_is_ended_with_its_session() {
    let mut lab = Lab::new();
    lab.now_us = 10;
    lab.begin(1);
    lab.now_us = 20;
    lab.sql(1, INSERT);
    lab.sql(2, "SELECT 1");
    assert_eq!(lab.db.idle_since(SessionId(1)), Some(20));
    assert_eq!(lab.db.idle_since(SessionId(2)), None);
    assert!(!lab.db.end_idle(SessionId(2), &mut lab.facts));
    assert!(lab.db.end_idle(SessionId(1), &mut lab.facts));
    assert!(lab.facts.contains(&Fact::RolledBack { tx: TxId(1) }));
    assert_eq!(shown(&lab.ask(1, &Request::Commit)), "25P03");
    assert_eq!(lab.sql(1, INSERT), "25P03");
    assert_eq!(lab.sql(2, "SELECT id FROM outbox"), "0:");
    lab.db.close(SessionId(1), &mut lab.facts);
    assert_eq!(lab.sql(1, "SELECT 1 AS n"), r#"1: {"n":1}"#);
}

#[test]
fn a_statement_that_waits_is_not_idle_and_a_failed_transaction_is() {
    let mut lab = Lab::new();
    lab.sql(9, "INSERT INTO stock (sku, n) VALUES ('a', 1)");
    lab.begin(1);
    lab.sql(1, "UPDATE stock SET n = 2");
    lab.begin(2);
    lab.sql(2, "UPDATE stock SET n = 0 - n");
    assert_eq!(lab.db.idle_since(SessionId(2)), None);
    lab.commit(1);
    lab.now_us = 50;
    assert_eq!(lab.resume(2), "23514");
    assert_eq!(lab.db.idle_since(SessionId(2)), Some(50));
}

#[test]
fn the_snapshot_of_a_waiting_statement_holds_vacuum_back() {
    let mut lab = Lab::new();
    lab.sql(9, "INSERT INTO stock (sku, n) VALUES ('a', 1), ('b', 1)");
    lab.begin(1);
    lab.sql(1, INSERT);
    lab.begin(2);
    lab.sql(2, "UPDATE stock SET n = 2 WHERE sku = 'a'");
    assert_eq!(lab.sql(3, "UPDATE stock SET n = 3 WHERE sku = 'a'"), "blocked on 3");
    lab.commit(1);
    // Ended by a transaction that is younger than the snapshot's oldest.
    let dead = |lab: &Lab| lab.db.tables().remove(3).dead;
    lab.commit(2);
    lab.db.vacuum(&mut lab.facts);
    assert_eq!(dead(&lab), 1);
    lab.resume(3);
    lab.db.vacuum(&mut lab.facts);
    assert_eq!(dead(&lab), 0);
}

#[test]
fn a_delete_in_batches_leaves_dead_rows_for_every_later_scan() {
    let mut lab = Lab::new();
    for _ in 0..6 {
        lab.sql(1, INSERT);
    }
    let batch =
        "DELETE FROM outbox WHERE id IN (SELECT id FROM outbox ORDER BY id LIMIT 2 FOR UPDATE)";
    lab.sql(1, batch);
    lab.sql(1, batch);
    lab.facts.clear();
    lab.sql(1, "SELECT id FROM outbox");
    let scanned = |live, dead| Fact::Scanned { table: "outbox".into(), live, dead };
    assert_eq!(lab.facts, [scanned(2, 4)]);
    lab.db.vacuum(&mut lab.facts);
    lab.facts.clear();
    lab.sql(1, "SELECT id FROM outbox");
    assert_eq!(lab.facts, [scanned(2, 0)]);
}
