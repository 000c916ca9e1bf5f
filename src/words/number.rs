//! Numbers as each language writes them, in whole-number arithmetic only: floating-point formatting
//! would be the largest thing in the module.

use super::Lang;

/// Appends a number with its digits in groups of three: «1 234» with a no-break space, "1,234".
pub(super) fn push_grouped(out: &mut String, n: i64, lang: Lang) {
    let digits = n.unsigned_abs().to_string();
    if n < 0 {
        out.push('-');
    }
    for (digit, left) in digits.chars().zip((1..=digits.len()).rev()) {
        out.push(digit);
        if left % 3 == 1 && left > 1 {
            out.push(lang.group_mark());
        }
    }
}

/// Microseconds as seconds with two decimals, rounded half up: «3,42», "3.42".
pub(super) fn seconds(microseconds: u64, lang: Lang) -> String {
    let hundredths = microseconds / 10_000 + u64::from(microseconds % 10_000 >= 5_000);
    let mut out = (hundredths / 100).to_string();
    out.push(lang.decimal_mark());
    if hundredths % 100 < 10 {
        out.push('0');
    }
    out.push_str(&(hundredths % 100).to_string());
    out
}
