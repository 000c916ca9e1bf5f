//! JSON text and `jsonb`: keys sorted by length and then by bytes, the last duplicate kept
//! (docs: datatype-json). Numbers are whole, as everywhere in the model.

use crate::collections::sort_by;
use std::sync::Arc;

use crate::datum::Datum;

/// Deepest nesting that is read.
const DEPTH_MAX: u32 = 64;

/// Reads JSON text into `jsonb`; `None` if it is malformed, too deep, or has a fraction in it.
pub(super) fn parse(text: &str) -> Option<Datum> {
    let mut reader = Reader { rest: text };
    let value = reader.value(0)?;
    reader.space();
    reader.rest.is_empty().then_some(value)
}

/// A value as `jsonb` holds it.
pub(super) fn normal(value: &Datum) -> Datum {
    match value {
        Datum::Array(items) => Datum::Array(items.iter().map(normal).collect()),
        Datum::Object(fields) => {
            object(fields.iter().map(|(key, value)| (Arc::clone(key), normal(value))).collect())
        }
        other => other.clone(),
    }
}

fn object(mut fields: Vec<(Arc<str>, Datum)>) -> Datum {
    // Stable, so of equal keys the last written stands last and wins.
    sort_by(&mut fields, |(a, _), (b, _)| a.len().cmp(&b.len()).then_with(|| a.cmp(b)));
    let mut kept: Vec<(Arc<str>, Datum)> = Vec::with_capacity(fields.len());
    for field in fields {
        match kept.last_mut().filter(|last| last.0 == field.0) {
            Some(last) => *last = field,
            None => kept.push(field),
        }
    }
    Datum::Object(kept.into())
}

/// The text of a value: PostgreSQL's with a space after `:` and `,`, or JavaScript's without.
pub(super) fn to_text(value: &Datum, spaced: bool) -> String {
    let mut out = String::new();
    write(&mut out, value, spaced);
    out
}

fn write(out: &mut String, value: &Datum, spaced: bool) {
    let comma = if spaced { ", " } else { "," };
    match value {
        Datum::Null => out.push_str("null"),
        Datum::Bool(value) => out.push_str(if *value { "true" } else { "false" }),
        Datum::Int(value) => out.push_str(&value.to_string()),
        Datum::Text(text) => quote(out, text),
        Datum::Time(us) => quote(out, &crate::datum::time_text(*us)),
        Datum::Array(items) => {
            out.push('[');
            for (at, item) in items.iter().enumerate() {
                out.push_str(if at > 0 { comma } else { "" });
                write(out, item, spaced);
            }
            out.push(']');
        }
        Datum::Object(fields) => {
            out.push('{');
            for (at, (key, value)) in fields.iter().enumerate() {
                out.push_str(if at > 0 { comma } else { "" });
                quote(out, key);
                out.push_str(if spaced { ": " } else { ":" });
                write(out, value, spaced);
            }
            out.push('}');
        }
    }
}

fn quote(out: &mut String, text: &str) {
    out.push('"');
    for character in text.chars() {
        match character {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\r"),
            '\t' => out.push_str("\\t"),
            '\u{8}' => out.push_str("\\b"),
            '\u{c}' => out.push_str("\\f"),
            control if control < ' ' => out.push_str(&format!("\\u{:04x}", u32::from(control))),
            other => out.push(other),
        }
    }
    out.push('"');
}

struct Reader<'a> {
    rest: &'a str,
}

impl Reader<'_> {
    fn space(&mut self) {
        self.rest = self.rest.trim_start_matches([' ', '\t', '\r', '\n']);
    }

    fn eat(&mut self, text: &str) -> bool {
        let after = self.rest.strip_prefix(text);
        self.rest = after.unwrap_or(self.rest);
        after.is_some()
    }

    fn value(&mut self, depth: u32) -> Option<Datum> {
        self.space();
        if depth > DEPTH_MAX {
            return None;
        }
        match self.rest.chars().next()? {
            '"' => self.string().map(Datum::Text),
            '[' => self.array(depth),
            '{' => self.fields(depth),
            '-' | '0'..='9' => self.number(),
            _ if self.eat("null") => Some(Datum::Null),
            _ if self.eat("true") => Some(Datum::Bool(true)),
            _ if self.eat("false") => Some(Datum::Bool(false)),
            _ => None,
        }
    }

    fn array(&mut self, depth: u32) -> Option<Datum> {
        self.eat("[");
        let mut items = Vec::new();
        self.space();
        while !self.eat("]") {
            if !items.is_empty() && !self.eat(",") {
                return None;
            }
            items.push(self.value(depth + 1)?);
            self.space();
        }
        Some(Datum::Array(items.into()))
    }

    fn fields(&mut self, depth: u32) -> Option<Datum> {
        self.eat("{");
        let mut fields = Vec::new();
        self.space();
        while !self.eat("}") {
            if !fields.is_empty() && !self.eat(",") {
                return None;
            }
            self.space();
            let key = self.string()?;
            self.space();
            if !self.eat(":") {
                return None;
            }
            fields.push((key, self.value(depth + 1)?));
            self.space();
        }
        Some(object(fields))
    }

    fn number(&mut self) -> Option<Datum> {
        let end = self.rest.find(|c: char| !"-+.eE0123456789".contains(c));
        let (digits, rest) = self.rest.split_at_checked(end.unwrap_or(self.rest.len()))?;
        self.rest = rest;
        let plain = digits.strip_prefix('-').unwrap_or(digits);
        if plain.len() > 1 && plain.starts_with('0') || plain.starts_with('+') {
            return None;
        }
        digits.parse().ok().filter(|n: &i64| n.unsigned_abs() < 1 << 53).map(Datum::Int)
    }

    fn string(&mut self) -> Option<Arc<str>> {
        if !self.eat("\"") {
            return None;
        }
        let mut text = String::new();
        loop {
            let character = self.rest.chars().next()?;
            self.rest = self.rest.get(character.len_utf8()..)?;
            match character {
                '"' => return Some(text.into()),
                '\\' => text.push(self.escape()?),
                control if control < ' ' => return None,
                other => text.push(other),
            }
        }
    }

    fn escape(&mut self) -> Option<char> {
        let character = self.rest.chars().next()?;
        self.rest = self.rest.get(character.len_utf8()..)?;
        Some(match character {
            'n' => '\n',
            'r' => '\r',
            't' => '\t',
            'b' => '\u{8}',
            'f' => '\u{c}',
            '"' | '\\' | '/' => character,
            'u' => {
                let first = self.hex()?;
                if (0xd800..0xdc00).contains(&first) {
                    if !self.eat("\\u") {
                        return None;
                    }
                    let second = self.hex()?.checked_sub(0xdc00).filter(|low| *low < 0x400)?;
                    char::from_u32(0x10000 + ((first - 0xd800) << 10) + second)?
                } else {
                    // PostgreSQL's text cannot hold the zero character.
                    char::from_u32(first).filter(|c| *c != '\0')?
                }
            }
            _ => return None,
        })
    }

    fn hex(&mut self) -> Option<u32> {
        let (digits, rest) = self.rest.split_at_checked(4)?;
        self.rest = rest;
        let all_hex = digits.bytes().all(|byte| byte.is_ascii_hexdigit());
        if all_hex { u32::from_str_radix(digits, 16).ok() } else { None }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn round(text: &str) -> Option<String> {
        parse(text).map(|value| to_text(&value, true))
    }

    #[test]
    fn jsonb_sorts_keys_by_length_then_bytes_and_keeps_the_last_duplicate() {
        assert_eq!(
            round(r#"{"orderId":1,"b":[1,2],"a":null,"b":{"z":"\u00e9\n"}}"#).unwrap(),
            r#"{"a": null, "b": {"z": "é\n"}, "orderId": 1}"#
        );
        let value = parse(r#"{"b":1,"aa":[true,"x"]}"#).unwrap();
        assert_eq!(to_text(&value, false), r#"{"b":1,"aa":[true,"x"]}"#);
    }

    #[test]
    fn malformed_text_is_refused() {
        for text in ["", "{", "[1,]", "01", "1.5", "{\"a\"}", "\"\\ud800\"", "tru", "1 2", "{,}"] {
            assert_eq!(parse(text), None, "{text}");
        }
    }

    proptest! {
        #[test]
        fn no_text_panics(text in "[\\[\\]{}\",:0-9a\\\\u-]{0,24}|\\PC{0,12}") {
            if let Some(value) = parse(&text) {
                prop_assert_eq!(parse(&to_text(&value, true)), Some(value));
            }
        }
    }
}
