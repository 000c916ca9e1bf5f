//! The payments API: charges a customer for an order and pays back.

use super::common::{Answer, Api, Decision, Effect, Service};
use crate::datum::Datum;

/// An API that moves money.
pub type PaymentsApi = Api<Payments>;

/// The rules of money: a charge above the limit is declined, a refund may not exceed what is
/// left of the charges.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Payments {
    /// The largest single charge that the bank accepts, in the smallest unit of the currency.
    pub charge_limit: Option<i64>,
}

/// A movement of money.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Money {
    /// The order that it is about.
    pub order: Datum,
    /// Which way it goes.
    pub kind: MoneyKind,
    /// How much, more than nothing, in the smallest unit of the currency.
    pub amount: i64,
}

/// The two ways that money goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum MoneyKind {
    /// From the customer.
    Charge,
    /// Back to the customer.
    Refund,
}

impl Service for Payments {
    type Request = Money;

    fn order(money: &Money) -> &Datum {
        &money.order
    }

    fn kind(money: &Money) -> &str {
        match money.kind {
            MoneyKind::Charge => "charge",
            MoneyKind::Refund => "refund",
        }
    }

    fn decide(&self, money: &Money, id: u64, done: &[Effect<Money>]) -> Decision {
        let refuse = |status, why| Decision::Refuse(Answer::new(status, "error", Datum::text(why)));
        if money.amount <= 0 {
            return refuse(422, "the amount must be positive");
        }
        match money.kind {
            MoneyKind::Charge if self.charge_limit.is_some_and(|limit| money.amount > limit) => {
                refuse(402, "the card was declined")
            }
            MoneyKind::Refund if money.amount > balance(&money.order, done) => {
                refuse(422, "the refund exceeds what was charged")
            }
            MoneyKind::Charge | MoneyKind::Refund => {
                let id = i64::try_from(id).unwrap_or(i64::MAX);
                Decision::Do(Answer::new(201, "id", Datum::Int(id)))
            }
        }
    }
}

impl PaymentsApi {
    /// What an order has been charged, less what was paid back.
    pub fn balance(&self, order: &Datum) -> i64 {
        balance(order, self.effects())
    }
}

fn balance(order: &Datum, done: &[Effect<Money>]) -> i64 {
    let of_order = done.iter().map(|effect| &effect.request).filter(|money| money.order == *order);
    of_order.fold(0, |sum: i64, money| match money.kind {
        MoneyKind::Charge => sum.saturating_add(money.amount),
        MoneyKind::Refund => sum.saturating_sub(money.amount),
    })
}
