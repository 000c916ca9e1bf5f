//! Writes the catalogue: tables of templates by language, and in Rust a method per message.

use super::marks::{BODY, CHOICE, END, FIELD, GROUPED, RECORD, VALUE, VARIANT};
use super::{Form, Kind, Messages, Piece, Signature, Tables, is_problem};
use std::collections::BTreeMap;
use std::fmt::Write;

/// The methods of `Words`, with what they expect of a table.
pub(super) fn rust(all: &[Messages], signatures: &BTreeMap<String, Signature>) -> String {
    let mut code = String::from("// Generated from static/i18n by build.rs.\n");
    let lesson = signatures.keys().filter(|id| !is_problem(id));
    code += &format!("pub(super) const LESSON_LEN: usize = {};\n", lesson.count());
    code += &listing(signatures);
    code += "impl super::Words {\n";
    let english = all.last();
    let lesson = signatures.iter().filter(|(id, _)| !is_problem(id));
    for (index, (id, signature)) in lesson.enumerate() {
        let message = english.and_then(|messages| messages.get(id));
        code += &method(index, id, signature, &outline(message.map_or(&[], |m| &m.pieces)));
    }
    code + "}\n"
}

/// The tables of one language: the templates of the methods in their order, and the problems.
pub(super) fn tables(messages: &Messages, signatures: &BTreeMap<String, Signature>) -> Tables {
    let mut tables = Tables::default();
    for (id, message) in messages {
        let names: Vec<_> = signatures[id].keys().map(String::as_str).collect();
        let problem = is_problem(id);
        let table = if problem { &mut tables.problems } else { &mut tables.lesson };
        if problem {
            *table += &format!("{id}{FIELD}{}{FIELD}", names.join(" "));
        }
        encode(&message.pieces, &names, table);
        table.push(RECORD);
    }
    tables
}

/// The compact form of a message that `template` interprets.
fn encode(pieces: &[Piece], names: &[&str], out: &mut String) {
    let mark = |name: &str| {
        let index = names.iter().position(|known| *known == name).unwrap_or_default();
        char::from_digit(index as u32, 10).unwrap_or('0')
    };
    for piece in pieces {
        match piece {
            Piece::Text(text) => out.push_str(text),
            Piece::Argument { name, form } => {
                let grouped = *form == Form::Grouped;
                out.extend([if grouped { GROUPED } else { VALUE }, mark(name)]);
            }
            Piece::Choice { argument, variants, .. } => {
                out.extend([CHOICE, mark(argument)]);
                for (key, body) in variants {
                    let _ = write!(out, "{VARIANT}{key}{BODY}");
                    encode(body, names, out);
                }
                out.push(END);
            }
        }
    }
}

/// The methods' messages by id, with their arguments and whether those are numbers, for tests.
fn listing(signatures: &BTreeMap<String, Signature>) -> String {
    let mut ids = String::new();
    for (id, signature) in signatures.iter().filter(|(id, _)| !is_problem(id)) {
        let names: Vec<_> = signature.keys().collect();
        let numbers: Vec<_> = signature.values().map(|kind| *kind == Kind::Number).collect();
        ids += &format!("    ({id:?}, &{names:?}, &{numbers:?}),\n");
    }
    format!(
        "#[cfg(test)]\n#[allow(clippy::type_complexity, reason = \"read in one place\")]\n\
         pub(super) static MESSAGES: [(&str, &[&str], &[bool]); LESSON_LEN] = [\n{ids}];\n"
    )
}

/// How a message reads, for the documentation of its method; of a choice, the default.
fn outline(pieces: &[Piece]) -> String {
    let outlines = pieces.iter().map(|piece| match piece {
        Piece::Text(text) => text.replace('`', "'").replace('\n', " "),
        Piece::Argument { name, .. } => format!("{{{name}}}"),
        Piece::Choice { variants, .. } => {
            variants.last().map(|(_, body)| outline(body)).unwrap_or_default()
        }
    });
    outlines.collect()
}

/// The method of one message. Arguments go by name in alphabetical order, so that a new wording
/// never changes their places.
fn method(index: usize, id: &str, signature: &Signature, outline: &str) -> String {
    let name = id.replace('-', "_");
    let doc = format!("    /// The message `{id}`: `{outline}`\n");
    if signature.is_empty() {
        return format!(
            "{doc}    pub fn {name}(self) -> &'static str {{\n        self.template({index})\n    }}\n"
        );
    }
    let mut parameters = String::new();
    let mut values = Vec::new();
    for (argument, kind) in signature {
        let argument = argument.replace('-', "_");
        let (kind, wrap) = match kind {
            Kind::Number => ("i64", "Number"),
            Kind::Any | Kind::Text => ("&str", "Text"),
        };
        parameters += &format!(", {argument}: {kind}");
        values.push(format!("super::Argument::{wrap}({argument})"));
    }
    let values = values.join(", ");
    format!(
        "{doc}    pub fn {name}(self{parameters}) -> String {{\n        self.fill({index}, &[{values}])\n    }}\n"
    )
}
