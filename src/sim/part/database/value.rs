//! Values while an expression is evaluated, and PostgreSQL's conversions between types.

use std::cmp::Ordering;
use std::sync::Arc;

use super::failure::SqlFailure;
use super::{json, timestamp};
use crate::datum::{Datum, time_text};
use crate::script::sql::SqlType;

/// A value under evaluation. Times and intervals know how fast they move with the clock, so
/// that a comparison can tell when it would turn out otherwise.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Value {
    Null,
    Bool(bool),
    Int(i64),
    Text(Arc<str>),
    /// Microseconds, and by how much they grow when the clock does.
    Time(i64, i64),
    /// As for `Time`.
    Interval(i64, i64),
    Json(Datum),
    /// A literal or parameter whose type is decided by what it meets.
    Unknown(Datum),
}

/// Whole numbers must stay exact in JavaScript.
const INT_MAX: u64 = (1 << 53) - 1;

pub(super) type Evaluated = Result<Value, SqlFailure>;

pub(super) fn checked_int(value: Option<i64>) -> Evaluated {
    match value.filter(|value| value.unsigned_abs() <= INT_MAX) {
        Some(value) => Ok(Value::Int(value)),
        None => Err(SqlFailure::new("22003", "bigint out of range")),
    }
}

impl Value {
    /// A stored value of a column.
    pub(super) fn stored(datum: &Datum, ty: SqlType) -> Self {
        match datum {
            Datum::Null => Self::Null,
            other if ty == SqlType::Jsonb => Self::Json(other.clone()),
            Datum::Bool(value) => Self::Bool(*value),
            Datum::Int(value) => Self::Int(*value),
            Datum::Text(text) => Self::Text(Arc::clone(text)),
            Datum::Time(us) => Self::Time(*us, 0),
            other => Self::Json(other.clone()),
        }
    }

    /// A parameter as a program gave it.
    pub(super) fn param(datum: &Datum) -> Self {
        match datum {
            Datum::Null => Self::Null,
            other => Self::Unknown(other.clone()),
        }
    }

    /// What a program receives.
    pub(super) fn into_datum(self) -> Datum {
        match self {
            Self::Null => Datum::Null,
            Self::Bool(value) => Datum::Bool(value),
            Self::Int(value) => Datum::Int(value),
            Self::Text(text) => Datum::Text(text),
            Self::Time(us, _) => Datum::Time(us),
            Self::Interval(us, _) => Datum::text(&interval_text(us)),
            Self::Json(datum) => datum,
            Self::Unknown(datum) => Datum::text(&plain_text(&datum)),
        }
    }

    pub(super) fn is_null(&self) -> bool {
        *self == Self::Null
    }

    /// The type, if it is decided.
    pub(super) fn ty(&self) -> Option<SqlType> {
        Some(match self {
            Self::Null | Self::Unknown(_) => return None,
            Self::Bool(_) => SqlType::Boolean,
            Self::Int(_) => SqlType::BigInt,
            Self::Text(_) => SqlType::Text,
            Self::Time(..) => SqlType::Timestamptz,
            Self::Interval(..) => SqlType::Interval,
            Self::Json(_) => SqlType::Jsonb,
        })
    }

    /// True, false or null as a condition.
    pub(super) fn truth(self) -> Result<Option<bool>, SqlFailure> {
        match self {
            Self::Null => Ok(None),
            Self::Bool(value) => Ok(Some(value)),
            other => match other.decide(SqlType::Boolean)? {
                Self::Bool(value) => Ok(Some(value)),
                _ => Err(SqlFailure::new("42804", "a condition must be of type boolean")),
            },
        }
    }

    /// Gives an undecided value a type; leaves any other as it is.
    pub(super) fn decide(self, ty: SqlType) -> Evaluated {
        match self {
            Self::Unknown(datum) => input(&datum, ty),
            other => Ok(other),
        }
    }

    /// An explicit cast, `value::ty`.
    pub(super) fn cast(self, ty: SqlType) -> Evaluated {
        match (self, ty) {
            (Self::Null, _) => Ok(Self::Null),
            (Self::Unknown(datum), _) => input(&datum, ty),
            (Self::Text(text), _) => input(&Datum::Text(text), ty),
            (Self::Json(Datum::Int(value)), SqlType::BigInt | SqlType::Integer) => {
                in_range(value, ty)
            }
            (Self::Json(Datum::Bool(value)), SqlType::Boolean) => Ok(Self::Bool(value)),
            (Self::Json(_), SqlType::BigInt | SqlType::Integer | SqlType::Boolean) => {
                Err(SqlFailure::new("22023", format!("this jsonb value is no {}", ty.name())))
            }
            (Self::Bool(value), SqlType::Integer) => Ok(Self::Int(i64::from(value))),
            (Self::Int(value), SqlType::Boolean) => Ok(Self::Bool(value != 0)),
            (value, _) => value.assign(ty),
        }
    }

    /// The conversion to a column's type on assignment.
    pub(super) fn assign(self, ty: SqlType) -> Evaluated {
        match (self, ty) {
            (Self::Null, _) => Ok(Self::Null),
            (Self::Unknown(datum), _) => input(&datum, ty),
            (Self::Int(value), SqlType::BigInt | SqlType::Integer | SqlType::Xid8) => {
                in_range(value, ty)
            }
            (Self::Text(text), SqlType::Uuid) => input(&Datum::Text(text), ty),
            (value, SqlType::Text) => Ok(Self::Text(value.as_text())),
            (value, _) if value.ty() == Some(ty) => Ok(value),
            (value, _) => Err(SqlFailure::new(
                "42804",
                format!("a value of type {} does not fit type {}", value.type_name(), ty.name()),
            )),
        }
    }

    pub(super) fn type_name(&self) -> &'static str {
        self.ty().map_or("unknown", SqlType::name)
    }

    fn as_text(&self) -> Arc<str> {
        match self {
            Self::Text(text) => Arc::clone(text),
            Self::Json(datum) => json::to_text(datum, true).into(),
            other => plain_text(&other.clone().into_datum()),
        }
    }
}

fn in_range(value: i64, ty: SqlType) -> Evaluated {
    if ty == SqlType::Integer && i32::try_from(value).is_err() {
        return Err(SqlFailure::new("22003", "integer out of range"));
    }
    Ok(Value::Int(value))
}

/// The text that a client driver sends for a scalar or an object.
fn plain_text(datum: &Datum) -> Arc<str> {
    match datum {
        Datum::Text(text) => Arc::clone(text),
        Datum::Time(us) => time_text(*us).into(),
        other => json::to_text(other, false).into(),
    }
}

fn interval_text(us: i64) -> String {
    let sign = if us < 0 { "-" } else { "" };
    let (seconds, fraction) = (us.unsigned_abs() / 1_000_000, us.unsigned_abs() % 1_000_000);
    let (hour, minute, second) = (seconds / 3600, seconds / 60 % 60, seconds % 60);
    let mut text = format!("{sign}{hour:02}:{minute:02}:{second:02}");
    if fraction > 0 {
        text.push_str(format!(".{fraction:06}").trim_end_matches('0'));
    }
    text
}

/// A type's input conversion of a literal or parameter.
fn input(datum: &Datum, ty: SqlType) -> Evaluated {
    if matches!(datum, Datum::Array(_)) {
        return Err(SqlFailure::new("22P02", "an array can only stand in ANY(…)"));
    }
    let text = plain_text(datum);
    let trimmed = text.trim();
    let read = match ty {
        SqlType::Text => Some(Value::Text(Arc::clone(&text))),
        SqlType::BigInt | SqlType::Integer | SqlType::Xid8 => match trimmed.parse::<i64>() {
            Ok(value) if value.unsigned_abs() <= INT_MAX => return in_range(value, ty),
            _ => None,
        },
        SqlType::Boolean => boolean(trimmed).map(Value::Bool),
        SqlType::Timestamptz => timestamp::parse(trimmed).map(|us| Value::Time(us, 0)),
        SqlType::Interval => {
            crate::script::sql::interval_us(trimmed).map(|us| Value::Interval(us, 0))
        }
        SqlType::Uuid => uuid(trimmed).map(Value::Text),
        SqlType::Jsonb => match datum {
            Datum::Object(_) => Some(Value::Json(json::normal(datum))),
            _ => json::parse(&text).map(Value::Json),
        },
    };
    read.ok_or_else(|| {
        let time = matches!(ty, SqlType::Timestamptz | SqlType::Interval);
        let code = if time { "22007" } else { "22P02" };
        let shown: String = text.chars().take(60).collect();
        SqlFailure::new(code, format!("\"{shown}\" is no valid {}", ty.name()))
    })
}

fn boolean(text: &str) -> Option<bool> {
    match text.to_ascii_lowercase().as_str() {
        "true" | "t" | "yes" | "y" | "on" | "1" => Some(true),
        "false" | "f" | "no" | "n" | "off" | "0" => Some(false),
        _ => None,
    }
}

fn uuid(text: &str) -> Option<Arc<str>> {
    let dashes = [8, 13, 18, 23];
    let fits = text.len() == 36
        && text.bytes().enumerate().all(|(at, byte)| {
            if dashes.contains(&at) { byte == b'-' } else { byte.is_ascii_hexdigit() }
        });
    fits.then(|| text.to_ascii_lowercase().into())
}

/// Brings two operands to one type, as PostgreSQL's operator resolution does for this subset.
pub(super) fn same_type(left: Value, right: Value) -> Result<(Value, Value), SqlFailure> {
    let (left, right) = match (left.ty(), right.ty()) {
        (None, None) => (left.decide(SqlType::Text)?, right.decide(SqlType::Text)?),
        (Some(ty), None) => (left, right.decide(ty)?),
        (None, Some(ty)) => (left.decide(ty)?, right),
        (Some(_), Some(_)) => (left, right),
    };
    let clash = left.ty() != right.ty() && !left.is_null() && !right.is_null();
    if clash {
        let (a, b) = (left.type_name(), right.type_name());
        return Err(SqlFailure::new("42883", format!("no operator compares {a} with {b}")));
    }
    Ok((left, right))
}

/// The order of two values of one type; `None` if either is null. Text is ordered by bytes.
pub(super) fn compare(left: &Value, right: &Value) -> Option<Ordering> {
    Some(match (left, right) {
        (Value::Bool(a), Value::Bool(b)) => a.cmp(b),
        (Value::Int(a), Value::Int(b)) => a.cmp(b),
        (Value::Text(a), Value::Text(b)) => a.cmp(b),
        (Value::Time(a, _), Value::Time(b, _)) | (Value::Interval(a, _), Value::Interval(b, _)) => {
            a.cmp(b)
        }
        (Value::Json(a), Value::Json(b)) => a.cmp(b),
        _ => return None,
    })
}

/// How far the clock must go on, in microseconds, until a comparison of these two has turned
/// over; `None` if it never will.
pub(super) fn turns_after(left: &Value, right: &Value) -> Option<i64> {
    let (gap, growth) = match (left, right) {
        (Value::Time(a, p), Value::Time(b, q)) | (Value::Interval(a, p), Value::Interval(b, q)) => {
            (a.checked_sub(*b)?, p - q)
        }
        _ => return None,
    };
    if growth == 0 || gap.signum() * growth.signum() > 0 {
        return None;
    }
    // At equality `<` turns over one microsecond after `<=`.
    gap.checked_abs()?.checked_div(growth.checked_abs()?)?.checked_add(1)
}
