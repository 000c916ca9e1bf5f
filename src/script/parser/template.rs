//! Templates, plain and `sql`.

use std::sync::Arc;

use super::cursor::{Halt, Parse, Parser};
use crate::script::ast::{Expr, ExprKind, Piece};
use crate::script::lexer::TokenKind;
use crate::script::problem::Problem;
use crate::text::Span;

impl Parser<'_> {
    /// `` `a${b}` `` with its escapes resolved.
    pub(super) fn plain_template(&mut self) -> Parse<ExprKind> {
        let (pieces, holes) = self.template()?;
        let texts = pieces.into_iter().map(|span| Arc::from(self.unescape(span))).collect();
        Ok(ExprKind::Template(texts, holes))
    }

    /// The template after the tag `sql`.
    pub(super) fn sql_template(&mut self) -> Parse<ExprKind> {
        let (spans, holes) = self.template()?;
        let mut pieces = Vec::new();
        for span in spans {
            let text = self.slice(span);
            if let Some(at) = text.find('\\') {
                let at = span.start + at as u32;
                self.error(Problem::SqlBackslash, Span::new(at, at + 1));
            }
            pieces.push(Piece { text: Arc::from(text), offset: span.start });
        }
        Ok(ExprKind::Sql(pieces, holes))
    }

    /// The places of a template's texts, and the expressions between them.
    fn template(&mut self) -> Parse<(Vec<Span>, Vec<Expr>)> {
        let open = self.span();
        self.at += 1;
        let mut texts = vec![self.template_text()];
        let mut holes = Vec::new();
        while self.kind() == Some(TokenKind::HoleOpen) {
            self.at += 1;
            holes.push(self.expression()?);
            if self.kind() != Some(TokenKind::HoleClose) {
                return self.fail(Problem::Unexpected);
            }
            self.at += 1;
            texts.push(self.template_text());
        }
        if self.kind() != Some(TokenKind::TemplateClose) {
            self.error(Problem::UnclosedTemplate, open);
            return Err(Halt);
        }
        self.at += 1;
        Ok((texts, holes))
    }

    fn template_text(&mut self) -> Span {
        let after = self.last_span().end;
        if self.kind() != Some(TokenKind::TemplateText) {
            return Span::new(after, after);
        }
        self.at += 1;
        self.last_span()
    }
}
