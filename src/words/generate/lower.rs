//! Reads Fluent: from the syntax tree of the files to messages in which nothing is left to look up.
//!
//! Supported are text, arguments, `NUMBER($x)`, string literals, choices, and references to
//! messages and terms without attributes or arguments. The rest is refused.

use super::{Form, Language, Message, Messages, Piece, Source};
use fluent_syntax::ast::{CallArguments, Identifier, Variant, VariantKey};
use fluent_syntax::ast::{Entry, Expression, InlineExpression, Pattern, PatternElement, Resource};
use fluent_syntax::unicode::unescape_unicode_to_string;
use std::collections::BTreeMap;

/// The names that make a choice a plural one.
const CATEGORIES: [&str; 6] = ["zero", "one", "two", "few", "many", "other"];

/// A message or a term as parsed.
struct Entity<'a> {
    source: &'a Source,
    name: &'a str,
    pattern: &'a Pattern<&'a str>,
}

/// All messages and terms of one language; a term's id begins with a hyphen.
type Entities<'a> = BTreeMap<String, Entity<'a>>;

/// All messages of one language.
pub(super) fn messages(
    language: &Language,
    sources: &[Source],
    problems: &mut Vec<String>,
) -> Messages {
    let parsed: Vec<_> = sources.iter().map(|source| (source, parse(source, problems))).collect();
    let entities = entities(&parsed, problems);
    let mut messages = Messages::new();
    for (id, entity) in &entities {
        let mut reader = Reader { language, entities: &entities, open: Vec::new() };
        let place = place(entity.source, entity.name);
        match reader.entity(id, &place) {
            Err(problem) => problems.push(problem),
            Ok(pieces) if !id.starts_with('-') => {
                messages.insert(id.clone(), Message { place, pieces });
            }
            Ok(_) => {}
        }
    }
    messages
}

/// Parses one file, reporting what is not Fluent.
fn parse<'a>(source: &'a Source, problems: &mut Vec<String>) -> Resource<&'a str> {
    fluent_syntax::parser::parse(source.text.as_str()).unwrap_or_else(|(resource, errors)| {
        for error in errors {
            let line = line(source, error.pos.start);
            problems.push(format!("{}:{line}: {}", source.path, error.kind));
        }
        resource
    })
}

/// Gathers messages and terms, each id once.
fn entities<'a>(
    parsed: &'a [(&'a Source, Resource<&'a str>)],
    problems: &mut Vec<String>,
) -> Entities<'a> {
    let mut entities = Entities::new();
    for (source, entry) in parsed.iter().flat_map(|(s, r)| r.body.iter().map(move |e| (*s, e))) {
        let (prefix, id, pattern, attributes) = match entry {
            Entry::Message(m) => ("", &m.id, m.value.as_ref(), &m.attributes),
            Entry::Term(t) => ("-", &t.id, Some(&t.value), &t.attributes),
            _ => continue,
        };
        let here = place(source, id.name);
        let (Some(pattern), []) = (pattern, attributes.as_slice()) else {
            problems.push(format!("{here}: `{}` must have a text and no attributes", id.name));
            continue;
        };
        let key = format!("{prefix}{}", id.name);
        if let Some(first) = entities.get(&key) {
            let there = place(first.source, first.name);
            problems.push(format!("{here}: `{key}` is already said at {there}"));
            continue;
        }
        entities.insert(key, Entity { source, name: id.name, pattern });
    }
    entities
}

/// `path:line` of a slice of a file's text.
fn place(source: &Source, slice: &str) -> String {
    let offset = (slice.as_ptr() as usize).saturating_sub(source.text.as_ptr() as usize);
    format!("{}:{}", source.path, line(source, offset))
}

/// The line, from 1, of a byte offset.
fn line(source: &Source, offset: usize) -> usize {
    source.text.bytes().take(offset).filter(|byte| *byte == b'\n').count() + 1
}

/// Replaces references by what they refer to.
struct Reader<'a> {
    language: &'a Language,
    entities: &'a Entities<'a>,
    /// The ids being read, outermost first.
    open: Vec<String>,
}

impl<'a> Reader<'a> {
    /// The pieces of a message or term, which is needed at `place`.
    fn entity(&mut self, id: &str, place: &str) -> Result<Vec<Piece>, String> {
        let entities = self.entities;
        let Some(entity) = entities.get(id) else {
            return Err(format!("{place}: there is no `{id}`"));
        };
        if self.open.iter().any(|open| open == id) {
            return Err(format!("{place}: `{id}` refers to itself"));
        }
        self.open.push(id.to_owned());
        let pieces = self.pattern(entity.source, entity.name, entity.pattern)?;
        self.open.pop();
        if id.starts_with('-') && pieces.iter().any(|piece| !matches!(piece, Piece::Text(_))) {
            let here = self::place(entity.source, entity.name);
            return Err(format!("{here}: the term `{id}` must not use arguments"));
        }
        Ok(pieces)
    }

    fn pattern(
        &mut self,
        source: &Source,
        near: &'a str,
        pattern: &'a Pattern<&'a str>,
    ) -> Result<Vec<Piece>, String> {
        let mut pieces = Vec::new();
        for element in &pattern.elements {
            match element {
                PatternElement::TextElement { value } => push_text(&mut pieces, value),
                PatternElement::Placeable { expression } => {
                    self.expression(source, near, expression, &mut pieces)?;
                }
            }
        }
        let control = |c: char| c.is_control() && c != '\n';
        if pieces.iter().any(|p| matches!(p, Piece::Text(text) if text.contains(control))) {
            return Err(format!("{}: control characters are not text", place(source, near)));
        }
        Ok(pieces)
    }

    fn expression(
        &mut self,
        source: &Source,
        near: &'a str,
        expression: &'a Expression<&'a str>,
        pieces: &mut Vec<Piece>,
    ) -> Result<(), String> {
        match expression {
            Expression::Select { selector, variants } => {
                pieces.push(self.choice(source, near, selector, variants)?);
                Ok(())
            }
            Expression::Inline(inline) => self.inline(source, near, inline, pieces),
        }
    }

    fn inline(
        &mut self,
        source: &Source,
        near: &'a str,
        inline: &'a InlineExpression<&'a str>,
        pieces: &mut Vec<Piece>,
    ) -> Result<(), String> {
        let referred = match inline {
            InlineExpression::StringLiteral { value } => {
                push_text(pieces, &unescape_unicode_to_string(value));
                return Ok(());
            }
            InlineExpression::VariableReference { id } => {
                pieces.push(Piece::Argument { name: id.name.to_owned(), form: Form::AsIs });
                return Ok(());
            }
            InlineExpression::FunctionReference { id, arguments } => {
                let (name, form) = number(id, arguments).ok_or_else(|| {
                    format!("{}: only `NUMBER($name)` may be called", place(source, id.name))
                })?;
                pieces.push(Piece::Argument { name: name.to_owned(), form });
                return Ok(());
            }
            InlineExpression::Placeable { expression } => {
                return self.expression(source, near, expression, pieces);
            }
            InlineExpression::MessageReference { id, attribute: None } => ("", id.name),
            InlineExpression::TermReference { id, attribute: None, arguments: None } => {
                ("-", id.name)
            }
            _ => return Err(format!("{}: this expression is not supported", place(source, near))),
        };
        let (prefix, name) = referred;
        pieces.extend(self.entity(&format!("{prefix}{name}"), &place(source, name))?);
        Ok(())
    }

    fn choice(
        &mut self,
        source: &Source,
        near: &'a str,
        selector: &'a InlineExpression<&'a str>,
        variants: &'a [Variant<&'a str>],
    ) -> Result<Piece, String> {
        let argument = match selector {
            InlineExpression::VariableReference { id } => Some(id.name),
            InlineExpression::FunctionReference { id, arguments } => {
                number(id, arguments).map(|(name, _)| name)
            }
            _ => None,
        };
        let argument = argument
            .ok_or_else(|| format!("{}: a choice must be by an argument", place(source, near)))?;
        let plural = variants.iter().all(|v| is_number(v) || CATEGORIES.contains(&key(v)));
        if plural {
            check_forms(self.language, variants)
                .map_err(|e| format!("{}: {e}", place(source, argument)))?;
        }
        let mut read = Vec::new();
        for variant in variants {
            let name = if variant.default { super::marks::DEFAULT } else { key(variant) };
            if read.iter().any(|(_, known, _)| known == name) {
                let at = place(source, key(variant));
                return Err(format!("{at}: the variant `{name}` is there twice"));
            }
            let body = self.pattern(source, key(variant), &variant.value)?;
            // Exact numbers come before forms, the default last.
            let rank = if variant.default { 2 } else { u8::from(!is_number(variant)) };
            read.push((rank, name.to_owned(), body));
        }
        read.sort_by_key(|(rank, ..)| *rank);
        let variants = read.into_iter().map(|(_, name, body)| (name, body)).collect();
        Ok(Piece::Choice { argument: argument.to_owned(), plural, variants })
    }
}

/// Whether a plural choice has all the forms of its language and no others.
fn check_forms(language: &Language, variants: &[Variant<&str>]) -> Result<(), String> {
    let said = |form: &str| variants.iter().any(|variant| key(variant) == form);
    if let Some(form) = language.forms.iter().find(|form| !said(form)) {
        return Err(format!("the plural form `{form}` is missing"));
    }
    for variant in variants {
        if !is_number(variant) && !language.forms.contains(&key(variant)) {
            return Err(format!("`{}` has no plural form `{}`", language.code, key(variant)));
        }
        if variant.default != (key(variant) == "other") {
            return Err("`other` must be the default variant of a plural".to_owned());
        }
    }
    Ok(())
}

/// The argument of `NUMBER($name)` or `NUMBER($name, useGrouping: 0)`.
fn number<'a>(
    id: &Identifier<&'a str>,
    arguments: &CallArguments<&'a str>,
) -> Option<(&'a str, Form)> {
    let ("NUMBER", [InlineExpression::VariableReference { id }]) =
        (id.name, arguments.positional.as_slice())
    else {
        return None;
    };
    match arguments.named.as_slice() {
        [] => Some((id.name, Form::Grouped)),
        [option] if option.name.name == "useGrouping" => match option.value {
            InlineExpression::NumberLiteral { value: "0" } => Some((id.name, Form::Digits)),
            _ => None,
        },
        _ => None,
    }
}

fn key<'a>(variant: &Variant<&'a str>) -> &'a str {
    match variant.key {
        VariantKey::Identifier { name } => name,
        VariantKey::NumberLiteral { value } => value,
    }
}

fn is_number(variant: &Variant<&str>) -> bool {
    matches!(variant.key, VariantKey::NumberLiteral { .. })
}

/// Appends text, to the last piece if that is text too.
fn push_text(pieces: &mut Vec<Piece>, text: &str) {
    if let Some(Piece::Text(last)) = pieces.last_mut() {
        last.push_str(text);
    } else {
        pieces.push(Piece::Text(text.to_owned()));
    }
}
