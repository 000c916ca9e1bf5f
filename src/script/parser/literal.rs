//! Numbers and the escapes of strings and templates.

use super::cursor::Parser;
use crate::script::problem::Problem;
use crate::text::Span;

/// The largest integer that JavaScript tells from its neighbours.
pub(super) const MAX_SAFE: i64 = (1 << 53) - 1;

impl Parser<'_> {
    /// The value of a number token; 0 after an error.
    pub(super) fn number(&mut self, span: Span) -> i64 {
        match read_integer(self.slice(span)) {
            Ok(value) => value,
            Err(problem) => {
                self.error(problem, span);
                0
            }
        }
    }

    /// Resolves the escapes of a piece of text that stands at `span`.
    pub(super) fn unescape(&mut self, span: Span) -> String {
        let raw = self.slice(span);
        let mut text = String::with_capacity(raw.len());
        let mut rest = raw;
        while let Some(c) = rest.chars().next() {
            let before = rest;
            rest = &rest[c.len_utf8()..];
            if c == '\r' {
                // Line ends in templates are one character, however the file writes them.
                rest = rest.strip_prefix('\n').unwrap_or(rest);
                text.push('\n');
            } else if c != '\\' {
                text.push(c);
            } else if let Some((resolved, after)) = read_escape(rest) {
                text.extend(resolved);
                rest = after;
            } else {
                let start = span.start + (raw.len() - before.len()) as u32;
                let length = before.chars().take(2).map(char::len_utf8).sum::<usize>() as u32;
                self.error(Problem::BadEscape, Span::new(start, start + length));
            }
        }
        text
    }
}

fn read_integer(text: &str) -> Result<i64, Problem> {
    let separated = text.split('_').all(|group| !group.is_empty());
    let digits: String = text.chars().filter(|c| *c != '_').collect();
    if digits.bytes().all(|byte| byte.is_ascii_digit()) {
        if !separated || (digits.starts_with('0') && text.len() > 1) {
            return Err(Problem::NumberForm);
        }
        return match digits.parse() {
            Ok(value) if value <= MAX_SAFE => Ok(value),
            _ => Err(Problem::NumberTooLarge),
        };
    }
    let fraction =
        digits.bytes().all(|b| matches!(b, b'0'..=b'9' | b'.' | b'e' | b'E' | b'+' | b'-'));
    Err(if fraction { Problem::Fraction } else { Problem::NumberForm })
}

/// What follows a backslash: the character it means, none for a continued line, and the rest.
fn read_escape(text: &str) -> Option<(Option<char>, &str)> {
    let mut characters = text.chars();
    let meaning = match characters.next()? {
        'n' => '\n',
        't' => '\t',
        'r' => '\r',
        'b' => '\u{8}',
        'f' => '\u{c}',
        'v' => '\u{b}',
        '0' if !characters.as_str().starts_with(|c: char| c.is_ascii_digit()) => '\0',
        c @ ('\\' | '\'' | '"' | '`' | '$' | '{') => c,
        '\r' => return Some((None, text.strip_prefix("\r\n").unwrap_or(characters.as_str()))),
        '\n' | '\u{2028}' | '\u{2029}' => return Some((None, characters.as_str())),
        'x' => return read_hex(characters.as_str(), 2).and_then(to_char),
        'u' => return read_unicode(characters.as_str()),
        _ => return None,
    };
    Some((Some(meaning), characters.as_str()))
}

fn read_unicode(text: &str) -> Option<(Option<char>, &str)> {
    if let Some(braced) = text.strip_prefix('{') {
        let (digits, rest) = braced.split_once('}')?;
        let (code, left) = read_hex(digits, digits.len())?;
        return to_char((code, left)).map(|(c, _)| (c, rest));
    }
    let (first, rest) = read_hex(text, 4)?;
    if !(0xd800..0xdc00).contains(&first) {
        return to_char((first, rest));
    }
    // A character beyond 16 bits may be written as two halves.
    let (second, rest) = read_hex(rest.strip_prefix("\\u")?, 4)?;
    let low = second.checked_sub(0xdc00).filter(|low| *low < 0x400)?;
    to_char((0x10000 + ((first - 0xd800) << 10) + low, rest))
}

fn read_hex(text: &str, count: usize) -> Option<(u32, &str)> {
    let digits = text.get(..count)?;
    let all = count > 0 && digits.bytes().all(|byte| byte.is_ascii_hexdigit());
    let code = all.then(|| u32::from_str_radix(digits, 16).ok())??;
    Some((code, &text[count..]))
}

fn to_char((code, rest): (u32, &str)) -> Option<(Option<char>, &str)> {
    char::from_u32(code).map(|c| (Some(c), rest))
}
