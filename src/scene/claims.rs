//! What a scene promises: `exactly(1, "letter").perOrder()`,
//! ``exactly(10, "points").perOrder({ bonuses: sql`SELECT order_id, points FROM …` })``,
//! ``inOrder("status").perOrder({ shop: sql`SELECT order_id, version FROM … ORDER BY id` })``,
//! ``never("sold twice", { stock: sql`SELECT order_id FROM … WHERE …` })``.

use super::reader::{Fields, Reader, call, find};
use super::{Claim, Query, Source};
use crate::diagnostic::Diagnostic;
use crate::script::ast::{Expr, ExprKind};
use crate::sim::PartSetup;

impl<'a> Reader<'a> {
    pub(super) fn claims(
        &self,
        fields: Fields<'a>,
        parts: &[PartSetup],
        errors: &mut Vec<Diagnostic>,
    ) -> Vec<Claim> {
        let claims = match find(fields, "claims").map(|value| &value.kind) {
            Some(ExprKind::Array(claims)) if !claims.is_empty() => claims,
            _ => {
                errors.push(Diagnostic::new(fields.1, "scene-missing-claims", ""));
                return Vec::new();
            }
        };
        let mut read = Vec::new();
        for value in claims {
            match self.claim(value, parts, errors) {
                Some(claim) => read.push(claim),
                None => errors.push(Diagnostic::new(value.span, "scene-bad-claim", "…")),
            }
        }
        read
    }

    fn claim(
        &self,
        value: &'a Expr,
        parts: &[PartSetup],
        errors: &mut Vec<Diagnostic>,
    ) -> Option<Claim> {
        if let Some(((maker, _), arguments)) = call(value) {
            let ("never", [name, queries]) = (&**maker, arguments) else { return None };
            let ExprKind::Text(name) = &name.kind else { return None };
            let query = self.one_query(queries, parts, errors)?;
            return Some(Claim::Never { name: name.clone(), query });
        }
        let ExprKind::Call(method, arguments) = &value.kind else { return None };
        let ExprKind::Member(made, name) = &method.kind else { return None };
        let ((maker, _), made) = call(made)?;
        match (&**maker, made, &*name.text, arguments.as_slice()) {
            ("exactly", [count, effect], "perOrder", queries) => {
                self.exactly(count, effect, queries, parts, errors)
            }
            ("inOrder", [effect], "perOrder", [queries]) => {
                let ExprKind::Text(effect) = &effect.kind else { return None };
                let query = self.one_query(queries, parts, errors)?;
                Some(Claim::InOrder { effect: effect.clone(), query })
            }
            _ => None,
        }
    }

    fn exactly(
        &self,
        count: &'a Expr,
        effect: &'a Expr,
        queries: &'a [Expr],
        parts: &[PartSetup],
        errors: &mut Vec<Diagnostic>,
    ) -> Option<Claim> {
        let (ExprKind::Int(count), ExprKind::Text(effect)) = (&count.kind, &effect.kind) else {
            return None;
        };
        let source = match queries {
            [] => Source::Records,
            [queries] => Source::Query(self.one_query(queries, parts, errors)?),
            _ => return None,
        };
        let (effect, count) = (effect.clone(), *count);
        (count > 0).then_some(Claim::Exactly { effect, count, source })
    }

    fn one_query(
        &self,
        value: &'a Expr,
        parts: &[PartSetup],
        errors: &mut Vec<Diagnostic>,
    ) -> Option<Query> {
        self.queries(value, parts, errors).into_iter().next()
    }
}
