//! Plain data that crosses between parts: what rows, messages and requests are made of.

use std::sync::Arc;

/// A value outside any program: no functions, no sharing, cheap to clone.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Datum {
    /// `null`.
    Null,
    /// A boolean.
    Bool(bool),
    /// An integer that JavaScript holds exactly (`|n| < 2^53`).
    Int(i64),
    /// A string.
    Text(Arc<str>),
    /// A `timestamptz`: microseconds of virtual time since the run began. Programs receive
    /// it as PostgreSQL's text.
    Time(i64),
    /// An array.
    Array(Arc<[Datum]>),
    /// A plain object, its keys in the order of writing; `jsonb` re-orders them as PostgreSQL does.
    Object(Arc<[(Arc<str>, Datum)]>),
}

impl Datum {
    /// A text value.
    pub fn text(text: &str) -> Self {
        Self::Text(text.into())
    }

    /// A field of an object.
    pub fn field(&self, key: &str) -> Option<&Datum> {
        match self {
            Self::Object(fields) => fields.iter().find(|(name, _)| &**name == key).map(|(_, v)| v),
            _ => None,
        }
    }

    /// The integer, if this is one.
    pub fn as_int(&self) -> Option<i64> {
        match self {
            Self::Int(value) => Some(*value),
            _ => None,
        }
    }

    /// The text, if this is one.
    pub fn as_text(&self) -> Option<&str> {
        match self {
            Self::Text(text) => Some(text),
            _ => None,
        }
    }
}
