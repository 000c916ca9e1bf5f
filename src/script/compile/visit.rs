//! A walk over everything in the functions of a module.

use crate::script::ast::{Expr, ExprKind, Function, Module, Pattern, Stmt, StmtKind};

/// What the walk tells.
pub(super) trait Visit {
    /// An expression, before those inside it.
    fn expression(&mut self, value: &Expr);
    /// What is assigned to.
    fn target(&mut self, _target: &Expr) {}
    /// What a declaration, a loop or `catch` binds, and to which value if that is known.
    fn binding(&mut self, _pattern: &Pattern, _value: Option<&Expr>) {}
    /// A declared function or an arrow function, before what is inside it.
    fn function(&mut self, _function: &Function) {}
}

/// Walks all functions of a module.
pub(super) fn functions(module: &Module, visit: &mut impl Visit) {
    for function in &module.functions {
        inside(function, visit);
    }
}

fn statements(body: &[Stmt], visit: &mut impl Visit) {
    for statement in body {
        parts(statement, visit);
    }
}

fn parts(statement: &Stmt, visit: &mut impl Visit) {
    match &statement.kind {
        StmtKind::Declare { pattern, value, .. } => {
            visit.binding(pattern, value.as_ref());
            all(value.as_ref(), visit);
        }
        StmtKind::Return(value) => all(value.as_ref(), visit),
        StmtKind::Assign { target, value, .. } => {
            visit.target(target);
            all([target, value], visit);
        }
        StmtKind::Expr(value) | StmtKind::Throw(value) => expression(value, visit),
        StmtKind::If { test, then, otherwise } => {
            expression(test, visit);
            statements(then, visit);
            statements(otherwise.as_deref().unwrap_or_default(), visit);
        }
        StmtKind::While { test, body } => {
            expression(test, visit);
            statements(body, visit);
        }
        StmtKind::ForOf { pattern, items, body, .. } => {
            visit.binding(pattern, None);
            expression(items, visit);
            statements(body, visit);
        }
        StmtKind::Try { body, catch, finally } => {
            statements(body, visit);
            if let Some((pattern, handler)) = catch {
                pattern.iter().for_each(|pattern| visit.binding(pattern, None));
                statements(handler, visit);
            }
            statements(finally.as_deref().unwrap_or_default(), visit);
        }
        StmtKind::Break | StmtKind::Continue => {}
        StmtKind::Block(body) => statements(body, visit),
        StmtKind::Function(function) => inside(function, visit),
    }
}

fn inside(function: &Function, visit: &mut impl Visit) {
    visit.function(function);
    statements(&function.body, visit);
}

fn all<'a>(values: impl IntoIterator<Item = &'a Expr>, visit: &mut impl Visit) {
    for value in values {
        expression(value, visit);
    }
}

fn expression(value: &Expr, visit: &mut impl Visit) {
    visit.expression(value);
    match &value.kind {
        ExprKind::Arrow(function) => inside(function, visit),
        _ => all(children(value), visit),
    }
}

/// The expressions directly inside one, in the order of evaluation. None for a function.
pub(super) fn children(value: &Expr) -> Vec<&Expr> {
    match &value.kind {
        ExprKind::Null
        | ExprKind::Undefined
        | ExprKind::Bool(_)
        | ExprKind::Int(_)
        | ExprKind::Text(_)
        | ExprKind::Ident(_)
        | ExprKind::Arrow(_) => Vec::new(),
        ExprKind::Template(_, inner)
        | ExprKind::Sql(_, inner)
        | ExprKind::Array(inner)
        | ExprKind::NewError(inner) => inner.iter().collect(),
        ExprKind::Object(fields) => fields.iter().map(|(_, inner)| inner).collect(),
        ExprKind::Unary(_, inner) | ExprKind::Await(inner) | ExprKind::Member(inner, _) => {
            vec![inner]
        }
        ExprKind::Binary(_, a, b) | ExprKind::Logical(_, a, b) | ExprKind::Index(a, b) => {
            vec![a, b]
        }
        ExprKind::Conditional(a, b, c) => vec![a, b, c],
        ExprKind::Call(callee, arguments) => std::iter::once(&**callee).chain(arguments).collect(),
    }
}
