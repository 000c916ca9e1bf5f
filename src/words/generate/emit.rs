//! Writes the catalogue as Rust: a table of templates per language and a method per message.

use super::marks::{BODY, CHOICE, END, GROUPED, VALUE, VARIANT};
use super::{Form, Kind, LANGUAGES, Messages, PROBLEM_PREFIXES, Piece, Signature};
use std::collections::BTreeMap;
use std::fmt::Write;

/// The whole generated file.
pub(super) fn rust(all: &[Messages], signatures: &BTreeMap<String, Signature>) -> String {
    let mut code = String::from("// Generated from static/i18n by build.rs.\n");
    for (language, messages) in LANGUAGES.iter().zip(all) {
        let name = language.code.to_uppercase();
        code += &format!("pub(super) static {name}: [&str; {}] = [\n", messages.len());
        for (id, message) in messages {
            let names: Vec<_> = signatures[id].keys().map(String::as_str).collect();
            let mut template = String::new();
            encode(&message.pieces, &names, &mut template);
            code += &format!("    {template:?},\n");
        }
        code += "];\n";
    }
    code += &lookup(signatures);
    code += "impl super::Words {\n";
    let english = all.last();
    for (index, (id, signature)) in signatures.iter().enumerate() {
        let message = english.and_then(|messages| messages.get(id));
        code += &method(index, id, signature, &outline(message.map_or(&[], |m| &m.pieces)));
    }
    code + "}\n"
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

/// The tables by id: of problems for the program, of all messages for tests.
fn lookup(signatures: &BTreeMap<String, Signature>) -> String {
    let mut problems = String::new();
    let mut ids = String::new();
    let mut count = 0;
    for (index, (id, signature)) in signatures.iter().enumerate() {
        let names: Vec<_> = signature.keys().collect();
        let numbers: Vec<_> = signature.values().map(|kind| *kind == Kind::Number).collect();
        ids += &format!("    ({id:?}, &{names:?}, &{numbers:?}),\n");
        if PROBLEM_PREFIXES.iter().any(|prefix| id.starts_with(prefix)) {
            count += 1;
            problems += &format!("    ({id:?}, {index}, &{names:?}),\n");
        }
    }
    format!(
        "pub(super) static PROBLEMS: [super::Problem; {count}] = [\n{problems}];\n\
         #[cfg(test)]\n#[allow(clippy::type_complexity, reason = \"read in one place\")]\n\
         pub(super) static MESSAGES: [(&str, &[&str], &[bool]); {}] = [\n{ids}];\n",
        signatures.len()
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
