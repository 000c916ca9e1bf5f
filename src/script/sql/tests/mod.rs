//! The SQL front end as a whole: what is accepted, what is refused and where.

mod accepted;
mod catalogue;
mod refused;
mod round_trip;

use super::*;
use crate::script::ast::Piece;

/// Cuts a text at every `${…}`, as the scene's parser does.
fn pieces(text: &str) -> Vec<Piece> {
    let mut list = Vec::new();
    let (mut rest, mut offset) = (text, 0);
    loop {
        let cut = rest.find("${").unwrap_or(rest.len());
        let (piece, after) = rest.split_at(cut);
        list.push(Piece { text: piece.into(), offset });
        let Some(end) = after.find('}') else { return list };
        offset += (cut + end + 1) as u32;
        rest = &after[end + 1..];
    }
}

const SCHEMA: &str = "
    CREATE TABLE orders (id bigint PRIMARY KEY, customer text NOT NULL);
    CREATE TABLE outbox (
        id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, event_type text NOT NULL,
        payload jsonb NOT NULL, agg integer, txid xid8 NOT NULL DEFAULT pg_current_xact_id(),
        created_at timestamptz NOT NULL DEFAULT now(), published_at timestamptz, locked boolean);
    CREATE TABLE inbox (consumer text, event_id uuid, n int CHECK (n > 0),
        PRIMARY KEY (consumer, event_id));";

/// Every mistake found in a statement, as `problem@found text`.
fn mistakes(sql: &str) -> Vec<String> {
    let (tables, errors) = parse_schema(&pieces(SCHEMA));
    assert_eq!(errors, []);
    assert_eq!(check_tables(&tables), []);
    let (statement, mut errors) = parse_statement(&pieces(sql));
    if let Some(statement) = statement.filter(|_| errors.is_empty()) {
        errors.extend(check(&statement, &tables));
    }
    let place =
        |e: &SqlError| sql.get(e.span.start as usize..e.span.end as usize).unwrap().to_owned();
    errors
        .iter()
        .map(|e| format!("{}@{}", e.problem.id().trim_start_matches("sql-"), place(e)))
        .collect()
}
