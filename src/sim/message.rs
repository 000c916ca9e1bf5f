//! What flies between parts.

use std::sync::Arc;

use crate::datum::Datum;
use crate::script::vm::Answer;
use crate::sim::event::{Ask, Name, Site};
use crate::sim::part::{api, broker, database};
use crate::sim::setup::PartId;

/// A message under way.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Message {
    /// Its name.
    pub name: Name,
    /// Who sent it.
    pub from: PartId,
    /// Whom it goes to.
    pub to: PartId,
    /// Over which connection.
    pub conn: u32,
    /// When it left, in microseconds.
    pub depart_us: i64,
    /// What it carries.
    pub body: Body,
    /// The order that it is about.
    pub order: Option<i64>,
}

/// A call as a server sees it, kept with its answer.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Asked {
    /// The caller's number of the call.
    pub call: u32,
    /// Where the program made it.
    pub site: Site,
    /// What it asks for.
    pub ask: Ask,
    /// The order that it is about.
    pub order: Option<i64>,
}

/// What a message carries.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Body {
    /// A customer's order.
    Order {
        /// Its number.
        order: i64,
    },
    /// A service's answer to an order: `true` is 200.
    OrderAnswer {
        /// Whether it worked.
        ok: bool,
    },
    /// A statement for a database.
    Statement {
        /// The call.
        asked: Asked,
        /// The statement.
        request: database::Request,
    },
    /// A letter for a mail service.
    Letter {
        /// The call.
        asked: Asked,
        /// The letter.
        letter: api::Letter,
        /// The idempotency key.
        key: Option<Arc<str>>,
    },
    /// A request for a broker.
    ToBroker {
        /// The call.
        asked: Asked,
        /// The request.
        request: broker::Request,
    },
    /// The answer to a call.
    Answer {
        /// The call.
        asked: Asked,
        /// The answer.
        answer: Answer,
    },
    /// A message from a queue to its consumer.
    Delivery {
        /// The consumer's call of `subscribe`.
        subscription: u32,
        /// What to acknowledge it by.
        tag: broker::Tag,
        /// It was handed over before.
        redelivered: bool,
        /// The message.
        message: Arc<broker::Message>,
    },
    /// The connection is closed.
    Reset,
}

impl Body {
    /// The call that a request or an answer belongs to.
    pub fn asked(&self) -> Option<&Asked> {
        match self {
            Self::Statement { asked, .. }
            | Self::Letter { asked, .. }
            | Self::ToBroker { asked, .. }
            | Self::Answer { asked, .. } => Some(asked),
            _ => None,
        }
    }

    /// What it says, as plain data, for the reader of the stage.
    pub fn content(&self) -> Option<Datum> {
        match self {
            Self::Delivery { message, .. } => Some(message.body.clone()),
            Self::ToBroker { request: broker::Request::Publish { message, .. }, .. } => {
                Some(message.body.clone())
            }
            _ => None,
        }
    }
}
