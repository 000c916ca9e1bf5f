//! Unique keys, `ON CONFLICT`, sequences and checks.

use super::*;

const MARK: &str =
    "INSERT INTO seen (consumer, event) VALUES ('mail', 7) ON CONFLICT DO NOTHING RETURNING event";

#[test]
fn a_duplicate_waits_and_after_the_commit_does_nothing() {
    let mut lab = Lab::new();
    lab.begin(1);
    assert_eq!(lab.sql(1, MARK), r#"1: {"event":7}"#);
    assert_eq!(lab.sql(2, MARK), "blocked on 1");
    lab.commit(1);
    assert_eq!(lab.resumable(), [2]);
    assert_eq!(lab.resume(2), "0:");
}

#[test]
fn a_duplicate_waits_and_after_the_rollback_inserts() {
    let mut lab = Lab::new();
    lab.begin(1);
    lab.sql(1, MARK);
    assert_eq!(lab.sql(2, MARK), "blocked on 1");
    lab.rollback(1);
    assert_eq!(lab.resume(2), r#"1: {"event":7}"#);
}

#[test]
fn a_plain_duplicate_waits_and_then_fails() {
    let mut lab = Lab::new();
    let insert = "INSERT INTO orders (id, customer) VALUES (1, 'Anna')";
    lab.begin(1);
    lab.sql(1, insert);
    assert_eq!(lab.sql(2, insert), "blocked on 1");
    lab.commit(1);
    assert_eq!(lab.resume(2), "23505");
}

#[test]
fn the_constraint_is_named() {
    let mut lab = Lab::new();
    let insert = "INSERT INTO orders (id, customer) VALUES (1, 'Anna')";
    lab.sql(1, insert);
    let Outcome::Answer(Err(failure)) = lab.send(1, insert, &[]) else { panic!("no failure") };
    assert_eq!(failure.constraint.as_deref(), Some("orders_pkey"));
}

#[test]
fn a_deleted_key_is_free_only_after_the_commit() {
    let mut lab = Lab::new();
    lab.sql(9, "INSERT INTO orders (id, customer) VALUES (1, 'Anna')");
    lab.begin(1);
    lab.sql(1, "DELETE FROM orders");
    let again = "INSERT INTO orders (id, customer) VALUES (1, 'Boris')";
    assert_eq!(lab.sql(2, again), "blocked on 2");
    lab.commit(1);
    assert_eq!(lab.resume(2), "1:");
}

#[test]
fn do_nothing_heeds_a_row_that_the_statement_does_not_see() {
    let mut lab = Lab::new();
    lab.begin(1);
    lab.sql(1, "INSERT INTO orders (id, customer) VALUES (5, 'Anna')");
    lab.sql(1, MARK);
    let both = "INSERT INTO seen (consumer, event) VALUES ('mail', 7), ('mail', 8)
        ON CONFLICT (event, consumer) DO NOTHING";
    assert_eq!(lab.sql(2, both), "blocked on 1");
    lab.commit(1);
    assert_eq!(lab.resume(2), "1:");
}

#[test]
fn only_the_named_key_is_forgiven() {
    let mut lab = Lab::new();
    let mut twice = |sql: &str| (lab.sql(1, sql), lab.sql(1, sql));
    let (_, second) =
        twice("INSERT INTO stock (sku, n) VALUES ('a', 1) ON CONFLICT (sku) DO NOTHING");
    assert_eq!(second, "0:");
}

#[test]
fn do_update_adds_to_the_row_that_is_there() {
    let mut lab = Lab::new();
    let add = "INSERT INTO stock (sku, n) VALUES ('pen', 2) ON CONFLICT (sku) DO UPDATE
        SET n = stock.n + excluded.n RETURNING n";
    assert_eq!(lab.sql(1, add), r#"1: {"n":2}"#);
    assert_eq!(lab.sql(1, add), r#"1: {"n":4}"#);
    lab.begin(1);
    lab.sql(1, add);
    assert_eq!(lab.sql(2, add), "blocked on 3");
    lab.commit(1);
    assert_eq!(lab.resume(2), r#"1: {"n":8}"#);
}

#[test]
fn sequences_are_not_rolled_back_and_conflicts_leave_gaps() {
    let mut lab = Lab::new();
    lab.begin(1);
    lab.sql(1, "INSERT INTO outbox (agg) VALUES (1)");
    lab.rollback(1);
    assert_eq!(lab.sql(1, "INSERT INTO outbox (agg) VALUES (1) RETURNING id"), r#"1: {"id":2}"#);
    let taken = "INSERT INTO outbox (agg) VALUES (1) ON CONFLICT DO NOTHING RETURNING id";
    assert_eq!(lab.sql(1, taken), r#"1: {"id":3}"#);
    lab.sql(1, "INSERT INTO outbox (id) VALUES (4)");
    assert_eq!(lab.sql(1, taken), "0:");
    assert_eq!(lab.sql(1, taken), r#"1: {"id":5}"#);
}

#[test]
fn a_waiting_insert_takes_its_number_once() {
    let mut lab = Lab::new();
    lab.begin(1);
    lab.sql(1, "INSERT INTO outbox (id) VALUES (1)");
    assert_eq!(lab.sql(2, "INSERT INTO outbox (agg) VALUES (1) RETURNING id"), "blocked on 1");
    lab.rollback(1);
    assert_eq!(lab.resume(2), r#"1: {"id":1}"#);
}

#[test]
fn a_failed_statement_leaves_nothing_of_itself() {
    let mut lab = Lab::new();
    assert_eq!(lab.sql(1, "INSERT INTO stock (sku, n) VALUES ('a', 1), ('b', -1)"), "23514");
    assert_eq!(lab.sql(1, "INSERT INTO orders (id) VALUES (1)"), "23502");
    assert_eq!(lab.sql(1, "SELECT count(*) FROM stock"), r#"1: {"count":0}"#);
}

#[test]
fn a_null_in_a_key_never_conflicts() {
    let (tables, _) = parse_schema(&pieces("CREATE TABLE t (a int, UNIQUE (a))"));
    let mut lab = Lab { db: Database::new(&tables), facts: Vec::new(), now_us: 0 };
    let (insert, _) = parse_statement(&pieces("INSERT INTO t (a) VALUES (NULL), (NULL)"));
    let request = Request::Query { statement: Arc::new(insert.unwrap()), params: [].into() };
    assert_eq!(shown(&lab.ask(1, &request)), "2:");
}

#[test]
fn a_key_that_is_being_changed_is_in_doubt_while_its_update_waits() {
    let mut lab = Lab::new();
    lab.sql(9, "INSERT INTO stock (sku, n) VALUES ('a', 2), ('b', 1)");
    lab.begin(1);
    lab.begin(3);
    lab.sql(3, "UPDATE stock SET sku = 'c' WHERE sku = 'a'");
    let rename = "UPDATE stock SET sku = 'a' WHERE sku = 'b' RETURNING sku, n";
    assert_eq!(lab.sql(1, rename), "blocked on 2");
    let insert = "INSERT INTO stock (sku, n) VALUES ('b', 2) ON CONFLICT DO NOTHING RETURNING sku";
    assert_eq!(lab.sql(2, insert), "blocked on 3");
    lab.commit(3);
    assert_eq!(lab.resume(1), r#"1: {"sku":"a","n":1}"#);
    lab.commit(1);
    assert_eq!(lab.resume(2), r#"1: {"sku":"b"}"#);
}

#[test]
fn an_insert_from_a_query_reads_its_rows_once_and_keeps_its_numbers_through_a_wait() {
    let mut lab = Lab::new();
    lab.sql(9, "INSERT INTO stock (sku, n) VALUES ('a', 1), ('b', 2), ('c', 0)");
    lab.begin(1);
    lab.sql(1, "INSERT INTO orders (id, customer) VALUES (2, 'Anna')");
    let copy = "INSERT INTO orders (id, customer) SELECT n, sku FROM stock WHERE n > 0 ORDER BY n
        ON CONFLICT DO NOTHING RETURNING id";
    assert_eq!(lab.sql(2, copy), "blocked on 2");
    lab.sql(3, "UPDATE stock SET n = 7");
    lab.rollback(1);
    assert_eq!(lab.resume(2), r#"2: {"id":1} {"id":2}"#);
    // What the statement inserts it does not read.
    let twice = "INSERT INTO outbox (agg) SELECT 1 FROM outbox";
    lab.sql(1, "INSERT INTO outbox (agg) VALUES (1)");
    assert_eq!(lab.sql(1, twice), "1:");
    assert_eq!(lab.sql(1, twice), "2:");
}

#[test]
fn an_older_version_does_not_overwrite_a_newer_one() {
    let mut lab = Lab::new();
    let upsert = "INSERT INTO stock (sku, n) VALUES ('a', ?) ON CONFLICT (sku)
        DO UPDATE SET n = excluded.n WHERE stock.n < excluded.n RETURNING n";
    let put = |lab: &mut Lab, n: i64| shown(&lab.send(1, upsert, &[Datum::Int(n)]));
    assert_eq!(put(&mut lab, 1), r#"1: {"n":1}"#);
    assert_eq!(put(&mut lab, 3), r#"1: {"n":3}"#);
    assert_eq!(put(&mut lab, 2), "0:");
    assert_eq!(lab.sql(1, "SELECT n FROM stock"), r#"1: {"n":3}"#);
}

#[test]
fn stock_is_taken_only_while_there_is_some() {
    let mut lab = Lab::new();
    lab.sql(9, "INSERT INTO stock (sku, n) VALUES ('a', 1)");
    let take = "UPDATE stock SET n = n - 1 WHERE sku = 'a' AND n >= 1";
    lab.begin(1);
    assert_eq!(lab.sql(1, take), "1:");
    assert_eq!(lab.sql(2, take), "blocked on 2");
    lab.commit(1);
    assert_eq!(lab.resume(2), "0:");
}

#[test]
fn a_key_that_was_inserted_and_deleted_is_in_doubt_until_the_transaction_ends() {
    let mut lab = Lab::new();
    let insert = "INSERT INTO stock (sku, n) VALUES ('a', 1) ON CONFLICT DO NOTHING";
    lab.begin(1);
    lab.sql(1, insert);
    lab.sql(1, "DELETE FROM stock");
    assert_eq!(lab.sql(2, insert), "blocked on 1");
    assert_eq!(lab.sql(1, insert), "1:");
    lab.rollback(1);
    assert_eq!(lab.resume(2), "1:");
}
