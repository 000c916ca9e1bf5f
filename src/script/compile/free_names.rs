//! Which names the functions inside a body mention.

use crate::collections::Set;
use std::sync::Arc;

use super::visit::children;
use crate::script::ast::{Expr, ExprKind, Function, Stmt, StmtKind};

/// Every name that a function nested in these statements uses, whatever it refers to.
pub(super) fn names_in_inner_functions(body: &[Stmt]) -> Set<Arc<str>> {
    let mut walk = Walk { inside: 0, names: Set::new() };
    walk.statements(body);
    walk.names
}

struct Walk {
    inside: u32,
    names: Set<Arc<str>>,
}

impl Walk {
    fn function(&mut self, function: &Function) {
        self.inside += 1;
        self.statements(&function.body);
        self.inside -= 1;
    }

    fn statements(&mut self, body: &[Stmt]) {
        for statement in body {
            self.statement(statement);
        }
    }

    fn statement(&mut self, statement: &Stmt) {
        match &statement.kind {
            StmtKind::Declare { value, .. } | StmtKind::Return(value) => self.all(value.as_ref()),
            StmtKind::Assign { target, value, .. } => self.all([target, value]),
            StmtKind::Expr(value) | StmtKind::Throw(value) => self.expression(value),
            StmtKind::If { test, then, otherwise } => {
                self.expression(test);
                self.statements(then);
                self.statements(otherwise.as_deref().unwrap_or_default());
            }
            StmtKind::While { test, body } => {
                self.expression(test);
                self.statements(body);
            }
            StmtKind::ForOf { items, body, .. } => {
                self.expression(items);
                self.statements(body);
            }
            StmtKind::Try { body, catch, finally } => {
                self.statements(body);
                if let Some((_, handler)) = catch {
                    self.statements(handler);
                }
                self.statements(finally.as_deref().unwrap_or_default());
            }
            StmtKind::Break | StmtKind::Continue => {}
            StmtKind::Block(body) => self.statements(body),
            StmtKind::Function(function) => self.function(function),
        }
    }

    fn all<'a>(&mut self, values: impl IntoIterator<Item = &'a Expr>) {
        for value in values {
            self.expression(value);
        }
    }

    fn expression(&mut self, value: &Expr) {
        match &value.kind {
            ExprKind::Ident(name) if self.inside > 0 => drop(self.names.insert(name.clone())),
            ExprKind::Arrow(function) => self.function(function),
            _ => self.all(children(value)),
        }
    }
}
