//! Reads literal declarations: objects, lists, numbers, texts, calls of known makers.

use std::sync::Arc;

use super::{ORDERS_MAX, Program, Query, Scene, Title};
use crate::diagnostic::Diagnostic;
use crate::script::ast::{Expr, ExprKind, Function, Module, Name, Pattern, Piece};
use crate::script::compile::Compiled;
use crate::script::sql::ast::{self as sql_ast, Item};
use crate::script::sql::{self, Statement};
use crate::sim::{Delays, PartId, PartKind, PartSetup, Setup, Workload};
use crate::text::{LineIndex, Span};

/// What a program may take besides parts.
const BUILTINS: [&str; 4] = ["sleep", "now", "uuid", "order"];
/// Milliseconds that a setting may have: an hour.
const MS_MAX: i64 = 3_600_000;
/// What can be imported.
const IMPORTS: [&str; 10] = [
    "scene", "service", "worker", "postgres", "rabbitmq", "mail", "exactly", "inOrder", "never",
    "sql",
];

pub(super) struct Reader<'a> {
    pub(super) module: &'a Module,
    pub(super) compiled: &'a Compiled,
    lines: &'a LineIndex,
}

/// Fields of an object literal, and its place.
pub(super) type Fields<'a> = (&'a [(Name, Expr)], Span);

impl<'a> Reader<'a> {
    pub(super) fn new(module: &'a Module, compiled: &'a Compiled, lines: &'a LineIndex) -> Self {
        Self { module, compiled, lines }
    }

    pub(super) fn scene(&self, source: &str, errors: &mut Vec<Diagnostic>) -> Option<Scene> {
        self.imports(errors);
        let Some(export) = &self.module.default else {
            errors.push(Diagnostic::new(Span::default(), "scene-no-export", ""));
            return None;
        };
        let Some(fields) = self.maker(export, "scene") else {
            errors.push(Diagnostic::new(export.span, "scene-no-export", ""));
            return None;
        };
        let known = [
            "title",
            "parts",
            "orders",
            "placed",
            "backlog",
            "claims",
            "restartMs",
            "latencyMs",
            "noticeMs",
            "timeoutMs",
        ];
        check_names(fields, &known, "scene-unknown-field", errors);
        let parts = self.parts(fields, errors);
        let programs = self.programs(&parts, errors);
        let placed = self.placed(fields, &parts, errors);
        let backlog = match find(fields, "backlog") {
            Some(value) => self.queries(value, &parts, errors),
            None => Vec::new(),
        };
        let claims = self.claims(fields, &parts, errors);
        let title = self.title(fields, errors);
        let workload = self.workload(fields, errors);
        let delays = self.delays(fields, errors);
        self.check_statements(&parts, errors);
        let placed = placed?;
        let setup = Setup {
            image: self.compiled.image.clone(),
            lines: self.lines.clone(),
            order_columns: order_column(&placed.statement).into_iter().collect(),
            parts,
            workload,
            delays,
            seed: 0,
        };
        Some(Scene {
            source: source.into(),
            title,
            setup: Arc::new(setup),
            placed,
            backlog,
            claims,
            moments: self.moments(errors),
            programs,
        })
    }

    fn imports(&self, errors: &mut Vec<Diagnostic>) {
        for name in self.module.imports.iter().flat_map(|import| &import.names) {
            if !IMPORTS.contains(&&*name.text) {
                errors.push(Diagnostic::new(name.span, "scene-unknown-import", &*name.text));
            }
        }
    }

    /// The named moments. One that no call can come to, or a second one of a name, would never come
    /// without a word, so it is an error.
    fn moments(&self, errors: &mut Vec<Diagnostic>) -> Vec<(Arc<str>, u32)> {
        let places = self.compiled.image.call_places();
        let mut moments: Vec<(Arc<str>, u32)> = Vec::new();
        for moment in &self.module.moments {
            let line = self.lines.line(moment.span.start);
            if !places.iter().any(|at| self.lines.line(*at) == line) {
                let problem = "scene-moment-without-call";
                errors.push(Diagnostic::new(moment.span, problem, &*moment.name));
            }
            if moments.iter().any(|(known, _)| *known == moment.name) {
                let problem = "scene-duplicate-moment";
                errors.push(Diagnostic::new(moment.span, problem, &*moment.name));
            }
            moments.push((moment.name.clone(), line));
        }
        moments
    }

    fn title(&self, fields: Fields<'a>, errors: &mut Vec<Diagnostic>) -> Title {
        let title = find(fields, "title").and_then(object);
        let Some(title) = title else {
            errors.push(Diagnostic::new(fields.1, "scene-missing-title", ""));
            return Title::default();
        };
        let mut text = |name| match find(title, name).map(|value| &value.kind) {
            Some(ExprKind::Text(text)) => text.clone(),
            _ => {
                errors.push(Diagnostic::new(title.1, "scene-missing-title", name));
                "".into()
            }
        };
        Title { ru: text("ru"), en: text("en") }
    }

    fn workload(&self, fields: Fields<'a>, errors: &mut Vec<Diagnostic>) -> Workload {
        let Some(orders) = find(fields, "orders").and_then(object) else {
            errors.push(Diagnostic::new(fields.1, "scene-missing-orders", ""));
            return Workload { count: 1, every_us: 0 };
        };
        check_names(orders, &["count", "everyMs"], "scene-unknown-setting", errors);
        let count = integer(orders, "count", 0..=ORDERS_MAX, errors).unwrap_or(1);
        let every_ms = integer(orders, "everyMs", 0..=600_000, errors).unwrap_or(400);
        Workload { count: count as u32, every_us: every_ms * 1000 }
    }

    fn delays(&self, fields: Fields<'a>, errors: &mut Vec<Diagnostic>) -> Delays {
        let standard = Delays::default();
        let mut delay = |name, standard_us: i64| match find(fields, name) {
            Some(_) => integer(fields, name, 1..=600_000, errors).unwrap_or(1) * 1000,
            None => standard_us,
        };
        Delays {
            latency_us: delay("latencyMs", standard.latency_us),
            restart_us: delay("restartMs", standard.restart_us),
            notice_us: delay("noticeMs", standard.notice_us),
            call_timeout_us: delay("timeoutMs", standard.call_timeout_us),
            ..standard
        }
    }

    /// A call of one of our makers with one object, or with nothing.
    pub(super) fn maker(&self, value: &'a Expr, name: &str) -> Option<Fields<'a>> {
        let (maker, arguments) = call(value)?;
        if **maker.0 != *name {
            return None;
        }
        match arguments {
            [] => Some((&[], value.span)),
            [argument] => object(argument),
            _ => None,
        }
    }

    fn programs(&self, parts: &[PartSetup], errors: &mut Vec<Diagnostic>) -> Vec<Program> {
        let mut programs = Vec::new();
        for (index, part) in (0u16..).zip(parts) {
            let (PartKind::Service { program } | PartKind::Worker { program }) = &part.kind else {
                continue;
            };
            let function = self.module.functions.iter().find(|function| {
                let name = function.name.as_ref();
                name.and_then(|name| self.compiled.functions.get(&name.text)) == Some(program)
            });
            let Some(function) = function else { continue };
            programs.push(Program {
                part: PartId(index),
                name: function.name.as_ref().map_or_else(|| "".into(), |name| name.text.clone()),
                first: self.lines.line(function.span.start),
                last: self.lines.line(function.span.end.saturating_sub(1)),
                uses: self.uses(function, parts, errors),
            });
        }
        programs
    }

    /// The parts that a program takes by name from its parameter.
    fn uses(
        &self,
        function: &Function,
        parts: &[PartSetup],
        errors: &mut Vec<Diagnostic>,
    ) -> Vec<PartId> {
        let [Pattern::Object(fields, _)] = function.params.as_slice() else { return Vec::new() };
        let mut uses = Vec::new();
        for (name, _) in fields {
            let known = parts.iter().position(|part| part.name == name.text);
            match known {
                Some(index) => uses.push(PartId(index as u16)),
                None if BUILTINS.contains(&&*name.text) => {}
                None => {
                    let problem = "scene-program-names-missing-part";
                    errors.push(Diagnostic::new(name.span, problem, &*name.text));
                }
            }
        }
        uses
    }

    fn placed(
        &self,
        fields: Fields<'a>,
        parts: &[PartSetup],
        errors: &mut Vec<Diagnostic>,
    ) -> Option<Query> {
        let Some(value) = find(fields, "placed") else {
            errors.push(Diagnostic::new(fields.1, "scene-missing-placed", ""));
            return None;
        };
        self.queries(value, parts, errors).into_iter().next()
    }

    /// `{ part: sql`…` }`.
    pub(super) fn queries(
        &self,
        value: &'a Expr,
        parts: &[PartSetup],
        errors: &mut Vec<Diagnostic>,
    ) -> Vec<Query> {
        let Some((fields, _)) = object(value) else {
            let error = Diagnostic::new(value.span, "scene-wrong-type", "…");
            errors.push(error.expecting("expected-object"));
            return Vec::new();
        };
        let mut queries = Vec::new();
        for (name, value) in fields {
            let part = parts.iter().position(|part| part.name == name.text);
            let tables = part.and_then(|part| match &parts[part].kind {
                PartKind::Database { tables } => Some(tables),
                _ => None,
            });
            let (Some(part), Some(tables)) = (part, tables) else {
                let problem = "scene-query-not-on-database";
                errors.push(Diagnostic::new(name.span, problem, &*name.text));
                continue;
            };
            let Some(pieces) = self.sql(value, errors) else { continue };
            let (statement, mistakes) = sql::parse_statement(pieces);
            let found = statement.iter().flat_map(|statement| sql::check(statement, tables));
            let found: Vec<_> = found.collect();
            for error in mistakes.into_iter().chain(found) {
                errors.push(Diagnostic::new(error.span, error.problem.id(), error.found));
            }
            if let Some(statement) = statement {
                queries.push(Query { part: PartId(part as u16), statement: Arc::new(statement) });
            }
        }
        queries
    }

    /// A `sql` template without parameters.
    pub(super) fn sql(&self, value: &'a Expr, errors: &mut Vec<Diagnostic>) -> Option<&'a [Piece]> {
        match &value.kind {
            ExprKind::Sql(pieces, params) if params.is_empty() => Some(pieces),
            _ => {
                let error = Diagnostic::new(value.span, "scene-wrong-type", "…");
                errors.push(error.expecting("expected-sql"));
                None
            }
        }
    }

    /// Each statement of the programs must fit the tables of some database. Which one it goes to
    /// is known only when it runs.
    fn check_statements(&self, parts: &[PartSetup], errors: &mut Vec<Diagnostic>) {
        let databases: Vec<_> = parts
            .iter()
            .filter_map(|part| match &part.kind {
                PartKind::Database { tables } => Some(tables),
                _ => None,
            })
            .collect();
        for statement in &self.compiled.image.statements {
            let checks = databases.iter().map(|tables| sql::check(statement, tables));
            // The database that fits best speaks for all.
            let best = checks.min_by_key(Vec::len).unwrap_or_default();
            for error in best {
                errors.push(Diagnostic::new(error.span, error.problem.id(), error.found));
            }
        }
    }
}

/// `name(…)`: the name with its place, and the arguments.
pub(super) type NamedCall<'a> = ((&'a Arc<str>, Span), &'a [Expr]);

pub(super) fn call(value: &Expr) -> Option<NamedCall<'_>> {
    let ExprKind::Call(callee, arguments) = &value.kind else { return None };
    let ExprKind::Ident(name) = &callee.kind else { return None };
    Some(((name, callee.span), arguments))
}

pub(super) fn object(value: &Expr) -> Option<Fields<'_>> {
    match &value.kind {
        ExprKind::Object(fields) => Some((fields, value.span)),
        _ => None,
    }
}

pub(super) fn find<'a>(fields: Fields<'a>, name: &str) -> Option<&'a Expr> {
    fields.0.iter().find(|(key, _)| &*key.text == name).map(|(_, value)| value)
}

pub(super) fn check_names(
    fields: Fields<'_>,
    known: &[&str],
    problem: &'static str,
    errors: &mut Vec<Diagnostic>,
) {
    for (name, _) in fields.0 {
        if !known.contains(&&*name.text) {
            errors.push(Diagnostic::new(name.span, problem, &*name.text));
        }
    }
}

/// A setting that is on or off.
pub(super) fn boolean(
    fields: Fields<'_>,
    name: &str,
    standard: bool,
    errors: &mut Vec<Diagnostic>,
) -> bool {
    match find(fields, name).map(|value| (&value.kind, value.span)) {
        None => standard,
        Some((ExprKind::Bool(value), _)) => *value,
        Some((_, span)) => {
            let error = Diagnostic::new(span, "scene-wrong-type", name);
            errors.push(error.expecting("expected-boolean"));
            standard
        }
    }
}

/// A time in milliseconds that may be left out, in microseconds.
pub(super) fn optional_ms(
    fields: Fields<'_>,
    name: &'static str,
    errors: &mut Vec<Diagnostic>,
) -> Option<i64> {
    find(fields, name)?;
    integer(fields, name, 1..=MS_MAX, errors).map(|ms| ms * 1000)
}

/// A whole number within bounds; an error if it is missing.
pub(super) fn integer(
    fields: Fields<'_>,
    name: &'static str,
    bounds: std::ops::RangeInclusive<i64>,
    errors: &mut Vec<Diagnostic>,
) -> Option<i64> {
    let Some(value) = find(fields, name) else {
        errors.push(Diagnostic::new(fields.1, "scene-missing-field", name));
        return None;
    };
    let ExprKind::Int(number) = value.kind else {
        let error = Diagnostic::new(value.span, "scene-wrong-type", name);
        errors.push(error.expecting("expected-integer"));
        return None;
    };
    if !bounds.contains(&number) {
        let error = Diagnostic::new(value.span, "scene-out-of-range", number.to_string());
        errors.push(error.expecting(format!("{}…{}", bounds.start(), bounds.end())));
        return None;
    }
    Some(number)
}

/// The column that the `placed` query reads an order's number from.
fn order_column(statement: &Statement) -> Option<(Arc<str>, Arc<str>)> {
    let Statement::Select(select) = statement else { return None };
    let table = select.from.as_ref()?.table.text.clone();
    match select.items.first()? {
        Item::Value(value, _) => match &value.kind {
            sql_ast::ExprKind::Column(_, name) => Some((table, name.text.clone())),
            _ => None,
        },
        Item::All(_) => None,
    }
}
