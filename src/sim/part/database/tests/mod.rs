//! The rules that the database must keep, each by a test of its name.

mod concurrency;
mod conflicts;
mod durability;
mod endings;
mod properties;
mod references;
mod slots;
mod values;

use std::sync::Arc;

use super::*;
use crate::script::ast::Piece;
use crate::script::sql::{check, parse_schema, parse_statement};

const SCHEMA: &str = "
    CREATE TABLE orders (id bigint PRIMARY KEY, customer text NOT NULL);
    CREATE TABLE outbox (id bigserial PRIMARY KEY, agg int NOT NULL DEFAULT 0, payload jsonb,
        at timestamptz NOT NULL DEFAULT now(), due timestamptz, sent boolean NOT NULL DEFAULT false);
    CREATE TABLE seen (consumer text NOT NULL, event bigint NOT NULL, UNIQUE (consumer, event));
    CREATE TABLE stock (sku text PRIMARY KEY, n integer NOT NULL CHECK (n >= 0));
    CREATE TABLE lines (id bigint PRIMARY KEY, order_id bigint REFERENCES orders,
        after bigint REFERENCES lines (id));";

/// A database and the facts so far; sessions are 1, 2, 3.
struct Lab {
    db: Database,
    facts: Vec<Fact>,
    now_us: i64,
}

fn pieces(sql: &str) -> Vec<Piece> {
    let mut offset = 0;
    let mut list = Vec::new();
    for text in sql.split('?') {
        list.push(Piece { text: text.into(), offset });
        offset += text.len() as u32 + 4;
    }
    list
}

fn statement(sql: &str) -> Arc<Statement> {
    let (tables, errors) = parse_schema(&pieces(SCHEMA));
    assert_eq!(errors, []);
    let (statement, errors) = parse_statement(&pieces(sql));
    assert_eq!(errors, [], "{sql}");
    let statement = statement.unwrap();
    assert_eq!(check(&statement, &tables), [], "{sql}");
    Arc::new(statement)
}

impl Lab {
    fn new() -> Self {
        Self::with(Settings::default())
    }

    fn with(settings: Settings) -> Self {
        let (tables, errors) = parse_schema(&pieces(SCHEMA));
        assert_eq!(errors, []);
        let db = Database::with_settings(&tables, settings);
        Self { db, facts: Vec::new(), now_us: 0 }
    }

    fn ask(&mut self, session: u32, request: &Request) -> Outcome {
        self.db.execute(SessionId(session), request, self.now_us, &mut self.facts)
    }

    fn begin(&mut self, session: u32) {
        assert_eq!(self.ask(session, &Request::Begin), Outcome::Answer(Ok(Reply::Done)));
    }

    fn commit(&mut self, session: u32) {
        assert_eq!(self.ask(session, &Request::Commit), Outcome::Answer(Ok(Reply::Done)));
    }

    fn rollback(&mut self, session: u32) {
        assert_eq!(self.ask(session, &Request::Rollback), Outcome::Answer(Ok(Reply::Done)));
    }

    fn send(&mut self, session: u32, sql: &str, params: &[Datum]) -> Outcome {
        let request = Request::Query { statement: statement(sql), params: params.into() };
        self.ask(session, &request)
    }

    /// Runs a statement that must answer at once; its outcome as a short text.
    fn sql(&mut self, session: u32, sql: &str) -> String {
        shown(&self.send(session, sql, &[]))
    }

    fn resume(&mut self, session: u32) -> String {
        shown(&self.db.resume(SessionId(session), self.now_us, &mut self.facts))
    }

    fn resumable(&self) -> Vec<u32> {
        self.db.resumable().into_iter().map(|session| session.0).collect()
    }
}

/// `2: {"id":1} {"id":2}`, the SQLSTATE of an error, or `blocked on 3`.
fn shown(outcome: &Outcome) -> String {
    match outcome {
        Outcome::Blocked { on } => {
            let on: Vec<String> = on.iter().map(|tx| tx.0.to_string()).collect();
            format!("blocked on {}", on.join(","))
        }
        Outcome::Answer(Err(failure)) => failure.code.to_owned(),
        Outcome::Answer(Ok(Reply::Rows { rows, count })) => {
            let mut text = format!("{count}:");
            for row in rows {
                text.push(' ');
                text.push_str(&json::to_text(row, false));
            }
            text
        }
        Outcome::Answer(Ok(reply)) => format!("{reply:?}"),
    }
}
