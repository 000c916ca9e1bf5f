//! Expressions, conversions and results.

use super::*;

fn one(sql: &str, params: &[Datum]) -> String {
    let mut lab = Lab::new();
    lab.now_us = 10_000_000;
    shown(&lab.send(1, sql, params))
}

#[test]
fn logic_has_three_values() {
    for (expr, value) in [
        ("NULL AND false", "false"),
        ("NULL AND true", "null"),
        ("NULL OR true", "true"),
        ("NOT NULL", "null"),
        ("1 = NULL", "null"),
        ("1 IN (2, NULL)", "null"),
        ("1 NOT IN (1, NULL)", "false"),
        ("NULL IS NULL", "true"),
        ("2 NOT IN (1, 3)", "true"),
    ] {
        let sql = format!("SELECT {expr} AS v");
        assert_eq!(one(&sql, &[]), format!("1: {{\"v\":{value}}}"), "{expr}");
    }
}

#[test]
fn operators_follow_postgresql() {
    for (expr, value) in [
        ("-7 % 3", "-1"),
        ("2 + 3 * 4", "14"),
        ("'a' || 1", "\"a1\""),
        ("('{\"bb\":1,\"a\":[1,null]}'::jsonb)::text", r#""{\"a\": [1, null], \"bb\": 1}""#),
        ("'{\"a\":{\"b\":7}}'::jsonb->'a'->>'b'", "\"7\""),
        ("'{\"a\":null}'::jsonb->>'a'", "null"),
        ("now() - interval '1 second' < now()", "true"),
        ("now()::text", "\"2026-01-01 00:00:10+00\""),
        ("'12'::int + 1", "13"),
        ("coalesce(NULL, 'x')", "\"x\""),
    ] {
        let sql = format!("SELECT {expr} AS v");
        assert_eq!(one(&sql, &[]), format!("1: {{\"v\":{value}}}"), "{expr}");
    }
}

#[test]
fn errors_carry_their_sqlstate() {
    for (expr, code) in [("1 % 0", "22012"), ("'x'::int", "22P02"), ("3000000000::int", "22003")] {
        assert_eq!(one(&format!("SELECT {expr}"), &[]), code, "{expr}");
    }
    assert_eq!(one("SELECT ? AS v", &[Datum::Array([].into())]), "22P02");
}

#[test]
fn parameters_take_the_type_of_what_they_meet() {
    let mut lab = Lab::new();
    let event =
        Datum::Object([("orderId".into(), Datum::Int(5)), ("a".into(), Datum::Null)].into());
    lab.send(1, "INSERT INTO outbox (payload) VALUES (?)", &[event]);
    let by_text = "SELECT payload FROM outbox WHERE payload->>'orderId' = ?";
    let row = r#"1: {"payload":{"a":null,"orderId":5}}"#;
    assert_eq!(shown(&lab.send(1, by_text, &[Datum::Int(5)])), row);
    let by_ids = "SELECT id FROM outbox WHERE id = ANY(?)";
    let ids = Datum::Array([Datum::Int(3), Datum::text("1")].into());
    assert_eq!(shown(&lab.send(1, by_ids, &[ids])), r#"1: {"id":1}"#);
    assert_eq!(shown(&lab.send(1, by_ids, &[Datum::Int(1)])), "22P02");
}

#[test]
fn aggregates_fold_and_skip_nulls() {
    let mut lab = Lab::new();
    let summary =
        "SELECT count(*), count(due) AS due, min(id), max(id), coalesce(max(agg), -1) AS m,
        sum(agg)::bigint AS s FROM outbox";
    assert_eq!(
        lab.sql(1, summary),
        r#"1: {"count":0,"due":0,"min":null,"max":null,"m":-1,"s":null}"#
    );
    lab.sql(1, "INSERT INTO outbox (agg, due) VALUES (3, now()), (4, NULL)");
    assert_eq!(lab.sql(1, summary), r#"1: {"count":2,"due":1,"min":1,"max":2,"m":4,"s":7}"#);
}

#[test]
fn order_by_puts_nulls_last_and_descending_first() {
    let mut lab = Lab::new();
    lab.sql(1, "INSERT INTO outbox (due) VALUES (NULL), (now() + interval '1 s'), (now())");
    assert_eq!(
        lab.sql(1, "SELECT id FROM outbox ORDER BY due"),
        r#"3: {"id":3} {"id":2} {"id":1}"#
    );
    let descending = "SELECT id FROM outbox ORDER BY due DESC LIMIT 2";
    assert_eq!(lab.sql(1, descending), r#"2: {"id":1} {"id":2}"#);
}

#[test]
fn now_is_the_start_of_the_transaction() {
    let mut lab = Lab::new();
    lab.begin(1);
    lab.now_us = 1_000_000;
    lab.sql(1, "INSERT INTO outbox (agg) VALUES (1)");
    lab.commit(1);
    lab.sql(1, "INSERT INTO outbox (agg) VALUES (2)");
    assert_eq!(
        lab.sql(1, "SELECT at FROM outbox"),
        r#"2: {"at":"2026-01-01 00:00:00+00"} {"at":"2026-01-01 00:00:01+00"}"#
    );
}

#[test]
fn the_horizon_is_when_a_stored_time_falls_due() {
    let mut lab = Lab::new();
    assert_eq!(lab.db.horizon(), i64::MIN);
    lab.sql(1, "INSERT INTO outbox (due) VALUES (now() + interval '5 seconds')");
    assert_eq!(lab.db.horizon(), i64::MIN);
    assert_eq!(lab.sql(1, "SELECT id FROM outbox WHERE due <= now()"), "0:");
    let horizon = lab.db.horizon();
    assert_eq!(horizon, 5_000_001);
    lab.now_us = horizon;
    assert_eq!(lab.sql(1, "SELECT id FROM outbox WHERE due <= now()"), r#"1: {"id":1}"#);
    assert_eq!(lab.db.horizon(), horizon);
    // An age counts as well.
    lab.sql(1, "SELECT id FROM outbox WHERE now() - at > interval '1 minute'");
    assert_eq!(lab.db.horizon(), 60_000_001);
}

#[test]
fn the_lag_of_an_outbox_is_text_or_whole_seconds() {
    let mut lab = Lab::new();
    let lag = "SELECT now() - min(at) AS lag FROM outbox WHERE sent = false";
    let seconds =
        "SELECT extract(epoch from now() - min(at))::int AS lag, count(*) AS n FROM outbox";
    assert_eq!(lab.sql(1, lag), r#"1: {"lag":null}"#);
    assert_eq!(lab.sql(1, seconds), r#"1: {"lag":null,"n":0}"#);
    lab.sql(1, "INSERT INTO outbox (agg) VALUES (1)");
    lab.now_us = 62_500_000;
    assert_eq!(lab.sql(1, lag), r#"1: {"lag":"00:01:02.5"}"#);
    assert_eq!(lab.sql(1, seconds), r#"1: {"lag":63,"n":1}"#);
    let back = "SELECT extract(epoch from interval '-2500 ms')::bigint AS a,
        extract(epoch from now())::bigint AS b";
    assert_eq!(lab.sql(1, back), r#"1: {"a":-3,"b":1767225663}"#);
}

#[test]
fn greatest_and_least_pass_over_nulls() {
    let mut lab = Lab::new();
    let sql = "SELECT greatest(1, NULL, 3) AS a, least(2, 1) AS b, greatest(NULL, NULL) AS c,
        least('b', 'a') AS d";
    assert_eq!(lab.sql(1, sql), r#"1: {"a":3,"b":1,"c":null,"d":"a"}"#);
}

#[test]
fn case_takes_the_first_condition_that_is_true() {
    let mut lab = Lab::new();
    lab.sql(1, "INSERT INTO stock (sku, n) VALUES ('a', 0), ('b', 2), ('c', 9)");
    let sql = "SELECT CASE WHEN n > 5 THEN 'much' WHEN n > 0 THEN 'some' ELSE sku END AS x,
        CASE WHEN NULL THEN 1 END AS y FROM stock ORDER BY n";
    let rows = r#"3: {"x":"a","y":null} {"x":"some","y":null} {"x":"much","y":null}"#;
    assert_eq!(lab.sql(1, sql), rows);
}
