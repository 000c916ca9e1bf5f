//! What must hold whatever concurrent sessions do.

use super::*;
use proptest::prelude::*;

#[derive(Clone, Debug)]
enum Move {
    Ask(u32, Request),
    Resume(u32),
    Close(u32),
    Deadlock(u32),
    Refuse(u32),
    Crash,
    Vacuum,
    Flush,
    Checkpoint,
}

const STATEMENTS: [&str; 17] = [
    "INSERT INTO stock (sku, n) VALUES ('a', 3) ON CONFLICT DO NOTHING",
    "INSERT INTO stock (sku, n) VALUES ('b', 1), ('a', 1)",
    "INSERT INTO stock (sku, n) VALUES ('b', 1) ON CONFLICT (sku) DO UPDATE SET n = excluded.n + 1",
    "UPDATE stock SET n = n - 1 WHERE n >= 0",
    "UPDATE stock SET sku = 'b' WHERE sku = 'a'",
    "DELETE FROM stock WHERE sku = 'a'",
    "SELECT sku FROM stock ORDER BY sku DESC FOR UPDATE",
    "SELECT sku FROM stock LIMIT 1 FOR UPDATE SKIP LOCKED",
    "DELETE FROM stock WHERE sku IN (SELECT sku FROM stock ORDER BY n LIMIT 1 FOR UPDATE)",
    "INSERT INTO outbox (agg) VALUES (1)",
    "SELECT count(*) FROM stock WHERE NOT EXISTS (SELECT 1 FROM outbox)",
    "INSERT INTO orders (id, customer) VALUES (1, 'A') ON CONFLICT DO NOTHING",
    "INSERT INTO lines (id, order_id) SELECT 1, id FROM orders WHERE id < 9",
    "INSERT INTO lines (id, order_id) VALUES (2, 1)",
    "UPDATE orders SET id = CASE WHEN id = 1 THEN 3 ELSE 1 END",
    "DELETE FROM orders",
    "DELETE FROM lines",
];

fn request() -> impl Strategy<Value = Request> {
    let name = || prop_oneof![Just("p".into()), Just("q".into())];
    prop_oneof![
        2 => Just(Request::Begin),
        8 => prop::sample::select(&STATEMENTS[..]).prop_map(|sql| Request::Query {
            statement: statement(sql),
            params: [].into(),
        }),
        2 => Just(Request::Commit),
        1 => Just(Request::Rollback),
        1 => name().prop_map(Request::Prepare),
        1 => name().prop_map(Request::CommitPrepared),
        1 => name().prop_map(Request::RollbackPrepared),
        1 => Just(Request::CreateSlot { name: "s".into(), config: Arc::default() }),
        1 => Just(Request::DropSlot { name: "s".into() }),
        2 => (1..4u32).prop_map(|max| Request::ReadSlot { name: "s".into(), max }),
        2 => (0..30u64).prop_map(|lsn| Request::AdvanceSlot { name: "s".into(), lsn }),
    ]
}

fn one_move() -> impl Strategy<Value = Move> {
    let session = || 1..5u32;
    prop_oneof![
        20 => (session(), request()).prop_map(|(session, request)| Move::Ask(session, request)),
        8 => session().prop_map(Move::Resume),
        1 => session().prop_map(Move::Close),
        2 => session().prop_map(Move::Deadlock),
        1 => session().prop_map(Move::Refuse),
        1 => Just(Move::Crash),
        1 => Just(Move::Vacuum),
        1 => Just(Move::Flush),
        1 => Just(Move::Checkpoint),
    ]
}

/// Resumes only those that can go on, as the world does.
fn play(lab: &mut Lab, step: &Move) {
    lab.now_us += 1_000;
    match step {
        Move::Ask(session, request) => {
            lab.ask(*session, request);
        }
        Move::Resume(session) => {
            if lab.resumable().contains(session) {
                lab.resume(*session);
            }
        }
        Move::Close(session) => lab.db.close(SessionId(*session), &mut lab.facts),
        Move::Deadlock(session) => {
            lab.db.check_deadlock(SessionId(*session));
        }
        Move::Refuse(session) => lab.db.refuse_next_commit(SessionId(*session), "23514"),
        Move::Crash => lab.db.crash(&mut lab.facts),
        Move::Vacuum => lab.db.vacuum(&mut lab.facts),
        Move::Flush => lab.db.flush(),
        Move::Checkpoint => lab.db.checkpoint(&mut lab.facts),
    }
}

fn committed(db: &Database) -> Vec<Vec<Datum>> {
    let tables = db.tables().into_iter();
    tables.map(|table| table.rows.into_iter().filter_map(|row| row.committed).collect()).collect()
}

fn check_state(db: &Database) -> Result<(), TestCaseError> {
    for row in db.tables().iter().flat_map(|table| &table.rows) {
        prop_assert!(row.change.is_none() || row.holder.is_some(), "a change without a holder");
        if let Some(holder) = &row.holder {
            let alive = holder.session.is_some() || holder.prepared.is_some();
            prop_assert!(alive, "a lock of a finished transaction");
        }
    }
    let skus: Vec<_> = db.tables().remove(3).rows.into_iter().filter_map(|r| r.committed).collect();
    let mut unique: Vec<_> = skus.iter().map(|row| row.field("sku").cloned()).collect();
    unique.sort();
    unique.dedup();
    prop_assert_eq!(unique.len(), skus.len(), "a unique key is broken");
    let tables = db.tables();
    let committed = |at: usize| {
        tables.get(at).into_iter().flat_map(|t| &t.rows).filter_map(|row| row.committed.as_ref())
    };
    for line in committed(4) {
        let found = committed(0).any(|order| order.field("id") == line.field("order_id"));
        prop_assert!(found, "a row refers to nothing");
    }
    let resumable = db.resumable();
    for session in db.sessions() {
        let SessionState::Blocked { on } = session.state else { continue };
        for tx in &on {
            let holder = db.holder(*tx);
            prop_assert!(holder.session.is_some() || holder.prepared.is_some(), "waits for nobody");
        }
        // One behind a waiter that can go on has nobody to name for the moment.
        prop_assert!(!on.is_empty() || !resumable.is_empty(), "waits for ever");
    }
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    #[test]
    fn locks_keys_and_waits_stay_sound(moves in prop::collection::vec(one_move(), 1..60)) {
        let mut lab = Lab::new();
        let mut again = Lab::new();
        for step in &moves {
            let before = committed(&lab.db);
            let crash = matches!(step, Move::Crash);
            play(&mut lab, step);
            play(&mut again, step);
            check_state(&lab.db)?;
            if crash {
                prop_assert_eq!(before, committed(&lab.db), "a crash changed committed rows");
                prop_assert!(lab.db.sessions().is_empty());
            }
        }
        prop_assert_eq!(&lab.db, &again.db);
        prop_assert_eq!(&lab.facts, &again.facts);
    }

    /// A slot from the beginning that confirms nothing sees what happened to every row: its changes
    /// add up to what is committed, whatever crashes took.
    #[test]
    fn decoding_adds_up_to_the_committed_rows(moves in prop::collection::vec(one_move(), 1..60)) {
        let mut lab = Lab::with(Settings { asynchronous_commit: true, ..Settings::default() });
        lab.db.add_slot(&"all".into(), SlotConfig::default());
        for step in &moves {
            play(&mut lab, step);
        }
        lab.db.crash(&mut lab.facts);
        let read = Request::ReadSlot { name: "all".into(), max: u32::MAX };
        let Outcome::Answer(Ok(Reply::Rows { rows, .. })) = lab.ask(99, &read) else {
            return Err(TestCaseError::fail("the slot cannot be read"));
        };
        let mut last = 0;
        let mut count = 0;
        for row in &rows {
            let lsn = row.field("lsn").and_then(Datum::as_int).unwrap();
            prop_assert!(lsn > last);
            last = lsn;
            count += match row.field("op").and_then(Datum::as_text) {
                Some("insert") => 1,
                Some("delete") => -1,
                _ => 0,
            };
        }
        let rows: usize = committed(&lab.db).iter().map(Vec::len).sum();
        prop_assert_eq!(count, i64::try_from(rows).unwrap());
    }

    /// What a crash leaves of asynchronous commits is what was there after some commit.
    #[test]
    fn a_crash_goes_back_to_the_state_after_some_commit(moves in prop::collection::vec(one_move(), 1..60)) {
        let mut lab = Lab::with(Settings { asynchronous_commit: true, ..Settings::default() });
        let mut states = vec![committed(&lab.db)];
        for step in &moves {
            play(&mut lab, step);
            let now = committed(&lab.db);
            if matches!(step, Move::Crash) {
                let at = states.iter().rposition(|state| *state == now);
                prop_assert!(at.is_some(), "a state that never was");
                states.truncate(at.map_or(0, |at| at + 1));
            } else if !lab.db.pending_flush() {
                states = vec![now];
            } else if states.last() != Some(&now) {
                states.push(now);
            }
            check_state(&lab.db)?;
        }
    }

    #[test]
    fn everyone_gets_on_once_deadlocks_are_looked_for(moves in prop::collection::vec(one_move(), 1..60)) {
        let mut lab = Lab::new();
        for step in &moves {
            play(&mut lab, step);
        }
        for (name, _) in lab.db.prepared() {
            lab.ask(99, &Request::RollbackPrepared(name));
        }
        for _ in 0..100 {
            for session in 1..5 {
                lab.db.check_deadlock(SessionId(session));
            }
            for session in lab.resumable() {
                lab.resume(session);
            }
            for view in lab.db.sessions() {
                if matches!(view.state, SessionState::InTransaction { .. }) {
                    lab.ask(view.session.0, &Request::Rollback);
                }
            }
        }
        for view in lab.db.sessions() {
            prop_assert_eq!(view.state, SessionState::Idle);
        }
    }
}
