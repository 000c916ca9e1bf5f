//! Names and destructuring patterns.

use crate::collections::Set;
use std::sync::Arc;

use super::cursor::{Parse, Parser};
use crate::script::ast::{Name, Pattern};
use crate::script::lexer::TokenKind;
use crate::script::problem::Problem;

/// The names that one declaration or parameter list has bound so far.
pub(super) type Bound = Set<Arc<str>>;

impl Parser<'_> {
    /// A name that a declaration or an import makes.
    pub(super) fn binding_name(&mut self) -> Parse<Name> {
        if !self.is_word(0) {
            return self.fail(Problem::NameExpected);
        }
        if !self.is_name(0) {
            self.refuse(Problem::ReservedWord);
        }
        Ok(self.take_name())
    }

    /// A pattern, with what TypeScript or later JavaScript would allow after it refused.
    pub(super) fn pattern(&mut self, names: &mut Bound) -> Parse<Pattern> {
        if self.is("...") {
            self.refuse(Problem::Spread);
            self.at += 1;
        }
        let pattern = match self.ahead(0) {
            "{" => self.nested(|parser| parser.object_pattern(names))?,
            "[" => self.nested(|parser| parser.array_pattern(names))?,
            _ => {
                let name = self.binding_name()?;
                self.bind(&name, names);
                Pattern::Name(name)
            }
        };
        if self.is(":") || (self.is("?") && self.ahead(1) == ":") {
            self.refuse(Problem::Types);
            self.skip_type();
        }
        Ok(pattern)
    }

    /// A pattern inside another or in a parameter list, where a default value could follow.
    fn inner_pattern(&mut self, names: &mut Bound) -> Parse<Pattern> {
        let pattern = self.pattern(names)?;
        if self.is("=") {
            self.refuse(Problem::DefaultValue);
            self.at += 1;
            self.expression()?;
        }
        Ok(pattern)
    }

    fn bind(&mut self, name: &Name, names: &mut Bound) {
        if !names.insert(Arc::clone(&name.text)) {
            self.error(Problem::DuplicateName, name.span);
        }
    }

    /// `(a, { b })`.
    pub(super) fn parameters(&mut self) -> Parse<Vec<Pattern>> {
        let mut names = Bound::new();
        let mut params = Vec::new();
        self.expect("(")?;
        while !self.is(")") {
            params.push(self.inner_pattern(&mut names)?);
            if !self.eat_comma()? {
                break;
            }
        }
        self.expect(")")?;
        Ok(params)
    }

    fn object_pattern(&mut self, names: &mut Bound) -> Parse<Pattern> {
        let start = self.span();
        self.at += 1;
        let mut fields = Vec::new();
        while !self.is("}") {
            fields.push(self.field_pattern(names)?);
            if !self.eat_comma()? {
                break;
            }
        }
        self.expect("}")?;
        Ok(Pattern::Object(fields, self.since(start)))
    }

    fn field_pattern(&mut self, names: &mut Bound) -> Parse<(Name, Pattern)> {
        if self.is("...") {
            self.refuse(Problem::Spread);
            self.at += 1;
        }
        let long = self.ahead(1) == ":" || self.kind() == Some(TokenKind::Text);
        if long || self.is("[") {
            let key = self.key()?;
            self.expect(":")?;
            return Ok((key, self.inner_pattern(names)?));
        }
        let key = Name { text: Arc::from(self.ahead(0)), span: self.span() };
        Ok((key, self.inner_pattern(names)?))
    }

    fn array_pattern(&mut self, names: &mut Bound) -> Parse<Pattern> {
        let start = self.span();
        self.at += 1;
        let mut items = Vec::new();
        while !self.is("]") {
            if self.eat(",") {
                items.push(None);
                continue;
            }
            items.push(Some(self.inner_pattern(names)?));
            if !self.eat_comma()? {
                break;
            }
        }
        self.expect("]")?;
        Ok(Pattern::Array(items, self.since(start)))
    }

    /// Skips a type annotation: to a `,`, `=`, `{` or `;` outside its brackets, or a line's end.
    pub(super) fn skip_type(&mut self) {
        let mut open = 0u32;
        while self.kind().is_some() {
            match self.ahead(0) {
                "," | "=" | ";" | "=>" | "of" | ")" | "]" | "}" | ">" if open == 0 => return,
                "{" if open == 0 && self.last_text() != ":" => return,
                "(" | "[" | "{" | "<" => open += 1,
                ")" | "]" | "}" | ">" => open -= 1,
                ">>" => open = open.saturating_sub(2),
                _ => {}
            }
            self.at += 1;
            if open == 0 && self.line_start(0) {
                return;
            }
        }
    }

    /// The token just consumed.
    pub(super) fn last_text(&self) -> &str {
        self.slice(self.last_span())
    }
}
