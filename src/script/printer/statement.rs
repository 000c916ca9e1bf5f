//! Statements and patterns.

use super::output::Output;
use crate::script::ast::{BinaryOp, Name, Pattern, Stmt, StmtKind};

impl Output {
    /// `{…}` over several lines, or `{}`.
    pub(super) fn block(&mut self, statements: &[Stmt]) {
        if statements.is_empty() {
            return self.push("{}");
        }
        self.open("{");
        for statement in statements {
            self.statement(statement);
            self.line();
        }
        self.close("}");
    }

    fn statement(&mut self, statement: &Stmt) {
        self.mark(statement.span);
        match &statement.kind {
            StmtKind::Block(body) => self.block(body),
            StmtKind::Function(function) => self.declared(function),
            StmtKind::If { test, then, otherwise } => {
                self.push("if (");
                self.expression(test);
                self.push(") ");
                self.block(then);
                if let Some(otherwise) = otherwise {
                    self.otherwise(otherwise);
                }
            }
            StmtKind::While { test, body } => {
                self.push("while (");
                self.expression(test);
                self.push(") ");
                self.block(body);
            }
            StmtKind::ForOf { constant, pattern, items, body } => {
                self.push(if *constant { "for (const " } else { "for (let " });
                self.pattern(pattern);
                self.push(" of ");
                self.expression(items);
                self.push(") ");
                self.block(body);
            }
            StmtKind::Try { body, catch, finally } => {
                self.push("try ");
                self.block(body);
                if let Some((pattern, body)) = catch {
                    self.catch(pattern.as_ref(), body);
                }
                if let Some(finally) = finally {
                    self.push(" finally ");
                    self.block(finally);
                }
            }
            kind => {
                self.simple(kind);
                self.push(";");
            }
        }
    }

    /// A block with one `if` is an `else if`.
    fn otherwise(&mut self, body: &[Stmt]) {
        self.push(" else ");
        match body {
            [only] if matches!(only.kind, StmtKind::If { .. }) => self.statement(only),
            _ => self.block(body),
        }
    }

    fn catch(&mut self, pattern: Option<&Pattern>, body: &[Stmt]) {
        self.push(" catch ");
        if let Some(pattern) = pattern {
            self.push("(");
            self.pattern(pattern);
            self.push(") ");
        }
        self.block(body);
    }

    /// A statement that ends with `;`.
    fn simple(&mut self, kind: &StmtKind) {
        match kind {
            StmtKind::Declare { constant, pattern, value } => {
                self.push(if *constant { "const " } else { "let " });
                self.pattern(pattern);
                if let Some(value) = value {
                    self.push(" = ");
                    self.expression(value);
                }
            }
            StmtKind::Assign { target, op, value } => {
                self.leading_expression(target);
                self.push(match op {
                    None => " = ",
                    Some(BinaryOp::Sub) => " -= ",
                    Some(_) => " += ",
                });
                self.expression(value);
            }
            StmtKind::Expr(expr) => self.leading_expression(expr),
            StmtKind::Throw(expr) => {
                self.push("throw ");
                self.expression(expr);
            }
            StmtKind::Return(Some(expr)) => {
                self.push("return ");
                self.expression(expr);
            }
            StmtKind::Return(None) => self.push("return"),
            StmtKind::Break => self.push("break"),
            StmtKind::Continue => self.push("continue"),
            _ => {}
        }
    }

    /// `(a, { b })`.
    pub(super) fn parameters(&mut self, params: &[Pattern]) {
        self.push("(");
        for (at, param) in params.iter().enumerate() {
            self.push(if at == 0 { "" } else { ", " });
            self.pattern(param);
        }
        self.push(")");
    }

    fn pattern(&mut self, pattern: &Pattern) {
        match pattern {
            Pattern::Name(name) => self.push(&name.text),
            Pattern::Object(fields, _) if fields.is_empty() => self.push("{}"),
            Pattern::Object(fields, _) => {
                for (at, field) in fields.iter().enumerate() {
                    self.push(if at == 0 { "{ " } else { ", " });
                    self.field_pattern(field);
                }
                self.push(" }");
            }
            Pattern::Array(items, _) => {
                self.push("[");
                for (at, item) in items.iter().enumerate() {
                    let last = at + 1 == items.len();
                    if let Some(item) = item {
                        self.pattern(item);
                    }
                    self.push(match (item, last) {
                        (Some(_), true) => "",
                        (None, true) => ",",
                        _ => ", ",
                    });
                }
                self.push("]");
            }
        }
    }

    fn field_pattern(&mut self, (key, pattern): &(Name, Pattern)) {
        match pattern {
            Pattern::Name(name) if name.text == key.text => self.push(&name.text),
            _ => {
                self.key(key);
                self.push(": ");
                self.pattern(pattern);
            }
        }
    }
}
