//! Foreign keys.

use super::*;

const LINE: &str = "INSERT INTO lines (id, order_id) VALUES (1, 7)";

fn lab() -> Lab {
    let mut lab = Lab::new();
    lab.sql(9, "INSERT INTO orders (id, customer) VALUES (7, 'A'), (8, 'B')");
    lab
}

#[test]
fn a_row_must_find_what_it_refers_to() {
    let mut lab = lab();
    assert_eq!(lab.sql(1, "INSERT INTO lines (id, order_id) VALUES (1, 6)"), "23503");
    assert_eq!(lab.sql(1, "INSERT INTO lines (id, order_id) VALUES (1, NULL)"), "1:");
    assert_eq!(lab.sql(1, "UPDATE lines SET order_id = 6"), "23503");
    assert_eq!(lab.sql(1, "UPDATE lines SET order_id = 7"), "1:");
    // Judged at the end of the statement.
    assert_eq!(lab.sql(1, "INSERT INTO lines (id, after) VALUES (3, 2), (2, NULL)"), "2:");
}

#[test]
fn what_is_referred_to_cannot_go() {
    let mut lab = lab();
    lab.sql(1, LINE);
    assert_eq!(lab.sql(1, "DELETE FROM orders"), "23503");
    assert_eq!(lab.sql(1, "DELETE FROM orders WHERE id = 8"), "1:");
    assert_eq!(lab.sql(1, "UPDATE orders SET id = 9"), "23503");
    assert_eq!(lab.sql(1, "UPDATE orders SET customer = 'C'"), "1:");
    lab.sql(1, "INSERT INTO lines (id, after) VALUES (2, 1)");
    assert_eq!(lab.sql(1, "DELETE FROM lines WHERE id = 1"), "23503");
    assert_eq!(lab.sql(1, "DELETE FROM lines"), "2:");
    assert_eq!(lab.sql(1, "DELETE FROM orders"), "1:");
}

#[test]
fn a_parent_made_and_removed_in_one_transaction_is_missed() {
    let mut lab = lab();
    lab.begin(1);
    lab.sql(1, "INSERT INTO orders (id, customer) VALUES (5, 'E')");
    assert_eq!(lab.sql(1, "INSERT INTO lines (id, order_id) VALUES (1, 5)"), "1:");
    assert_eq!(lab.sql(1, "DELETE FROM orders WHERE id = 5"), "23503");
}

#[test]
fn a_parent_that_is_not_committed_is_not_seen() {
    let mut lab = lab();
    lab.begin(1);
    lab.sql(1, "INSERT INTO orders (id, customer) VALUES (5, 'E')");
    assert_eq!(lab.sql(2, "INSERT INTO lines (id, order_id) VALUES (1, 5)"), "23503");
}

#[test]
fn a_child_waits_for_whoever_deletes_or_locks_its_parent() {
    let mut lab = lab();
    lab.begin(1);
    lab.sql(1, "SELECT id FROM orders WHERE id = 7 FOR UPDATE");
    assert_eq!(lab.sql(2, LINE), "blocked on 2");
    lab.sql(1, "DELETE FROM orders WHERE id = 7");
    lab.commit(1);
    assert_eq!(lab.resume(2), "23503");
    lab.begin(1);
    lab.sql(1, "UPDATE orders SET customer = 'X' WHERE id = 8");
    assert_eq!(lab.sql(2, "INSERT INTO lines (id, order_id) VALUES (1, 8)"), "1:");
}

#[test]
fn a_delete_waits_for_an_open_child() {
    let mut lab = lab();
    lab.begin(1);
    lab.sql(1, LINE);
    assert_eq!(lab.sql(2, "DELETE FROM orders WHERE id = 7"), "blocked on 2");
    assert_eq!(lab.sql(3, "SELECT id FROM orders FOR UPDATE SKIP LOCKED"), r#"1: {"id":8}"#);
    assert_eq!(lab.sql(3, "UPDATE orders SET customer = 'Z' WHERE id = 7"), "1:");
    lab.commit(1);
    assert_eq!(lab.resume(2), "23503");
    lab.begin(1);
    lab.sql(1, "DELETE FROM lines");
    assert_eq!(lab.sql(2, "DELETE FROM orders WHERE id = 7"), "blocked on 6");
    lab.commit(1);
    assert_eq!(lab.resume(2), "1:");
}
