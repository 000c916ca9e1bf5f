//! Statements of the lessons.

use super::*;

#[test]
fn the_statements_of_the_lessons_are_accepted() {
    for sql in [
        "INSERT INTO orders (id, customer) VALUES (${a}, ${b})",
        "INSERT INTO outbox (event_type, payload) VALUES ('order.created', ${event}) RETURNING id",
        "SELECT id, event_type, payload FROM outbox WHERE published_at IS NULL
            ORDER BY id LIMIT 10 FOR UPDATE SKIP LOCKED;",
        "UPDATE outbox SET published_at = now() WHERE id = ANY(${ids})",
        "UPDATE outbox SET published_at = now() WHERE id = ANY(${ids}::bigint[]) AND locked",
        "SELECT payload->>'orderId' FROM outbox WHERE published_at IS NULL",
        "SELECT (payload->>'orderId')::bigint AS id FROM outbox WHERE (payload->'n')::int > 2",
        "INSERT INTO inbox (consumer, event_id) VALUES ('mail', ${id}) ON CONFLICT DO NOTHING",
        "INSERT INTO inbox (consumer, event_id, n) VALUES ('mail', ${id}, 1)
            ON CONFLICT (consumer, event_id) DO UPDATE SET n = inbox.n + excluded.n RETURNING n",
        "SELECT id FROM outbox WHERE txid < pg_snapshot_xmin(pg_current_snapshot()) ORDER BY txid, id",
        "SELECT count(*), now() - min(created_at) AS age, coalesce(max(id), 0) AS top FROM outbox",
        "SELECT o.id FROM outbox AS o WHERE NOT EXISTS (SELECT 1 FROM outbox older
            WHERE older.agg = o.agg AND older.id < o.id AND older.published_at IS NULL)",
        "DELETE FROM outbox WHERE id IN (SELECT id FROM outbox WHERE published_at < now() - interval '1 hour'
            ORDER BY id LIMIT ${n} FOR UPDATE SKIP LOCKED) RETURNING *",
        "UPDATE inbox SET n = n - 1 WHERE consumer = 'x' AND n >= 1",
        "SELECT created_at + interval '5 seconds' < now() AS late, -agg % 3 AS m FROM outbox",
        "SELECT id FROM outbox WHERE created_at < now() - ${age}::interval OR agg NOT IN (1, 2)",
        "SELECT sum(id)::bigint AS total, sum(agg) AS parts FROM outbox",
        "SELECT id AS \"order\", 'it''s' || customer AS text FROM orders /* a /* b */ */ -- end",
        "SELECT id FROM outbox WHERE abs(hashtext(event_type)) % 2 = ${share}",
        "SELECT pg_current_xact_id()::text::bigint AS xid",
        "INSERT INTO orders (id, customer) VALUES (1, DEFAULT), (2, 'B')",
        "SELECT now() - min(created_at) AS lag FROM outbox WHERE published_at IS NULL",
        "SELECT extract(epoch from now() - min(created_at))::int AS lag, count(*) AS n FROM outbox",
        "SELECT CASE WHEN agg > 1 THEN 'many' WHEN agg = 1 THEN 'one' ELSE 'none' END FROM outbox",
        "UPDATE outbox SET agg = greatest(agg - 1, 0), locked = least(agg, 2) = 2",
        "INSERT INTO orders (id, customer) SELECT id, event_type FROM outbox WHERE agg > ${n}
            ORDER BY id LIMIT 5 ON CONFLICT (id) DO NOTHING RETURNING id",
        "INSERT INTO inbox (consumer, event_id, n) VALUES (${c}, ${e}, ${v})
            ON CONFLICT (consumer, event_id) DO UPDATE SET n = excluded.n WHERE inbox.n < excluded.n",
    ] {
        assert_eq!(mistakes(sql), [""; 0], "{sql}");
    }
}

#[test]
fn precedence_is_postgresqls() {
    for (sql, tree) in [
        ("SELECT 1 + 2 * 3", "SELECT (1 + (2 * 3))"),
        ("SELECT NOT 1 = 2 AND true OR false", "SELECT (((NOT (1 = 2)) AND TRUE) OR FALSE)"),
        ("SELECT 1 = 2 IS NULL", "SELECT ((1 = 2) IS NULL)"),
        ("SELECT 'a' || 1 + 2 = 'b'", "SELECT (('a' || (1 + 2)) = 'b')"),
        ("SELECT -1::text", "SELECT (- (1::text))"),
        ("SELECT 1 - 2 - 3", "SELECT ((1 - 2) - 3)"),
        ("SELECT 1 IN (1) = true", "SELECT ((1 IN (1)) = TRUE)"),
    ] {
        let (statement, errors) = parse_statement(&pieces(sql));
        assert_eq!(errors, [], "{sql}");
        assert_eq!(statement.unwrap().to_string(), tree);
    }
}

#[test]
fn constraints_get_postgresqls_names() {
    let (tables, errors) = parse_schema(&pieces(
        "CREATE TABLE t (id bigserial PRIMARY KEY, a int UNIQUE CHECK (a > 0), b text DEFAULT 'x' NOT NULL,
            UNIQUE (a, b), CONSTRAINT mine CHECK (b <> '')); CREATE INDEX ON t (b);
         CREATE UNIQUE INDEX one ON t (b) WHERE a IS NULL;",
    ));
    assert_eq!(errors, []);
    let table = tables.first().unwrap();
    let keys: Vec<_> = table.keys.iter().map(|key| &*key.name).collect();
    assert_eq!(keys, ["t_pkey", "t_a_key", "t_a_b_key", "one"]);
    let checks: Vec<_> = table.checks.iter().map(|check| &*check.name).collect();
    assert_eq!(checks, ["t_a_check", "mine"]);
    assert!(table.column("b").unwrap().not_null && table.column("id").unwrap().not_null);
}

#[test]
fn references_mean_the_primary_key_unless_they_name_another() {
    let (tables, errors) = parse_schema(&pieces(
        "CREATE TABLE a (id bigint PRIMARY KEY, code text UNIQUE, up bigint REFERENCES a);
         CREATE TABLE b (a int NOT NULL REFERENCES a, code text CONSTRAINT mine REFERENCES a (code) UNIQUE,
            x bigint, FOREIGN KEY (x) REFERENCES a (id));",
    ));
    assert_eq!(errors, []);
    let shown = tables.iter().flat_map(|table| &table.references).map(|found| {
        let target: Vec<_> = found.target.iter().map(|name| &*name.text).collect();
        format!("{} {}({})", found.name, found.table.text, target.join(","))
    });
    let wanted = ["a_up_fkey a(id)", "b_a_fkey a(id)", "mine a(code)", "b_x_fkey a(id)"];
    assert_eq!(shown.collect::<Vec<_>>(), wanted);
}

#[test]
fn result_columns_get_postgresqls_names() {
    for (sql, name) in [
        ("SELECT true", "?column?"),
        ("SELECT interval '1 s'", "interval"),
        ("SELECT '1'::int::text", "text"),
        ("SELECT CASE WHEN true THEN 1 END", "case"),
        ("SELECT CASE WHEN true THEN 1 ELSE id::int END FROM t", "id"),
        ("SELECT CASE WHEN true THEN 1 ELSE 2 END::text", "text"),
        ("SELECT extract(epoch FROM now() - now())::int", "extract"),
        ("SELECT greatest(1, 2)", "greatest"),
    ] {
        let Some(Statement::Select(select)) = parse_statement(&pieces(sql)).0 else { panic!() };
        let Some(ast::Item::Value(value, None)) = select.items.first() else { panic!() };
        assert_eq!(&*value.column_name(), name, "{sql}");
    }
}

#[test]
fn statements_describe_themselves() {
    let (statement, _) = parse_statement(&pieces("  UPDATE outbox o SET agg = 1"));
    let statement = statement.unwrap();
    assert_eq!(statement.describe(), ("UPDATE", "outbox"));
    assert_eq!(statement.span(), crate::text::Span::new(2, 29));
}
