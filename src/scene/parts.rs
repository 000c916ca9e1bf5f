//! The parts of a scene.

use super::PARTS_MAX;
use super::reader::{Fields, Reader, boolean, call, check_names, find, object, optional_ms};
use crate::diagnostic::Diagnostic;
use crate::script::ast::{Expr, ExprKind, Name};
use crate::script::sql;
use crate::sim::part::api;
use crate::sim::{PartKind, PartSetup};

impl<'a> Reader<'a> {
    /// The customers and the declared parts, in order.
    pub(super) fn parts(&self, fields: Fields<'a>, errors: &mut Vec<Diagnostic>) -> Vec<PartSetup> {
        let mut parts = vec![PartSetup { name: "customers".into(), kind: PartKind::Customers }];
        let Some((declared, span)) = find(fields, "parts").and_then(object) else {
            errors.push(Diagnostic::new(fields.1, "scene-no-parts", ""));
            return parts;
        };
        if declared.is_empty() {
            errors.push(Diagnostic::new(span, "scene-no-parts", ""));
        }
        if declared.len() > PARTS_MAX {
            let error = Diagnostic::new(span, "scene-limit", declared.len().to_string());
            errors.push(error.expecting(PARTS_MAX.to_string()));
        }
        for (name, value) in declared.iter().take(PARTS_MAX) {
            self.check_name(name, &parts, errors);
            if let Some(kind) = self.part(name, value, errors) {
                parts.push(PartSetup { name: name.text.clone(), kind });
            }
        }
        parts
    }

    /// Names go into links and logs, so they are plain.
    fn check_name(&self, name: &Name, parts: &[PartSetup], errors: &mut Vec<Diagnostic>) {
        let plain = name.text.starts_with(|first: char| first.is_ascii_lowercase())
            && name.text.chars().all(|letter| letter.is_ascii_alphanumeric())
            && name.text.len() <= 24;
        if !plain || matches!(&*name.text, "order" | "sleep" | "now" | "uuid") {
            errors.push(Diagnostic::new(name.span, "scene-bad-name", &*name.text));
        }
        if parts.iter().any(|part| part.name == name.text) {
            errors.push(Diagnostic::new(name.span, "scene-duplicate-part", &*name.text));
        }
    }

    fn part(&self, name: &Name, value: &'a Expr, errors: &mut Vec<Diagnostic>) -> Option<PartKind> {
        let Some(((kind, kind_span), _)) = call(value) else {
            errors.push(Diagnostic::new(value.span, "scene-not-a-part", &*name.text));
            return None;
        };
        let Some(fields) = self.maker(value, kind) else {
            let error = Diagnostic::new(value.span, "scene-wrong-type", &**kind);
            errors.push(error.expecting("expected-object"));
            return None;
        };
        match &**kind {
            "service" => Some(PartKind::Service { program: self.program(name, fields, errors)? }),
            "worker" => Some(PartKind::Worker { program: self.program(name, fields, errors)? }),
            "postgres" => self.postgres(fields, errors),
            "rabbitmq" => self.rabbitmq(fields, errors),
            "mail" => {
                let known = ["honoursKeys", "keyTtlMs"];
                check_names(fields, &known, "scene-unknown-setting", errors);
                let honours_keys = boolean(fields, "honoursKeys", false, errors);
                let key_ttl_us = optional_ms(fields, "keyTtlMs", errors);
                let config = api::Config { honours_keys, key_ttl_us };
                Some(PartKind::Mail { config })
            }
            _ => {
                errors.push(Diagnostic::new(kind_span, "scene-unknown-kind", &**kind));
                None
            }
        }
    }

    fn program(
        &self,
        part: &Name,
        fields: Fields<'a>,
        errors: &mut Vec<Diagnostic>,
    ) -> Option<u32> {
        check_names(fields, &["program"], "scene-unknown-setting", errors);
        let Some(value) = find(fields, "program") else {
            errors.push(Diagnostic::new(fields.1, "scene-no-program", &*part.text));
            return None;
        };
        let ExprKind::Ident(name) = &value.kind else {
            errors.push(Diagnostic::new(value.span, "scene-no-program", &*part.text));
            return None;
        };
        let Some(index) = self.compiled.functions.get(name) else {
            errors.push(Diagnostic::new(value.span, "scene-unknown-function", &**name));
            return None;
        };
        let function = &self.compiled.image.functions[*index as usize];
        if !function.is_async || function.params > 1 {
            errors.push(Diagnostic::new(value.span, "scene-not-a-program", &**name));
        }
        Some(*index)
    }

    fn postgres(&self, fields: Fields<'a>, errors: &mut Vec<Diagnostic>) -> Option<PartKind> {
        check_names(fields, &["tables"], "scene-unknown-setting", errors);
        let Some(value) = find(fields, "tables") else {
            errors.push(Diagnostic::new(fields.1, "scene-missing-field", "tables"));
            return None;
        };
        let (tables, mistakes) = sql::parse_schema(self.sql(value, errors)?);
        for error in mistakes.into_iter().chain(sql::check_tables(&tables)) {
            errors.push(Diagnostic::new(error.span, error.problem.id(), error.found));
        }
        Some(PartKind::Database { tables: tables.into() })
    }
}
