//! What a scene promises: `exactly(1, "letter").perOrder()`, and
//! ``exactly(10, "points").perOrder({ bonuses: sql`SELECT order_id, points FROM …` })``.

use super::reader::{Fields, Reader, call, find};
use super::{Claim, Source};
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
        let ExprKind::Call(method, arguments) = &value.kind else { return None };
        let ExprKind::Member(count, name) = &method.kind else { return None };
        let ((maker, _), count) = call(count)?;
        let ("exactly", "perOrder", [count, effect]) = (&**maker, &*name.text, count) else {
            return None;
        };
        let (ExprKind::Int(count), ExprKind::Text(effect)) = (&count.kind, &effect.kind) else {
            return None;
        };
        let source = match arguments.as_slice() {
            [] => Source::Records,
            [queries] => Source::Query(self.queries(queries, parts, errors).into_iter().next()?),
            _ => return None,
        };
        (*count > 0).then(|| Claim { effect: effect.clone(), count: *count, source })
    }
}
