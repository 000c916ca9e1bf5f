//! The mail API: every accepted request is a letter in somebody's mailbox.

use std::sync::Arc;

use super::common::{Answer, Api, Decision, Effect, Service};
use crate::datum::Datum;

/// An API that sends letters.
pub type MailApi = Api<Mail>;

/// The rules of mail: it refuses nothing.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Mail;

/// A letter.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Letter {
    /// The order that it is about.
    pub order: Datum,
    /// The addressee.
    pub to: Datum,
    /// What sort of letter, as claims name it.
    pub kind: Arc<str>,
}

impl Service for Mail {
    type Request = Letter;

    fn order(letter: &Letter) -> &Datum {
        &letter.order
    }

    fn kind(letter: &Letter) -> &str {
        &letter.kind
    }

    fn decide(&self, _: &Letter, id: u64, _: &[Effect<Letter>]) -> Decision {
        Decision::Do(Answer::new(202, "id", Datum::Int(i64::try_from(id).unwrap_or(i64::MAX))))
    }
}
