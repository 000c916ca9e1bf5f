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

    /// The same with all moments at the beginning of time.
    pub fn without_time(&self) -> Self {
        match self {
            Self::Time(_) => Self::Time(0),
            Self::Array(items) if items.iter().any(Self::has_time) => {
                Self::Array(items.iter().map(Self::without_time).collect())
            }
            Self::Object(fields) if fields.iter().any(|(_, value)| value.has_time()) => {
                let fields = fields.iter();
                Self::Object(fields.map(|(name, v)| (name.clone(), v.without_time())).collect())
            }
            other => other.clone(),
        }
    }

    fn has_time(&self) -> bool {
        match self {
            Self::Time(_) => true,
            Self::Array(items) => items.iter().any(Self::has_time),
            Self::Object(fields) => fields.iter().any(|(_, value)| value.has_time()),
            _ => false,
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

/// The moment when virtual time begins, in milliseconds of Unix time: 2026-01-01 00:00:00 UTC.
pub const EPOCH_MS: i64 = 1_767_225_600_000;

/// PostgreSQL's text of a `timestamptz` in the time zone UTC, as its documentation of date/time
/// output shows it for ISO style: `2026-01-01 00:00:03.42+00`.
pub fn time_text(us: i64) -> String {
    const DAY_US: i64 = 86_400_000_000;
    let (year, month, day) = civil_date(us.div_euclid(DAY_US));
    let in_day = us.rem_euclid(DAY_US);
    let (seconds, micros) = (in_day / 1_000_000, in_day % 1_000_000);
    let mut text = format!(
        "{year:04}-{month:02}-{day:02} {:02}:{:02}:{:02}",
        seconds / 3600,
        seconds / 60 % 60,
        seconds % 60
    );
    if micros > 0 {
        let digits = format!("{micros:06}");
        text.push('.');
        text.push_str(digits.trim_end_matches('0'));
    }
    text.push_str("+00");
    text
}

/// Year, month and day of a number of days after 2026-01-01.
pub(crate) fn civil_date(mut days: i64) -> (i64, i64, i64) {
    let leap = |year: i64| (year % 4 == 0 && year % 100 != 0) || year % 400 == 0;
    let length = |year: i64| if leap(year) { 366 } else { 365 };
    let mut year = 2026;
    while days < 0 {
        year -= 1;
        days += length(year);
    }
    while days >= length(year) {
        days -= length(year);
        year += 1;
    }
    let february = if leap(year) { 29 } else { 28 };
    let mut month = 1;
    for length in [31, february, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31] {
        if days < length {
            break;
        }
        days -= length;
        month += 1;
    }
    (year, month, days + 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_read_as_postgresql_writes_them() {
        assert_eq!(time_text(0), "2026-01-01 00:00:00+00");
        assert_eq!(time_text(1_250_000), "2026-01-01 00:00:01.25+00");
        assert_eq!(time_text(3_420_000), "2026-01-01 00:00:03.42+00");
        assert_eq!(time_text(59 * 86_400_000_000 + 1), "2026-03-01 00:00:00.000001+00");
        assert_eq!(time_text(-1), "2025-12-31 23:59:59.999999+00");
        assert_eq!(time_text(365 * 86_400_000_000 * 3), "2028-12-31 00:00:00+00");
    }
}
