//! Commit, rollback, failure, preparation, crash.

use super::*;

const INSERT: &str = "INSERT INTO orders (id, customer) VALUES (1, 'Anna')";

fn ids(lab: &mut Lab) -> String {
    lab.sql(8, "SELECT id FROM orders ORDER BY id")
}

#[test]
fn a_failed_transaction_refuses_statements_and_its_commit_rolls_back() {
    let mut lab = Lab::new();
    lab.begin(1);
    lab.sql(1, INSERT);
    assert_eq!(lab.sql(1, INSERT), "23505");
    assert_eq!(lab.sql(1, "SELECT 1"), "25P02");
    assert_eq!(lab.ask(1, &Request::Commit), Outcome::Answer(Ok(Reply::RolledBack)));
    assert_eq!(ids(&mut lab), "0:");
    assert_eq!(lab.sql(1, INSERT), "1:");
}

#[test]
fn a_refused_commit_rolls_back() {
    let mut lab = Lab::new();
    lab.begin(1);
    lab.sql(1, INSERT);
    lab.db.refuse_next_commit(SessionId(1), "23505");
    assert_eq!(shown(&lab.ask(1, &Request::Commit)), "23505");
    assert_eq!(ids(&mut lab), "0:");
    lab.db.refuse_next_commit(SessionId(1), "23514");
    assert_eq!(lab.sql(1, INSERT), "23514");
    assert_eq!(lab.sql(1, INSERT), "1:");
}

#[test]
fn a_closed_session_rolls_back_and_frees_its_locks() {
    let mut lab = Lab::new();
    lab.begin(1);
    lab.sql(1, INSERT);
    assert_eq!(lab.sql(2, INSERT), "blocked on 1");
    lab.db.close(SessionId(1), &mut lab.facts);
    assert_eq!(lab.resumable(), [2]);
    assert_eq!(lab.resume(2), "1:");
}

#[test]
fn prepared_work_is_invisible_keeps_its_locks_and_survives_a_crash() {
    let mut lab = Lab::new();
    lab.sql(9, "INSERT INTO stock (sku, n) VALUES ('pen', 5)");
    lab.begin(1);
    lab.sql(1, INSERT);
    lab.sql(1, "UPDATE stock SET n = 4");
    assert_eq!(shown(&lab.ask(1, &Request::Prepare("t".into()))), "Done");
    lab.db.close(SessionId(1), &mut lab.facts);
    lab.db.crash(&mut lab.facts);
    assert_eq!(ids(&mut lab), "0:");
    assert_eq!(lab.sql(2, "SELECT n FROM stock FOR UPDATE SKIP LOCKED"), "0:");
    assert_eq!(lab.sql(2, "UPDATE stock SET n = n - 1 RETURNING n"), "blocked on 2");
    assert!(!lab.db.check_deadlock(SessionId(2)));
    assert_eq!(shown(&lab.ask(3, &Request::CommitPrepared("t".into()))), "Done");
    assert_eq!(lab.resume(2), r#"1: {"n":3}"#);
    assert_eq!(ids(&mut lab), r#"1: {"id":1}"#);
    assert_eq!(shown(&lab.ask(3, &Request::CommitPrepared("t".into()))), "42704");
}

#[test]
fn rollback_prepared_undoes() {
    let mut lab = Lab::new();
    lab.begin(1);
    lab.sql(1, INSERT);
    lab.ask(1, &Request::Prepare("t".into()));
    assert_eq!(shown(&lab.ask(1, &Request::RollbackPrepared("t".into()))), "Done");
    assert_eq!(lab.sql(2, INSERT), "1:");
}

#[test]
fn a_failing_prepare_is_a_rollback() {
    let mut lab = Lab::new();
    lab.begin(1);
    lab.ask(1, &Request::Prepare("t".into()));
    lab.begin(1);
    lab.sql(1, INSERT);
    assert_eq!(shown(&lab.ask(1, &Request::Prepare("t".into()))), "42710");
    assert_eq!(lab.sql(2, INSERT), "1:");
    lab.begin(1);
    assert_eq!(lab.sql(1, INSERT), "23505");
    assert_eq!(shown(&lab.ask(1, &Request::Prepare("u".into()))), "RolledBack");
}

#[test]
fn prepared_transactions_end_outside_a_transaction_only() {
    let mut lab = Lab::new();
    lab.begin(1);
    lab.ask(1, &Request::Prepare("t".into()));
    lab.begin(1);
    assert_eq!(shown(&lab.ask(1, &Request::CommitPrepared("t".into()))), "25001");
    assert_eq!(shown(&lab.ask(1, &Request::Begin)), "25P02");
}

#[test]
fn a_crash_keeps_commits_drops_the_rest_and_jumps_the_sequence() {
    let mut lab = Lab::new();
    lab.sql(1, INSERT);
    lab.sql(1, "INSERT INTO outbox (agg) VALUES (1)");
    lab.begin(2);
    lab.sql(2, "INSERT INTO orders (id, customer) VALUES (2, 'Boris')");
    lab.db.crash(&mut lab.facts);
    assert_eq!(ids(&mut lab), r#"1: {"id":1}"#);
    assert_eq!(lab.sql(1, "INSERT INTO outbox (agg) VALUES (1) RETURNING id"), r#"1: {"id":34}"#);
    // The session is a new one: there is no transaction to commit.
    lab.commit(2);
    assert_eq!(lab.sql(1, "INSERT INTO orders (id, customer) VALUES (2, 'Boris')"), "1:");
}

#[test]
fn the_barrier_counts_open_writers_and_prepared_transactions() {
    let mut lab = Lab::new();
    let barrier = "SELECT pg_snapshot_xmin(pg_current_snapshot()) AS x";
    lab.begin(1);
    lab.sql(1, "SELECT id FROM orders");
    lab.sql(9, "INSERT INTO stock (sku, n) VALUES ('a', 1)");
    assert_eq!(lab.sql(8, barrier), r#"1: {"x":2}"#);
    lab.sql(1, INSERT);
    lab.sql(9, "UPDATE stock SET n = 2");
    assert_eq!(lab.sql(8, barrier), r#"1: {"x":2}"#);
    lab.ask(1, &Request::Prepare("t".into()));
    assert_eq!(lab.sql(8, barrier), r#"1: {"x":2}"#);
    lab.ask(1, &Request::CommitPrepared("t".into()));
    assert_eq!(lab.sql(8, barrier), r#"1: {"x":4}"#);
}

#[test]
fn an_id_is_assigned_at_the_first_write() {
    let mut lab = Lab::new();
    lab.begin(1);
    lab.begin(2);
    lab.sql(2, INSERT);
    assert_eq!(lab.sql(1, "SELECT pg_current_xact_id() AS x"), r#"1: {"x":2}"#);
    lab.commit(1);
    lab.commit(2);
    let order: Vec<_> = lab.facts.iter().filter(|f| matches!(f, Fact::Committed { .. })).collect();
    assert_eq!(order, [&Fact::Committed { tx: TxId(2) }, &Fact::Committed { tx: TxId(1) }]);
}

#[test]
fn dead_versions_cost_until_a_vacuum_that_no_writer_holds_back() {
    let mut lab = Lab::new();
    lab.sql(9, "INSERT INTO stock (sku, n) VALUES ('a', 1)");
    lab.begin(1);
    lab.sql(1, INSERT);
    lab.sql(9, "UPDATE stock SET n = 2");
    lab.sql(9, "UPDATE stock SET n = 3");
    lab.db.vacuum(&mut lab.facts);
    lab.sql(8, "SELECT n FROM stock");
    assert!(lab.facts.contains(&Fact::Scanned { table: "stock".into(), live: 1, dead: 2 }));
    lab.commit(1);
    lab.db.vacuum(&mut lab.facts);
    lab.sql(8, "SELECT n FROM stock");
    assert!(lab.facts.contains(&Fact::Scanned { table: "stock".into(), live: 1, dead: 0 }));
}

#[test]
fn views_show_changes_holders_and_sessions() {
    let mut lab = Lab::new();
    lab.begin(1);
    lab.sql(1, INSERT);
    lab.sql(2, INSERT);
    let orders = lab.db.tables().remove(0);
    let row = orders.rows.first().unwrap();
    assert_eq!(row.committed, None);
    assert!(matches!(row.change, Some(ChangeView::Inserted(_))));
    assert_eq!(row.holder.as_ref().unwrap().session, Some(SessionId(1)));
    let blocked = SessionState::Blocked { on: vec![TxId(1)] };
    assert_eq!(lab.db.sessions().get(1).unwrap().state, blocked);
}
