//! Expressions.

use super::Compiler;
use crate::script::ast::{self, Expr, ExprKind, LogicalOp};
use crate::script::code::Op;
use crate::text::Span;

impl<'a> Compiler<'a> {
    pub(super) fn expression(&mut self, value: &'a Expr) {
        let span = value.span;
        match &value.kind {
            ExprKind::Null => drop(self.emit(Op::Null, span)),
            ExprKind::Undefined => drop(self.emit(Op::Undefined, span)),
            ExprKind::Bool(value) => drop(self.emit(Op::Bool(*value), span)),
            ExprKind::Int(value) => drop(self.emit(Op::Int(*value), span)),
            ExprKind::Text(text) => drop(self.emit(Op::Text(text.clone()), span)),
            ExprKind::Ident(name) => self.load(name, span),
            ExprKind::Template(texts, values) => self.template(texts, values, span),
            ExprKind::Sql(pieces, params) => {
                self.expressions(params);
                let statement = self.statement_constant(pieces);
                self.emit(Op::Sql(statement, params.len() as u32), span);
            }
            ExprKind::Array(items) => {
                self.expressions(items);
                self.emit(Op::Array(items.len() as u32), span);
            }
            ExprKind::Object(fields) => {
                for (_, field) in fields {
                    self.expression(field);
                }
                let keys = fields.iter().map(|(name, _)| name.text.clone()).collect();
                self.emit(Op::Object(keys), span);
            }
            ExprKind::Arrow(function) => self.closure(function),
            ExprKind::Unary(op, inner) => {
                self.expression(inner);
                self.emit(Op::Unary(*op), span);
            }
            ExprKind::Binary(op, left, right) => {
                self.expression(left);
                self.expression(right);
                self.emit(Op::Binary(*op), span);
            }
            ExprKind::Logical(op, left, right) => self.logical(*op, left, right, span),
            ExprKind::Conditional(test, yes, no) => self.conditional(test, yes, no, span),
            ExprKind::Member(object, name) => {
                self.expression(object);
                self.emit(Op::Field(name.text.clone()), name.span);
            }
            ExprKind::Index(object, index) => {
                self.expression(object);
                self.expression(index);
                self.emit(Op::Index, span);
            }
            ExprKind::Call(callee, arguments) => self.call(callee, arguments, span),
            ExprKind::NewError(arguments) => {
                self.expressions(arguments);
                self.emit(Op::Error(!arguments.is_empty()), span);
            }
            ExprKind::Await(inner) => {
                self.expression(inner);
                if !self.frame().is_async {
                    self.error(span, "script-await-outside-async", "await");
                }
                self.emit(Op::Await, span);
            }
        }
    }

    fn expressions(&mut self, values: &'a [Expr]) {
        for value in values {
            self.expression(value);
        }
    }

    fn template(&mut self, texts: &'a [std::sync::Arc<str>], values: &'a [Expr], span: Span) {
        let mut count = 0;
        for (index, text) in texts.iter().enumerate() {
            self.emit(Op::Text(text.clone()), span);
            count += 1;
            if let Some(value) = values.get(index) {
                self.expression(value);
                count += 1;
            }
        }
        self.emit(Op::Template(count), span);
    }

    fn logical(&mut self, op: LogicalOp, left: &'a Expr, right: &'a Expr, span: Span) {
        self.expression(left);
        let jump = match op {
            LogicalOp::And => Op::JumpIfFalsePeek(0),
            LogicalOp::Or => Op::JumpIfTruePeek(0),
            LogicalOp::Coalesce => Op::JumpIfValuePeek(0),
        };
        let jump = self.emit(jump, span);
        self.expression(right);
        self.land(jump);
    }

    fn conditional(&mut self, test: &'a Expr, yes: &'a Expr, no: &'a Expr, span: Span) {
        self.expression(test);
        let otherwise = self.emit(Op::JumpIfFalse(0), span);
        self.expression(yes);
        let end = self.emit(Op::Jump(0), span);
        self.land(otherwise);
        self.expression(no);
        self.land(end);
    }

    fn call(&mut self, callee: &'a Expr, arguments: &'a [Expr], span: Span) {
        if let ExprKind::Member(object, name) = &callee.kind {
            if matches!(&object.kind, ExprKind::Ident(name) if &**name == "Promise") {
                return self.promise_method(name, arguments, span);
            }
            self.expression(object);
            self.emit(Op::Something, object.span);
            self.expressions(arguments);
            let op = Op::CallMethod(name.text.clone(), arguments.len() as u32);
            self.emit(op, span);
            return;
        }
        self.expression(callee);
        self.expressions(arguments);
        self.emit(Op::Call(arguments.len() as u32), span);
    }

    fn promise_method(&mut self, name: &'a ast::Name, arguments: &'a [Expr], span: Span) {
        if &*name.text != "all" || arguments.len() != 1 {
            self.error(name.span, "script-promise-method", &name.text);
        }
        self.expressions(arguments);
        self.emit(Op::PromiseAll, span);
    }

    /// Compiles a nested function and pushes a closure of it.
    pub(super) fn closure(&mut self, function: &'a ast::Function) {
        let index = self.reserve();
        self.function(function, index);
        self.emit(Op::Closure(index), function.span);
    }
}
