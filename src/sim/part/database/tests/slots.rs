//! Logical decoding: what slots emit, in which order, how far back, and what they cost.

use super::*;

fn slot(lab: &mut Lab, tables: &[&str], max_wal_keep: Option<u32>) {
    let tables = tables.iter().map(|table| (*table).into()).collect();
    lab.db.add_slot(&"s".into(), SlotConfig { tables, max_wal_keep });
}

/// The changes that a session reads, as `lsn op row`.
fn read(lab: &mut Lab, session: u32, max: u32) -> Vec<String> {
    match lab.ask(session, &Request::ReadSlot { name: "s".into(), max }) {
        Outcome::Answer(Ok(Reply::Rows { rows, count })) => {
            assert_eq!(rows.len(), count as usize);
            rows.iter().map(change).collect()
        }
        other => vec![shown(&other)],
    }
}

fn change(row: &Datum) -> String {
    let field = |name: &str| row.field(name).unwrap();
    let lsn = field("lsn").as_int().unwrap();
    let (table, op) = (field("table").as_text().unwrap(), field("op").as_text().unwrap());
    format!("{lsn} {op} {table} {}", json::to_text(field("row"), false))
}

fn advance(lab: &mut Lab, session: u32, lsn: u64) -> String {
    shown(&lab.ask(session, &Request::AdvanceSlot { name: "s".into(), lsn }))
}

fn create(lab: &mut Lab, session: u32) -> String {
    let config = Arc::new(SlotConfig::default());
    shown(&lab.ask(session, &Request::CreateSlot { name: "s".into(), config }))
}

fn order(lab: &mut Lab, session: u32, id: u32) {
    let sql = format!("INSERT INTO orders (id, customer) VALUES ({id}, 'A')");
    assert_eq!(lab.sql(session, &sql), "1:");
}

fn view(lab: &Lab) -> SlotView {
    lab.db.slots().remove(0)
}

#[test]
fn decoding_emits_whole_transactions_in_commit_order_and_no_rolled_back_ones() {
    let mut lab = Lab::new();
    slot(&mut lab, &[], None);
    lab.begin(1);
    order(&mut lab, 1, 1);
    lab.begin(2);
    order(&mut lab, 2, 2);
    lab.begin(3);
    order(&mut lab, 3, 3);
    order(&mut lab, 1, 4);
    lab.commit(2);
    lab.rollback(3);
    assert_eq!(read(&mut lab, 9, 10), [r#"1 insert orders {"id":2,"customer":"A"}"#]);
    lab.commit(1);
    assert_eq!(
        read(&mut lab, 9, 10),
        [
            r#"1 insert orders {"id":2,"customer":"A"}"#,
            r#"2 insert orders {"id":1,"customer":"A"}"#,
            r#"3 insert orders {"id":4,"customer":"A"}"#,
        ]
    );
}

#[test]
fn an_insert_and_its_delete_in_one_transaction_are_both_emitted() {
    let mut lab = Lab::new();
    slot(&mut lab, &[], None);
    lab.begin(1);
    order(&mut lab, 1, 1);
    lab.sql(1, "UPDATE orders SET customer = 'B'");
    lab.sql(1, "DELETE FROM orders");
    lab.commit(1);
    assert_eq!(
        read(&mut lab, 9, 10),
        [
            r#"1 insert orders {"id":1,"customer":"A"}"#,
            r#"2 update orders {"id":1,"customer":"B"}"#,
            r#"3 delete orders {"id":1}"#,
        ]
    );
}

#[test]
fn a_delete_shows_the_primary_key_and_nothing_if_there_is_none() {
    let mut lab = Lab::new();
    lab.sql(1, "INSERT INTO seen (consumer, event) VALUES ('m', 1)");
    slot(&mut lab, &[], None);
    lab.sql(1, "DELETE FROM seen");
    assert_eq!(read(&mut lab, 9, 10), ["2 delete seen {}"]);
}

#[test]
fn a_slot_decodes_its_tables_only_and_the_last_row_confirms_the_commit() {
    let mut lab = Lab::new();
    slot(&mut lab, &["orders"], None);
    lab.begin(1);
    order(&mut lab, 1, 1);
    lab.sql(1, "INSERT INTO stock (sku, n) VALUES ('a', 1)");
    lab.commit(1);
    lab.sql(1, "UPDATE stock SET n = 2");
    assert_eq!(read(&mut lab, 9, 10), [r#"2 insert orders {"id":1,"customer":"A"}"#]);
    assert_eq!(view(&lab).waiting, 1);
    advance(&mut lab, 9, 2);
    assert_eq!(read(&mut lab, 9, 10), [""; 0]);
}

#[test]
fn a_read_does_not_cut_a_transaction_and_a_confirmation_inside_one_does_not_count() {
    let mut lab = Lab::new();
    slot(&mut lab, &[], None);
    lab.sql(1, "INSERT INTO stock (sku, n) VALUES ('a', 1), ('b', 1), ('c', 1)");
    order(&mut lab, 1, 1);
    assert_eq!(read(&mut lab, 9, 1).len(), 3);
    assert_eq!(read(&mut lab, 9, 3).len(), 3);
    assert_eq!(read(&mut lab, 9, 4).len(), 4);
    advance(&mut lab, 9, 2);
    assert_eq!(read(&mut lab, 9, 10).len(), 4);
    advance(&mut lab, 9, 3);
    assert_eq!(read(&mut lab, 9, 10).len(), 1);
    assert_eq!(advance(&mut lab, 9, 2), "55000");
    // A position that is not there yet confirms what is there.
    advance(&mut lab, 9, 100);
    order(&mut lab, 1, 2);
    assert_eq!(read(&mut lab, 9, 10).len(), 1);
}

#[test]
fn a_new_slot_starts_now() {
    let mut lab = Lab::new();
    order(&mut lab, 1, 1);
    assert_eq!(create(&mut lab, 9), "Done");
    assert_eq!(create(&mut lab, 9), "42710");
    order(&mut lab, 1, 2);
    assert_eq!(read(&mut lab, 9, 10), [r#"2 insert orders {"id":2,"customer":"A"}"#]);
}

#[test]
fn dropping_and_creating_a_slot_again_loses_what_lies_between() {
    let mut lab = Lab::new();
    slot(&mut lab, &[], None);
    order(&mut lab, 1, 1);
    assert_eq!(shown(&lab.ask(9, &Request::DropSlot { name: "s".into() })), "Done");
    assert_eq!(lab.db.wal_kept(), 0);
    assert_eq!(read(&mut lab, 9, 10), ["42704"]);
    order(&mut lab, 1, 2);
    create(&mut lab, 9);
    order(&mut lab, 1, 3);
    assert_eq!(read(&mut lab, 9, 10), [r#"3 insert orders {"id":3,"customer":"A"}"#]);
}

#[test]
fn creating_a_slot_waits_for_running_writers_and_takes_in_later_ones() {
    let mut lab = Lab::new();
    lab.begin(1);
    order(&mut lab, 1, 1);
    assert_eq!(create(&mut lab, 9), "blocked on 1");
    lab.begin(2);
    order(&mut lab, 2, 2);
    assert_eq!(lab.resumable(), [0; 0]);
    lab.commit(1);
    assert_eq!(lab.resumable(), [9]);
    assert_eq!(lab.resume(9), "Done");
    lab.commit(2);
    assert_eq!(read(&mut lab, 9, 10), [r#"2 insert orders {"id":2,"customer":"A"}"#]);
}

#[test]
fn creating_a_slot_waits_for_prepared_transactions_too_and_can_be_cancelled() {
    let mut lab = Lab::new();
    lab.begin(1);
    order(&mut lab, 1, 1);
    lab.ask(1, &Request::Prepare("p".into()));
    assert_eq!(create(&mut lab, 9), "blocked on 1");
    assert!(lab.db.cancel(SessionId(9)));
    assert_eq!(lab.resume(9), "57014");
    lab.begin(2);
    order(&mut lab, 2, 2);
    assert_eq!(create(&mut lab, 2), "25001");
}

#[test]
fn a_prepared_transaction_is_decoded_when_it_is_committed() {
    let mut lab = Lab::new();
    slot(&mut lab, &[], None);
    lab.begin(1);
    order(&mut lab, 1, 1);
    lab.ask(1, &Request::Prepare("p".into()));
    order(&mut lab, 2, 2);
    lab.db.crash(&mut lab.facts);
    assert_eq!(read(&mut lab, 9, 10).len(), 1);
    lab.ask(1, &Request::CommitPrepared("p".into()));
    assert_eq!(
        read(&mut lab, 9, 10),
        [
            r#"1 insert orders {"id":2,"customer":"A"}"#,
            r#"2 insert orders {"id":1,"customer":"A"}"#,
        ]
    );
}

#[test]
fn after_a_server_crash_changes_confirmed_since_the_checkpoint_come_again() {
    let mut lab = Lab::new();
    slot(&mut lab, &[], None);
    order(&mut lab, 1, 1);
    advance(&mut lab, 9, 1);
    lab.db.checkpoint(&mut lab.facts);
    order(&mut lab, 1, 2);
    advance(&mut lab, 9, 2);
    assert_eq!(read(&mut lab, 9, 10), [""; 0]);
    lab.db.crash(&mut lab.facts);
    assert_eq!(read(&mut lab, 8, 10), [r#"2 insert orders {"id":2,"customer":"A"}"#]);
}

#[test]
fn a_slot_has_one_reader_until_its_session_ends() {
    let mut lab = Lab::new();
    slot(&mut lab, &[], None);
    order(&mut lab, 1, 1);
    assert_eq!(read(&mut lab, 8, 10).len(), 1);
    assert_eq!(read(&mut lab, 9, 10), ["55006"]);
    assert_eq!(advance(&mut lab, 9, 1), "55006");
    assert_eq!(shown(&lab.ask(9, &Request::DropSlot { name: "s".into() })), "55006");
    lab.db.close(SessionId(8), &mut lab.facts);
    assert_eq!(read(&mut lab, 9, 10).len(), 1);
}

#[test]
fn an_idle_slot_keeps_the_log_without_bound() {
    let mut lab = Lab::new();
    slot(&mut lab, &["orders"], None);
    for id in 0..20 {
        lab.sql(1, &format!("INSERT INTO stock (sku, n) VALUES ('{id}', 1)"));
        lab.db.checkpoint(&mut lab.facts);
    }
    assert_eq!((view(&lab).retained, view(&lab).waiting, lab.db.wal_kept()), (20, 0, 20));
    assert_eq!(view(&lab).status, SlotStatus::Reserved);
    // Nothing to read, but a consumer that confirms what it has seen of the log frees it.
    advance(&mut lab, 9, 20);
    assert_eq!((view(&lab).retained, lab.db.wal_kept()), (0, 20));
    lab.db.checkpoint(&mut lab.facts);
    assert_eq!(lab.db.wal_kept(), 0);
}

#[test]
fn a_long_transaction_holds_restart_back_though_confirmed_moves() {
    let mut lab = Lab::new();
    slot(&mut lab, &[], None);
    order(&mut lab, 1, 1);
    lab.begin(2);
    order(&mut lab, 2, 2);
    for id in 3..8 {
        order(&mut lab, 1, id);
    }
    advance(&mut lab, 9, 6);
    lab.db.checkpoint(&mut lab.facts);
    assert_eq!((view(&lab).confirmed, view(&lab).restart), (6, 1));
    assert_eq!((view(&lab).retained, lab.db.wal_kept()), (5, 5));
    lab.commit(2);
    advance(&mut lab, 9, 7);
    lab.db.checkpoint(&mut lab.facts);
    assert_eq!((view(&lab).restart, lab.db.wal_kept()), (7, 0));
}

#[test]
fn a_slot_that_keeps_more_than_it_may_is_lost_at_a_checkpoint() {
    let mut lab = Lab::new();
    slot(&mut lab, &[], Some(2));
    for id in 0..3 {
        assert_eq!(view(&lab).status, SlotStatus::Reserved);
        order(&mut lab, 1, id);
    }
    assert_eq!(view(&lab).status, SlotStatus::Unreserved);
    assert_eq!(read(&mut lab, 9, 10).len(), 3);
    lab.db.checkpoint(&mut lab.facts);
    assert_eq!((view(&lab).status, lab.db.wal_kept()), (SlotStatus::Lost, 0));
    assert!(lab.facts.contains(&Fact::SlotLost { slot: "s".into() }));
    assert_eq!(read(&mut lab, 9, 10), ["55000"]);
    assert_eq!(advance(&mut lab, 9, 3), "55000");
    lab.db.crash(&mut lab.facts);
    assert_eq!(view(&lab).status, SlotStatus::Lost);
    assert_eq!(shown(&lab.ask(9, &Request::DropSlot { name: "s".into() })), "Done");
}

#[test]
fn a_slot_that_catches_up_before_the_checkpoint_is_kept() {
    let mut lab = Lab::new();
    slot(&mut lab, &[], Some(1));
    order(&mut lab, 1, 1);
    order(&mut lab, 1, 2);
    advance(&mut lab, 9, 1);
    lab.db.checkpoint(&mut lab.facts);
    assert_eq!((view(&lab).status, lab.db.wal_kept()), (SlotStatus::Reserved, 1));
}

#[test]
fn a_full_disk_stops_all_writes_until_the_slot_moves() {
    let mut lab = Lab::with(Settings { wal_disk_max: Some(2), ..Settings::default() });
    slot(&mut lab, &["outbox"], None);
    lab.begin(3);
    order(&mut lab, 3, 9);
    lab.ask(3, &Request::Prepare("p".into()));
    order(&mut lab, 1, 1);
    order(&mut lab, 1, 2);
    assert_eq!(lab.sql(1, "INSERT INTO orders (id, customer) VALUES (3, 'A')"), "53100");
    lab.begin(2);
    order(&mut lab, 2, 4);
    assert_eq!(shown(&lab.ask(2, &Request::Commit)), "53100");
    assert_eq!(shown(&lab.ask(2, &Request::CommitPrepared("p".into()))), "53100");
    assert_eq!(lab.sql(2, "SELECT id FROM orders"), r#"2: {"id":1} {"id":2}"#);
    advance(&mut lab, 9, 2);
    lab.db.checkpoint(&mut lab.facts);
    // The prepared transaction is older than what fills the disk, and holds it.
    assert_eq!(lab.db.wal_kept(), 2);
    assert_eq!(shown(&lab.ask(2, &Request::RollbackPrepared("p".into()))), "Done");
    lab.db.checkpoint(&mut lab.facts);
    order(&mut lab, 1, 3);
}
