//! A promise is awaited once or dropped: whatever else is done with an obvious one is refused.
//! Obvious are the calls of parts by their methods, of `sleep`, of `Promise.all`, and of async
//! functions by their names.

use crate::collections::{Map, Set};
use std::sync::Arc;

use super::scope::names_of;
use super::visit::{Visit, children, functions};
use crate::diagnostic::Diagnostic;
use crate::script::ast::{Expr, ExprKind, Function, Module, Pattern, Stmt, StmtKind};
use crate::script::vm::ASYNC_METHODS;

/// Refuses promises that are kept, and promises that async functions return.
pub(super) fn check(module: &Module) -> Vec<Diagnostic> {
    let mut bindings = Bindings::default();
    functions(module, &mut bindings);
    let once = bindings.0.into_iter().filter(|(_, (count, is_async))| *count == 1 && *is_async);
    let asyncs = once.map(|(name, _)| name).collect();
    let mut walk = Walk { asyncs, in_async: false, errors: Vec::new() };
    for function in &module.functions {
        walk.function(function);
    }
    walk.errors
}

/// For each name how often it is bound, and whether an async function is bound to it. Only a
/// name that is bound once is certain to mean that.
struct Bindings(Map<Arc<str>, (u32, bool)>);

impl Default for Bindings {
    /// `sleep` is given.
    fn default() -> Self {
        Self(Map::from_iter([("sleep".into(), (1, true))]))
    }
}

impl Bindings {
    fn add(&mut self, name: &Arc<str>, is_async: bool) {
        let known = self.0.entry(name.clone()).or_default();
        known.0 += 1;
        known.1 |= is_async;
    }

    fn add_names(&mut self, pattern: &Pattern) {
        let mut names = Set::new();
        names_of(pattern, &mut names);
        names.iter().for_each(|name| self.add(name, false));
    }
}

impl Visit for Bindings {
    fn expression(&mut self, _value: &Expr) {}

    fn binding(&mut self, pattern: &Pattern, value: Option<&Expr>) {
        match (pattern, value.map(|value| &value.kind)) {
            (Pattern::Name(name), Some(ExprKind::Arrow(function))) => {
                self.add(&name.text, function.is_async);
            }
            _ => self.add_names(pattern),
        }
    }

    fn function(&mut self, function: &Function) {
        if let Some(name) = &function.name {
            self.add(&name.text, function.is_async);
        }
        for pattern in &function.params {
            match pattern {
                // `{ sleep }` is how a program is given it.
                Pattern::Object(fields, _) => {
                    let others = fields.iter().filter(|(key, _)| &*key.text != "sleep");
                    others.for_each(|(_, inner)| self.add_names(inner));
                }
                _ => self.add_names(pattern),
            }
        }
    }
}

struct Walk {
    asyncs: Set<Arc<str>>,
    in_async: bool,
    errors: Vec<Diagnostic>,
}

/// What becomes of a value.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Fate {
    /// It is awaited, dropped, or collected for `Promise.all`: a promise may stand here.
    Settled,
    /// The function returns it.
    Returned,
    /// It is used as a plain value.
    Used,
}

impl Walk {
    fn function(&mut self, function: &Function) {
        let outer = std::mem::replace(&mut self.in_async, function.is_async);
        self.statements(&function.body);
        self.in_async = outer;
    }

    fn statements(&mut self, body: &[Stmt]) {
        for statement in body {
            self.statement(statement);
        }
    }

    fn statement(&mut self, statement: &Stmt) {
        match &statement.kind {
            StmtKind::Declare { value, .. } => {
                value.iter().for_each(|value| self.value(value, Fate::Used));
            }
            StmtKind::Assign { target, value, .. } => {
                children(target).into_iter().for_each(|inner| self.value(inner, Fate::Used));
                self.value(value, Fate::Used);
            }
            StmtKind::Expr(value) => self.value(value, Fate::Settled),
            StmtKind::Throw(value) => self.value(value, Fate::Used),
            StmtKind::If { test, then, otherwise } => {
                self.value(test, Fate::Used);
                self.statements(then);
                self.statements(otherwise.as_deref().unwrap_or_default());
            }
            StmtKind::While { test: value, body } | StmtKind::ForOf { items: value, body, .. } => {
                self.value(value, Fate::Used);
                self.statements(body);
            }
            StmtKind::Try { body, catch, finally } => {
                self.statements(body);
                if let Some((_, handler)) = catch {
                    self.statements(handler);
                }
                self.statements(finally.as_deref().unwrap_or_default());
            }
            StmtKind::Return(value) => {
                value.iter().for_each(|value| self.value(value, Fate::Returned));
            }
            StmtKind::Break | StmtKind::Continue => {}
            StmtKind::Block(body) => self.statements(body),
            StmtKind::Function(function) => self.function(function),
        }
    }

    fn value(&mut self, value: &Expr, fate: Fate) {
        match &value.kind {
            ExprKind::Arrow(function) => self.function(function),
            ExprKind::Await(inner) => self.value(inner, Fate::Settled),
            ExprKind::Conditional(test, yes, no) => {
                self.value(test, Fate::Used);
                self.value(yes, fate);
                self.value(no, fate);
            }
            ExprKind::Logical(_, left, right) => {
                self.value(left, Fate::Used);
                self.value(right, fate);
            }
            ExprKind::Call(callee, arguments) => {
                self.call(callee, arguments);
                if self.is_promise(callee) {
                    self.judge(value, fate);
                }
            }
            _ => children(value).into_iter().for_each(|inner| self.value(inner, Fate::Used)),
        }
    }

    fn call(&mut self, callee: &Expr, arguments: &[Expr]) {
        children(callee).into_iter().for_each(|inner| self.value(inner, Fate::Used));
        for argument in arguments {
            match &argument.kind {
                ExprKind::Array(items) if is_promise_all(callee) => {
                    items.iter().for_each(|item| self.value(item, Fate::Settled));
                }
                _ => self.value(argument, Fate::Used),
            }
        }
    }

    fn judge(&mut self, value: &Expr, fate: Fate) {
        let problem = match fate {
            Fate::Settled => return,
            Fate::Returned if !self.in_async => return,
            Fate::Returned => "script-promise-returned",
            Fate::Used => "script-promise-kept",
        };
        self.errors.push(Diagnostic::new(value.span, problem, ""));
    }

    fn is_promise(&self, callee: &Expr) -> bool {
        match &callee.kind {
            ExprKind::Ident(name) => self.asyncs.contains(name),
            ExprKind::Member(_, name) => {
                is_promise_all(callee) || ASYNC_METHODS.contains(&&*name.text)
            }
            _ => false,
        }
    }
}

fn is_promise_all(callee: &Expr) -> bool {
    let ExprKind::Member(object, name) = &callee.kind else { return false };
    &*name.text == "all" && matches!(&object.kind, ExprKind::Ident(name) if &**name == "Promise")
}
