//! Reads a `timestamptz` from text. A run begins at 2026-01-01 00:00:00 UTC, and the session's
//! time zone is UTC. The way back is `time_text`.

use crate::datum::civil_date;

const DAY_US: i64 = 86_400_000_000;

/// Days from 0000-03-01 of the proleptic Gregorian calendar to a run's first day.
const FIRST_DAY: i64 = days_from_civil(2026, 1, 1);

/// Reads PostgreSQL's text of a moment, such as `2026-01-01 00:00:01.25+00`, also with `T`, `Z`, a numeric offset, or without a time of day.
/// `None` if it is none or lies outside the years 1 to 9999.
pub(super) fn parse(text: &str) -> Option<i64> {
    let text = text.trim();
    let (date, rest) = text.split_at_checked(10)?;
    let mut parts = date.split('-');
    let year = number(parts.next()?, 4)?;
    let month = number(parts.next()?, 2)?;
    let day = number(parts.next()?, 2)?;
    if parts.next().is_some() || !(1..=12).contains(&month) || year < 1 {
        return None;
    }
    let days = days_from_civil(year, month, day) - FIRST_DAY;
    if civil_date(days) != (year, month, day) {
        return None;
    }
    let in_day = match rest.strip_prefix([' ', 'T']) {
        Some(time) => time_us(time)?,
        None if rest.is_empty() => 0,
        None => return None,
    };
    Some(days * DAY_US + in_day)
}

/// Microseconds since midnight UTC of `HH:MM[:SS[.ffffff]][zone]`.
fn time_us(text: &str) -> Option<i64> {
    let zone_at = text.find(['+', '-', 'Z']).unwrap_or(text.len());
    let (clock, zone) = text.split_at_checked(zone_at)?;
    let (clock, fraction) = clock.split_once('.').unwrap_or((clock, "0"));
    let mut parts = clock.split(':');
    let hour = number(parts.next()?, 2).filter(|hour| *hour < 24)?;
    let minute = number(parts.next()?, 2).filter(|minute| *minute < 60)?;
    let second = parts.next().map_or(Some(0), |part| number(part, 2)).filter(|s| *s < 60)?;
    if parts.next().is_some() || fraction.len() > 6 {
        return None;
    }
    let fraction_us = number(&format!("{fraction:0<6}"), 6)?;
    Some((hour * 3600 + minute * 60 + second) * 1_000_000 + fraction_us - zone_us(zone)?)
}

fn zone_us(zone: &str) -> Option<i64> {
    let sign = match zone.chars().next() {
        None => return Some(0),
        Some('Z') => return (zone == "Z").then_some(0),
        Some('-') => -1,
        Some(_) => 1,
    };
    let digits = zone.get(1..)?.replace(':', "");
    let (hours, minutes) = match digits.len() {
        2 => (number(&digits, 2)?, 0),
        4 => (number(digits.get(..2)?, 2)?, number(digits.get(2..)?, 2)?),
        _ => return None,
    };
    (hours < 16 && minutes < 60).then_some(sign * (hours * 60 + minutes) * 60_000_000)
}

fn number(digits: &str, length: usize) -> Option<i64> {
    let plain = digits.len() == length && digits.bytes().all(|byte| byte.is_ascii_digit());
    if plain { digits.parse().ok() } else { None }
}

/// Days since 0000-03-01, by counting years that begin in March.
const fn days_from_civil(year: i64, month: i64, day: i64) -> i64 {
    let year = if month <= 2 { year - 1 } else { year };
    let era = year.div_euclid(400);
    let of_era = year.rem_euclid(400);
    let of_year = (153 * ((month + 9) % 12) + 2) / 5 + day - 1;
    era * 146_097 + of_era * 365 + of_era / 4 - of_era / 100 + of_year
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::datum::time_text;
    use proptest::prelude::*;

    #[test]
    fn a_run_begins_with_2026_and_dates_must_exist() {
        assert_eq!(parse("2026-01-01T01:00:00+01:00"), Some(0));
        assert_eq!(parse("2026-01-02"), Some(DAY_US));
        assert_eq!(parse("2026-02-29"), None);
    }

    proptest! {
        #[test]
        fn text_and_moment_agree(us in -60_000_000_000_000_000_i64..200_000_000_000_000_000) {
            prop_assert_eq!(parse(&time_text(us)), Some(us));
        }

        #[test]
        fn no_text_panics(text in "[0-9:TZ.+ -]{0,32}|\\PC{0,16}") {
            parse(&text);
        }
    }
}
