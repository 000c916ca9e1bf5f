//! Object and array literals, and call arguments.

use crate::collections::Set;
use std::sync::Arc;

use super::cursor::{Parse, Parser};
use crate::script::ast::{Expr, ExprKind, Name};
use crate::script::lexer::TokenKind;
use crate::script::problem::Problem;
use crate::text::Span;

impl Parser<'_> {
    /// `{ a, b: c }`.
    pub(super) fn object(&mut self) -> Parse<ExprKind> {
        self.at += 1;
        let mut fields = Vec::new();
        let mut keys = Set::new();
        while !self.is("}") {
            if self.refuse_spread() {
                self.expression()?;
                if self.eat(",") { continue } else { break }
            }
            let field = self.field()?;
            if !keys.insert(Arc::clone(&field.0.text)) {
                self.error(Problem::DuplicateKey, field.0.span);
            }
            fields.push(field);
            if !self.eat_comma()? {
                break;
            }
        }
        self.expect("}")?;
        Ok(ExprKind::Object(fields))
    }

    fn field(&mut self) -> Parse<(Name, Expr)> {
        self.refuse_method()?;
        let shorthand = self.is_word(0) && matches!(self.ahead(1), "," | "}" | "=");
        if !shorthand {
            let key = self.key()?;
            self.expect(":")?;
            return Ok((key, self.expression()?));
        }
        let key = self.binding_name()?;
        self.check_key(&key);
        let value = Expr { kind: ExprKind::Ident(Arc::clone(&key.text)), span: key.span };
        Ok((key, value))
    }

    /// Refuses `get a() {}`, `async a() {}`, `a() {}` and the like.
    fn refuse_method(&mut self) -> Parse<()> {
        let prefix = self.is_word(0) && (self.is_word(1) || self.ahead(1) == "*");
        if prefix && matches!(self.ahead(0), "get" | "set") {
            return self.fail(Problem::Getter);
        }
        if self.is("*") || (prefix && self.is("async")) || self.ahead(1) == "(" {
            return self.fail(Problem::Method);
        }
        Ok(())
    }

    /// A key before `:`.
    pub(super) fn key(&mut self) -> Parse<Name> {
        let span = self.span();
        let key = match self.kind() {
            Some(TokenKind::Keyword | TokenKind::Name) => self.take_name(),
            Some(TokenKind::Text) => {
                self.at += 1;
                let inside = Span::new(span.start + 1, span.end - 1);
                Name { text: Arc::from(self.unescape(inside)), span }
            }
            Some(TokenKind::Number) => {
                self.refuse(Problem::NumericKey);
                self.take_name()
            }
            _ if self.is("[") => {
                self.refuse(Problem::ComputedKey);
                self.at = self.lexemes[self.at].partner.unwrap_or(self.at);
                self.take_name()
            }
            _ => return self.fail(Problem::NameExpected),
        };
        self.check_key(&key);
        Ok(key)
    }

    fn check_key(&mut self, key: &Name) {
        // JavaScript moves keys that look like array indexes before all others.
        let index = key.text.parse::<u32>().is_ok_and(|index| index.to_string() == *key.text);
        if &*key.text == "__proto__" {
            self.error(Problem::Proto, key.span);
        } else if index {
            self.error(Problem::NumericKey, key.span);
        }
    }

    fn refuse_spread(&mut self) -> bool {
        if self.is("...") {
            self.refuse(Problem::Spread);
        }
        self.eat("...")
    }

    /// Expressions between commas up to a closing bracket, the opening one included.
    pub(super) fn list(&mut self, close: &str) -> Parse<Vec<Expr>> {
        self.at += 1;
        let mut items = Vec::new();
        while !self.is(close) {
            self.refuse_spread();
            if self.is(",") && close == "]" {
                self.refuse(Problem::ArrayHole);
                self.at += 1;
                continue;
            }
            items.push(self.expression()?);
            if !self.eat_comma()? {
                break;
            }
        }
        self.expect(close)?;
        Ok(items)
    }
}
