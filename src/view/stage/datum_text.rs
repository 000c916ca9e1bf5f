//! A row or a message as a person reads it: like JavaScript, without quotes on names.

use std::fmt::Write as _;

use crate::datum::{Datum, time_text};

/// `{ orderId: 3, customer: "Clara" }`; times as PostgreSQL writes them.
pub fn text(datum: &Datum) -> String {
    let mut out = String::new();
    write(&mut out, datum);
    out
}

fn write(out: &mut String, datum: &Datum) {
    match datum {
        Datum::Null => out.push_str("null"),
        Datum::Bool(value) => out.push_str(if *value { "true" } else { "false" }),
        Datum::Int(value) => out.push_str(&value.to_string()),
        Datum::Text(value) => quote(out, value),
        Datum::Time(us) => quote(out, &time_text(*us)),
        Datum::Array(items) => {
            out.push('[');
            for (index, item) in items.iter().enumerate() {
                separate(out, index);
                write(out, item);
            }
            out.push(']');
        }
        Datum::Object(fields) if fields.is_empty() => out.push_str("{}"),
        Datum::Object(fields) => {
            out.push_str("{ ");
            for (index, (name, value)) in fields.iter().enumerate() {
                separate(out, index);
                out.push_str(name);
                out.push_str(": ");
                write(out, value);
            }
            out.push_str(" }");
        }
    }
}

fn separate(out: &mut String, index: usize) {
    if index > 0 {
        out.push_str(", ");
    }
}

fn quote(out: &mut String, text: &str) {
    out.push('"');
    for character in text.chars() {
        match character {
            '"' | '\\' => {
                out.push('\\');
                out.push(character);
            }
            control if control.is_control() => {
                let _ = write!(out, "\\u{:04x}", u32::from(control));
            }
            other => out.push(other),
        }
    }
    out.push('"');
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn data_read_like_javascript() {
        let fields = [
            ("orderId".into(), Datum::Int(3)),
            ("customer".into(), Datum::text("Cl\"a\nra")),
            ("ids".into(), Datum::Array([Datum::Null, Datum::Bool(true)].into())),
            ("at".into(), Datum::Time(0)),
            ("empty".into(), Datum::Object([].into())),
        ];
        let expected = "{ orderId: 3, customer: \"Cl\\\"a\\u000ara\", ids: [null, true], \
            at: \"2026-01-01 00:00:00+00\", empty: {} }";
        assert_eq!(text(&Datum::Object(fields.into())), expected);
    }
}
