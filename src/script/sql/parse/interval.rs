//! Reads the text of an interval: `5 seconds`, `1 hour 30 minutes`, `250 ms`.

/// Microseconds of an interval text. Months and years have no fixed length and are refused, as
/// are fractions; days count as 24 hours.
pub(crate) fn interval_us(text: &str) -> Option<i64> {
    let mut words = text.split_ascii_whitespace().peekable();
    words.peek()?;
    let mut total = 0i64;
    while let Some(word) = words.next() {
        let digits = word.trim_start_matches(['-', '+']);
        let split = digits.find(|c: char| !c.is_ascii_digit()).unwrap_or(digits.len());
        let (number, glued) = digits.split_at_checked(split)?;
        let sign = match word.len() - digits.len() {
            1 if word.starts_with('-') => -1,
            0 | 1 => 1,
            _ => return None,
        };
        let unit = if glued.is_empty() { words.next()? } else { glued };
        let amount = number.parse::<i64>().ok()?.checked_mul(unit_us(unit)?)?;
        total = total.checked_add(amount.checked_mul(sign)?)?;
    }
    Some(total)
}

fn unit_us(unit: &str) -> Option<i64> {
    Some(match unit.to_ascii_lowercase().as_str() {
        "us" | "microsecond" | "microseconds" => 1,
        "ms" | "millisecond" | "milliseconds" => 1_000,
        "s" | "sec" | "secs" | "second" | "seconds" => 1_000_000,
        "m" | "min" | "mins" | "minute" | "minutes" => 60_000_000,
        "h" | "hr" | "hrs" | "hour" | "hours" => 3_600_000_000,
        "d" | "day" | "days" => 86_400_000_000,
        "w" | "week" | "weeks" => 604_800_000_000,
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_units_of_fixed_length_only() {
        assert_eq!(interval_us("5 seconds"), Some(5_000_000));
        assert_eq!(interval_us("1 hour 30 minutes"), Some(5_400_000_000));
        assert_eq!(interval_us("250ms"), Some(250_000));
        assert_eq!(interval_us("-1 day"), Some(-86_400_000_000));
        for refused in
            ["", "5", "1 month", "1.5 seconds", "seconds", "- 5 s", "9999999999999 weeks"]
        {
            assert_eq!(interval_us(refused), None, "{refused}");
        }
    }
}
