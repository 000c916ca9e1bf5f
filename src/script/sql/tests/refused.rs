//! What is refused, and where.

use super::*;

fn check_refused(cases: &[(&str, &[&str])]) {
    for (sql, wanted) in cases {
        assert_eq!(mistakes(sql), *wanted, "{sql}");
    }
}

#[test]
fn what_is_outside_the_subset_is_refused_at_its_place() {
    check_refused(&[
        ("", &["empty@"]),
        ("TRUNCATE orders", &["statement@TRUNCATE"]),
        ("SELECT 1; SELECT 2", &["second-statement@SELECT"]),
        ("SELECT a FROM orders JOIN outbox ON true WHERE 1 = 1", &["join@JOIN"]),
        ("SELECT id FROM orders, outbox GROUP BY id", &["join@,", "clause@GROUP"]),
        ("SELECT DISTINCT id FROM orders LIMIT 1 OFFSET 2", &["clause@DISTINCT", "clause@OFFSET"]),
        ("SELECT id FROM orders WHERE id BETWEEN 1 AND 2", &["operator@BETWEEN"]),
        ("SELECT random(), foo(1) FROM orders", &["function@random", "function@foo"]),
        ("SELECT id / 2 FROM orders", &["operator@/"]),
        ("SELECT 1.5", &["number@1.5"]),
        ("SELECT id::numeric FROM orders", &["numeric@numeric"]),
        ("SELECT $1", &["handwritten-param@$1", "unexpected-end@"]),
        ("SELECT 'abc", &["unclosed-text@'abc", "unexpected-end@"]),
        ("SELECT 1 /* abc", &["unclosed-comment@/* abc"]),
        ("SELECT 1 ~ 2", &["character@~", "unexpected@2"]),
        ("SELECT interval '1 month'", &["interval@'1 month'"]),
        ("INSERT INTO orders VALUES (1)", &["insert-columns@VALUES"]),
        ("SELECT id FROM orders WHERE id = ANY(id)", &["any@id"]),
        ("SELECT id FROM orders WHERE id < ANY(${x})", &["any@ANY"]),
        ("SELECT now(1)", &["arguments@now(1)"]),
        ("SELECT id FROM user", &["reserved@user"]),
        ("UPDATE orders SET id = 1 FROM outbox WHERE 1 = 1", &["join@FROM"]),
        ("SELECT 1 = 2 = 3", &["unexpected@="]),
        ("SELECT CASE id WHEN 1 THEN 2 END FROM orders", &["operator@id"]),
        ("SELECT CASE WHEN true THEN 2", &["unexpected-end@"]),
        ("SELECT extract(day FROM now())", &["unexpected@day"]),
        ("INSERT INTO orders (id) SELECT id FROM orders GROUP BY id", &["clause@GROUP"]),
    ]);
}

#[test]
fn what_the_tables_do_not_allow_is_refused() {
    check_refused(&[
        ("SELECT id FROM missing", &["unknown-table@missing"]),
        (
            "SELECT a, b FROM orders WHERE c = 1",
            &["unknown-column@a", "unknown-column@b", "unknown-column@c"],
        ),
        ("SELECT o.id FROM orders", &["unknown-column@id"]),
        ("INSERT INTO orders (id, id) VALUES (1, 2, 3)", &["duplicate-column@id", "value-count@3"]),
        ("INSERT INTO outbox (id) VALUES (1)", &["generated@1"]),
        ("INSERT INTO orders (id) VALUES (id)", &["unknown-column@id"]),
        (
            "INSERT INTO orders (id) VALUES (1) ON CONFLICT (customer) DO NOTHING",
            &["no-such-key@customer"],
        ),
        (
            "INSERT INTO inbox (n) VALUES (1) ON CONFLICT (consumer, event_id) DO UPDATE SET n = n + 1",
            &["ambiguous-column@n"],
        ),
        ("SELECT id FROM orders WHERE count(*) > 1", &["aggregate@count(*) > 1"]),
        ("SELECT id, count(*) FROM orders", &["mixed-aggregate@id"]),
        (
            "SELECT count(*) FROM orders FOR UPDATE",
            &["locked-rows@SELECT count(*) FROM orders FOR UPDATE"],
        ),
        (
            "SELECT id FROM orders WHERE id IN (SELECT id FROM outbox FOR UPDATE)",
            &["locked-rows@SELECT id FROM outbox FOR UPDATE"],
        ),
        (
            "SELECT id FROM orders WHERE id IN (SELECT id, agg FROM outbox)",
            &["subquery-columns@SELECT id, agg FROM outbox"],
        ),
        ("UPDATE orders SET id = DEFAULT", &["default@DEFAULT"]),
        ("SELECT id FROM orders WHERE customer = 1", &["types@customer = 1"]),
        ("SELECT id FROM outbox WHERE payload->>'a' = 7", &["types@payload->>'a' = 7"]),
        ("SELECT id FROM orders WHERE id + 1", &["not-boolean@id + 1"]),
        ("SELECT id FROM outbox WHERE txid < id", &["types@txid < id"]),
        ("SELECT sum(id) AS s FROM orders", &["numeric@id"]),
        ("SELECT ${a} + ${b} AS n", &["types@${a} + ${b}"]),
        ("UPDATE orders SET id = now()", &["types@now()"]),
        ("SELECT extract(epoch FROM created_at) FROM outbox", &["numeric@created_at"]),
        ("SELECT extract(epoch FROM id)::int FROM outbox", &["types@id"]),
        (
            "SELECT id FROM outbox WHERE extract(epoch FROM now() - created_at)::int > 5",
            &["clause@extract(epoch FROM now() - created_at)"],
        ),
        ("SELECT CASE WHEN id THEN 1 END FROM orders", &["not-boolean@id"]),
        ("SELECT CASE WHEN true THEN 1 ELSE now() END", &["types@now()"]),
        ("SELECT greatest(id, now()) FROM orders", &["types@now()"]),
        (
            "INSERT INTO orders (id) SELECT id, id FROM outbox",
            &["value-count@SELECT id, id FROM outbox"],
        ),
        ("INSERT INTO orders (id) SELECT created_at FROM outbox", &["types@created_at"]),
        (
            "INSERT INTO orders (id) SELECT id FROM outbox FOR UPDATE",
            &["locked-rows@SELECT id FROM outbox FOR UPDATE"],
        ),
        ("SELECT customer->>'a' FROM orders", &["types@customer->>'a'"]),
    ]);
}

#[test]
fn a_schema_reports_every_broken_part() {
    let sql = "CREATE TABLE a (id bigint PRIMARY KEY, price numeric(10,2), x blob, id int,
        o bigint REFERENCES a (price), p bigint REFERENCES b (id) ON DELETE CASCADE, PRIMARY KEY (y), at timestamptz DEFAULT now());
        CREATE VIEW v AS SELECT 1; CREATE TABLE a (id int); CREATE INDEX ON b (id);
        CREATE TABLE c (id int DEFAULT ${x});";
    let (tables, errors) = parse_schema(&pieces(sql));
    let ids: Vec<_> = errors.iter().map(|error| error.problem.id()).collect();
    assert_eq!(
        ids,
        [
            "sql-second-primary-key",
            "sql-numeric",
            "sql-type",
            "sql-duplicate-column",
            "sql-references",
            "sql-clause",
            "sql-unknown-column",
            "sql-schema-statement",
            "sql-duplicate-table",
            "sql-unknown-table",
            "sql-param",
        ]
    );
    let names: Vec<_> = tables.iter().map(|table| &*table.name.text).collect();
    assert_eq!(names, ["a", "c"]);
}

#[test]
fn deep_nesting_and_long_text_are_refused() {
    let deep = format!("SELECT {}1", "(".repeat(5_000));
    assert!(mistakes(&deep).iter().any(|mistake| mistake.starts_with("too-")));
    let nots = format!("SELECT {} true", "NOT ".repeat(3_000));
    assert!(mistakes(&nots).iter().any(|mistake| mistake.starts_with("too-deep")));
    let long = format!("SELECT 1{}", " + 1".repeat(3_000));
    assert!(mistakes(&long).iter().any(|mistake| mistake.starts_with("too-long")));
}
