//! What concurrent transactions see of each other, and how they wait.

use super::super::session::Candidate;
use super::*;

fn three_events() -> Lab {
    let mut lab = Lab::new();
    assert_eq!(lab.sql(9, "INSERT INTO outbox (agg) VALUES (1), (1), (2)"), "3:");
    lab
}

#[test]
fn read_committed_sees_commits_before_the_statement_and_its_own_changes() {
    let mut lab = Lab::new();
    lab.begin(1);
    lab.begin(2);
    lab.sql(1, "INSERT INTO orders (id, customer) VALUES (1, 'Anna')");
    assert_eq!(lab.sql(1, "SELECT id FROM orders"), r#"1: {"id":1}"#);
    assert_eq!(lab.sql(2, "SELECT id FROM orders"), "0:");
    lab.commit(1);
    assert_eq!(lab.sql(2, "SELECT id FROM orders"), r#"1: {"id":1}"#);
    lab.sql(2, "DELETE FROM orders WHERE id = 1");
    assert_eq!(lab.sql(2, "SELECT id FROM orders"), "0:");
    assert_eq!(lab.sql(1, "SELECT id FROM orders"), r#"1: {"id":1}"#);
}

#[test]
fn ids_become_visible_out_of_order() {
    let mut lab = Lab::new();
    lab.begin(1);
    lab.sql(1, "INSERT INTO outbox (agg) VALUES (1)");
    lab.sql(2, "INSERT INTO outbox (agg) VALUES (2)");
    assert_eq!(lab.sql(3, "SELECT id FROM outbox WHERE id > 0"), r#"1: {"id":2}"#);
    lab.commit(1);
    assert_eq!(lab.sql(3, "SELECT id FROM outbox WHERE id > 2"), "0:");
}

#[test]
fn an_update_waits_and_judges_the_newest_version_again() {
    let mut lab = Lab::new();
    lab.sql(9, "INSERT INTO stock (sku, n) VALUES ('pen', 1)");
    let take = "UPDATE stock SET n = n - 1 WHERE sku = 'pen' AND n >= 1 RETURNING n";
    lab.begin(1);
    assert_eq!(lab.sql(1, take), r#"1: {"n":0}"#);
    assert_eq!(lab.sql(2, take), "blocked on 2");
    assert!(lab.resumable().is_empty());
    lab.commit(1);
    assert_eq!(lab.resumable(), [2]);
    assert_eq!(lab.resume(2), "0:");
}

#[test]
fn after_a_rollback_the_waiter_updates_the_old_version() {
    let mut lab = Lab::new();
    lab.sql(9, "INSERT INTO stock (sku, n) VALUES ('pen', 5)");
    lab.begin(1);
    lab.sql(1, "UPDATE stock SET n = 0");
    assert_eq!(lab.sql(2, "UPDATE stock SET n = n - 1 RETURNING n"), "blocked on 2");
    lab.rollback(1);
    assert_eq!(lab.resume(2), r#"1: {"n":4}"#);
}

#[test]
fn a_row_that_begins_to_match_during_the_wait_is_not_found() {
    let mut lab = Lab::new();
    lab.sql(9, "INSERT INTO stock (sku, n) VALUES ('a', 1), ('b', 2)");
    lab.begin(1);
    lab.sql(1, "UPDATE stock SET n = n + 1");
    // 'a' becomes 2 and did not match before; 'b' matched before and is 3 now.
    assert_eq!(lab.sql(2, "DELETE FROM stock WHERE n = 2"), "blocked on 2");
    lab.commit(1);
    assert_eq!(lab.resume(2), "0:");
}

#[test]
fn skip_locked_passes_over_locked_rows_and_limit_goes_on() {
    let mut lab = three_events();
    let claim =
        "SELECT id FROM outbox WHERE sent = false ORDER BY id LIMIT 1 FOR UPDATE SKIP LOCKED";
    lab.begin(1);
    lab.begin(2);
    assert_eq!(lab.sql(1, claim), r#"1: {"id":1}"#);
    assert_eq!(lab.sql(2, claim), r#"1: {"id":2}"#);
    assert_eq!(
        lab.facts.iter().filter(|f| matches!(f, Fact::RowsSkipped { count: 1, .. })).count(),
        1
    );
    lab.sql(1, "UPDATE outbox SET sent = true WHERE id = 1");
    lab.commit(1);
    assert_eq!(lab.sql(3, claim), r#"1: {"id":3}"#);
}

#[test]
fn no_older_unsent_row_of_the_aggregate_keeps_the_order() {
    let mut lab = three_events();
    let claim = "SELECT o.id FROM outbox o WHERE o.sent = false AND NOT EXISTS (
        SELECT 1 FROM outbox older
        WHERE older.agg = o.agg AND older.id < o.id AND older.sent = false)
        ORDER BY o.id LIMIT 1 FOR UPDATE SKIP LOCKED";
    lab.begin(1);
    lab.begin(2);
    assert_eq!(lab.sql(1, claim), r#"1: {"id":1}"#);
    assert_eq!(lab.sql(2, claim), r#"1: {"id":3}"#);
}

#[test]
fn nowait_fails_at_once() {
    let mut lab = three_events();
    lab.begin(1);
    lab.sql(1, "SELECT id FROM outbox WHERE id = 1 FOR UPDATE");
    assert_eq!(lab.sql(2, "SELECT id FROM outbox FOR UPDATE NOWAIT"), "55P03");
}

#[test]
fn for_update_after_a_wait_returns_the_newest_values_or_skips_the_row() {
    let mut lab = three_events();
    lab.begin(1);
    lab.sql(1, "UPDATE outbox SET sent = true WHERE id = 1");
    lab.sql(1, "UPDATE outbox SET agg = 7 WHERE id = 2");
    let claim = "SELECT id, agg FROM outbox WHERE sent = false ORDER BY id LIMIT 2 FOR UPDATE";
    lab.begin(2);
    assert_eq!(lab.sql(2, claim), "blocked on 2");
    lab.commit(1);
    assert_eq!(lab.resume(2), r#"2: {"id":2,"agg":7} {"id":3,"agg":2}"#);
}

#[test]
fn a_blocked_statement_keeps_the_locks_it_has() {
    let mut lab = three_events();
    lab.begin(1);
    lab.sql(1, "SELECT id FROM outbox WHERE id = 2 FOR UPDATE");
    assert_eq!(lab.sql(2, "SELECT id FROM outbox ORDER BY id FOR UPDATE"), "blocked on 2");
    assert_eq!(lab.sql(3, "SELECT id FROM outbox WHERE id = 1 FOR UPDATE NOWAIT"), "55P03");
}

#[test]
fn waiters_for_one_row_go_in_the_order_of_arrival() {
    let mut lab = Lab::new();
    lab.sql(9, "INSERT INTO stock (sku, n) VALUES ('pen', 5)");
    let take = "UPDATE stock SET n = n - 1 RETURNING n";
    lab.begin(1);
    lab.sql(1, take);
    lab.begin(3);
    assert_eq!(lab.sql(3, take), "blocked on 2");
    assert_eq!(lab.sql(2, take), "blocked on 2");
    lab.commit(1);
    assert_eq!(lab.resumable(), [3]);
    assert_eq!(lab.resume(3), r#"1: {"n":3}"#);
    assert!(lab.resumable().is_empty());
    lab.commit(3);
    assert_eq!(lab.resumable(), [2]);
    assert_eq!(lab.resume(2), r#"1: {"n":2}"#);
}

#[test]
fn a_deadlock_is_found_only_when_looked_for_and_ends_the_one_who_looks() {
    let mut lab = three_events();
    let lock = |id: u32| format!("SELECT id FROM outbox WHERE id = {id} FOR UPDATE");
    lab.begin(1);
    lab.begin(2);
    lab.sql(1, &lock(1));
    lab.sql(2, &lock(2));
    lab.sql(1, &lock(2));
    assert!(!lab.db.check_deadlock(SessionId(1)));
    assert_eq!(lab.sql(2, &lock(1)), "blocked on 2");
    assert!(lab.resumable().is_empty());
    assert!(lab.db.check_deadlock(SessionId(2)));
    assert_eq!(lab.resumable(), [2]);
    assert_eq!(lab.resume(2), "40P01");
    // The victim's locks are free before its client says ROLLBACK.
    assert_eq!(lab.resumable(), [1]);
    assert_eq!(lab.resume(1), r#"1: {"id":2}"#);
    assert_eq!(lab.sql(2, "SELECT 1"), "25P02");
}

#[test]
fn a_cancelled_statement_fails_its_transaction() {
    let mut lab = three_events();
    lab.begin(1);
    lab.sql(1, "DELETE FROM outbox");
    lab.sql(2, "DELETE FROM outbox");
    assert!(lab.db.cancel(SessionId(2)));
    assert_eq!(lab.resume(2), "57014");
    assert!(!lab.db.cancel(SessionId(2)));
}

#[test]
fn update_in_a_locking_subquery_claims_the_rows_it_chose() {
    let mut lab = three_events();
    let claim =
        "UPDATE outbox SET sent = true WHERE id IN (SELECT id FROM outbox WHERE sent = false
        ORDER BY id LIMIT 1 FOR UPDATE SKIP LOCKED) RETURNING id";
    lab.begin(1);
    assert_eq!(lab.sql(1, claim), r#"1: {"id":1}"#);
    assert_eq!(lab.sql(2, claim), r#"1: {"id":2}"#);
    lab.rollback(1);
    assert_eq!(lab.sql(3, claim), r#"1: {"id":1}"#);
}

#[test]
fn an_updated_row_moves_to_the_end_of_the_scan() {
    let mut lab = three_events();
    lab.sql(1, "UPDATE outbox SET agg = 9 WHERE id = 1");
    assert_eq!(lab.sql(1, "SELECT id FROM outbox"), r#"3: {"id":2} {"id":3} {"id":1}"#);
}

#[test]
fn skip_locked_judges_rows_again_that_changed_since_its_snapshot() {
    let mut lab = three_events();
    let seen = lab.db.durable.tables.get(1).unwrap().scan(None);
    let seen = seen.into_iter().map(|(row, version)| Candidate { row, place: version.place });
    let sql = "SELECT id FROM outbox WHERE sent = false ORDER BY id LIMIT 2 FOR UPDATE SKIP LOCKED";
    let mut running = Running::new(&statement(sql), &[].into());
    running.outer.started = true;
    running.outer.candidates = seen.collect();
    // Another relay marks the first row between this one's snapshot and its lock.
    lab.sql(1, "UPDATE outbox SET sent = true WHERE id = 1");
    let mut client = Session::default();
    let outcome = lab.db.query(SessionId(2), &mut client, running, 0, &mut lab.facts);
    assert_eq!(shown(&outcome), r#"2: {"id":2} {"id":3}"#);
}

#[test]
fn a_row_that_no_longer_matches_after_the_wait_stays_locked() {
    let mut lab = three_events();
    lab.begin(1);
    lab.sql(1, "UPDATE outbox SET sent = true WHERE id = 1");
    lab.begin(2);
    let claim = "SELECT id FROM outbox WHERE sent = false ORDER BY id LIMIT 1 FOR UPDATE";
    assert_eq!(lab.sql(2, claim), "blocked on 2");
    lab.commit(1);
    assert_eq!(lab.resume(2), r#"1: {"id":2}"#);
    assert_eq!(lab.sql(3, "SELECT id FROM outbox WHERE id = 1 FOR UPDATE NOWAIT"), "55P03");
}

#[test]
fn a_subquery_after_a_wait_still_looks_at_the_statements_start() {
    let mut lab = three_events();
    lab.begin(1);
    lab.sql(1, "UPDATE outbox SET agg = agg WHERE id = 1");
    lab.sql(1, "INSERT INTO orders (id, customer) VALUES (1, 'Anna')");
    let guarded = "UPDATE outbox SET sent = true WHERE id = 1 AND NOT EXISTS
        (SELECT 1 FROM orders WHERE orders.id = outbox.id) RETURNING id";
    assert_eq!(lab.sql(2, guarded), "blocked on 2");
    lab.commit(1);
    assert_eq!(lab.resume(2), r#"1: {"id":1}"#);
}

#[test]
fn a_waiting_claim_goes_on_to_the_next_row() {
    let mut lab = three_events();
    lab.begin(1);
    lab.sql(1, "UPDATE outbox SET sent = true WHERE id = 1");
    let claim =
        "UPDATE outbox SET sent = true WHERE id IN (SELECT id FROM outbox WHERE sent = false
        ORDER BY id LIMIT 1 FOR UPDATE) RETURNING id";
    assert_eq!(lab.sql(2, claim), "blocked on 2");
    lab.commit(1);
    assert_eq!(lab.resume(2), r#"1: {"id":2}"#);
}
