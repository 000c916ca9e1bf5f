//! One test for each rule of the external APIs, named after it.

use std::sync::Arc;

use super::*;
use crate::datum::Datum;

const HONOURED: Config = Config { honours_keys: true, key_ttl_us: None };

fn mail(config: Config) -> MailApi {
    MailApi::new(Mail, config)
}

fn payments(charge_limit: Option<i64>) -> PaymentsApi {
    PaymentsApi::new(Payments { charge_limit }, HONOURED)
}

fn letter(order: i64) -> Letter {
    Letter { order: Datum::Int(order), to: Datum::text("Anna"), kind: "letter".into() }
}

fn money(kind: MoneyKind, amount: i64) -> Money {
    Money { order: Datum::Int(1), kind, amount }
}

/// Calls an API at a time, and gives the answer and what happened.
fn call<S: Service>(
    api: &mut Api<S>,
    request: &S::Request,
    key: Option<&str>,
    now_us: i64,
) -> (Option<Answer>, Vec<Fact>) {
    let mut facts = Vec::new();
    let key: Option<Arc<str>> = key.map(Into::into);
    (api.receive(request, key.as_ref(), 77, now_us, &mut facts), facts)
}

#[test]
fn the_effect_happens_at_arrival() {
    let mut api = mail(Config::default());
    let (answer, facts) = call(&mut api, &letter(5), Some("k"), 40);
    assert!(answer.is_some_and(|answer| answer.is_success()));
    assert_eq!(facts, [Fact::Done { effect: 1, origin: 77 }]);
    let key = Some("k".into());
    let sent = Effect { id: 1, at_us: 40, key, origin: 77, request: letter(5) };
    assert_eq!(api.effects(), [sent]);
}

#[test]
fn a_known_key_gets_the_first_answer_and_no_second_effect() {
    let mut api = mail(HONOURED);
    let first = call(&mut api, &letter(1), Some("k"), 0).0;
    call(&mut api, &letter(2), Some("other"), 1);
    let (again, facts) = call(&mut api, &letter(1), Some("k"), i64::MAX);
    assert_eq!(first, again);
    assert_eq!(facts, [Fact::Repeated { effect: 1, origin: 77 }]);
    assert_eq!(api.effects_of(&Datum::Int(1)).count(), 1);
}

#[test]
fn a_key_that_is_not_honoured_makes_a_second_effect() {
    let mut api = mail(Config::default());
    call(&mut api, &letter(1), Some("k"), 0);
    call(&mut api, &letter(1), Some("k"), 1);
    assert_eq!(api.effects().len(), 2);
}

#[test]
fn without_a_key_each_request_is_an_effect() {
    let mut api = mail(HONOURED);
    call(&mut api, &letter(1), None, 0);
    call(&mut api, &letter(1), None, 1);
    assert_eq!(api.effects().len(), 2);
}

#[test]
fn an_expired_key_makes_a_second_effect() {
    let mut api = mail(Config { honours_keys: true, key_ttl_us: Some(100) });
    call(&mut api, &letter(1), Some("k"), 0);
    call(&mut api, &letter(1), Some("k"), 99);
    assert_eq!(api.effects().len(), 1);
    call(&mut api, &letter(1), Some("k"), 100);
    assert_eq!(api.effects().len(), 2);
    call(&mut api, &letter(1), Some("k"), 199);
    assert_eq!(api.effects().len(), 2, "the second use is remembered from its own time on");
}

#[test]
fn an_error_comes_before_the_effect_and_spends_no_key() {
    let mut api = mail(HONOURED);
    api.fail_next(Some(Fault::Error));
    let (answer, facts) = call(&mut api, &letter(1), Some("k"), 0);
    assert_eq!(answer.map(|answer| answer.status), Some(500));
    assert_eq!(facts, [Fact::Failed { origin: 77 }]);
    assert_eq!(api.effects(), []);
    assert_eq!(api.pending_fault(), None, "only one call fails");
    call(&mut api, &letter(1), Some("k"), 1);
    assert_eq!(api.effects().len(), 1);
}

#[test]
fn silence_comes_after_the_effect_and_a_retry_with_the_key_gets_its_answer() {
    let mut api = mail(HONOURED);
    api.fail_next(Some(Fault::Silence));
    let (answer, facts) = call(&mut api, &letter(1), Some("k"), 0);
    assert_eq!(answer, None);
    assert_eq!(facts, [Fact::Done { effect: 1, origin: 77 }, Fact::Silent { origin: 77 }]);
    let (again, _) = call(&mut api, &letter(1), Some("k"), 1);
    assert_eq!(again, Some(Answer::new(202, "id", Datum::Int(1))));
    assert_eq!(api.effects().len(), 1);
}

#[test]
fn a_fault_can_be_taken_back() {
    let mut api = mail(HONOURED);
    api.fail_next(Some(Fault::Error));
    api.fail_next(None);
    call(&mut api, &letter(1), None, 0);
    assert_eq!(api.effects().len(), 1);
}

#[test]
fn charges_and_refunds_are_recorded_in_order_with_their_amounts() {
    let mut api = payments(None);
    call(&mut api, &money(MoneyKind::Charge, 500), Some("c"), 0);
    call(&mut api, &money(MoneyKind::Charge, 500), Some("c"), 1);
    call(&mut api, &money(MoneyKind::Refund, 200), Some("r"), 2);
    let order = Datum::Int(1);
    assert_eq!(api.balance(&order), 300);
    let records: Vec<_> = api.records().collect();
    assert_eq!(records, [(1, &order, "charge"), (2, &order, "refund")]);
    assert_eq!(api.balance(&Datum::Int(2)), 0);
}

#[test]
fn a_refund_without_a_key_is_doubled_by_a_retry() {
    let mut api = payments(None);
    call(&mut api, &money(MoneyKind::Charge, 500), None, 0);
    call(&mut api, &money(MoneyKind::Refund, 200), None, 1);
    call(&mut api, &money(MoneyKind::Refund, 200), None, 2);
    assert_eq!(api.balance(&Datum::Int(1)), 100);
}

#[test]
fn a_refund_beyond_the_charges_is_refused() {
    let mut api = payments(None);
    call(&mut api, &money(MoneyKind::Charge, 500), None, 0);
    let (answer, facts) = call(&mut api, &money(MoneyKind::Refund, 501), Some("r"), 1);
    assert_eq!(answer.map(|answer| answer.status), Some(422));
    assert_eq!(facts, [Fact::Refused { origin: 77, status: 422 }]);
    call(&mut api, &money(MoneyKind::Refund, 500), Some("r"), 2);
    assert_eq!(api.balance(&Datum::Int(1)), 0, "a refusal does not spend the key");
}

#[test]
fn a_charge_above_the_limit_is_declined() {
    let mut api = payments(Some(100));
    let (answer, _) = call(&mut api, &money(MoneyKind::Charge, 101), None, 0);
    assert_eq!(answer.map(|answer| (answer.status, answer.is_success())), Some((402, false)));
    call(&mut api, &money(MoneyKind::Charge, 100), None, 1);
    assert_eq!(api.balance(&Datum::Int(1)), 100);
}

#[test]
fn an_amount_must_be_positive() {
    let mut api = payments(None);
    call(&mut api, &money(MoneyKind::Charge, 0), None, 0);
    call(&mut api, &money(MoneyKind::Refund, -5), None, 0);
    assert_eq!(api.effects(), []);
}
