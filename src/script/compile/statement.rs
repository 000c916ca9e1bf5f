//! Statements.

use super::Compiler;
use super::exits::Leave;
use super::scope::declared_in;
use crate::script::ast::{BinaryOp, Expr, ExprKind, Stmt, StmtKind};
use crate::script::code::Op;
use crate::text::Span;

impl<'a> Compiler<'a> {
    pub(super) fn statements(&mut self, body: &'a [Stmt]) {
        for statement in body {
            self.statement(statement);
        }
    }

    pub(super) fn block(&mut self, body: &'a [Stmt]) {
        self.open_scope(declared_in(body));
        self.statements(body);
        self.close_scope();
    }

    fn statement(&mut self, statement: &'a Stmt) {
        let span = statement.span;
        match &statement.kind {
            StmtKind::Declare { constant, pattern, value } => {
                match value {
                    Some(value) => self.expression(value),
                    None => drop(self.emit(Op::Undefined, span)),
                }
                self.bind(pattern, *constant);
            }
            StmtKind::Assign { target, op, value } => self.assign(target, *op, value, span),
            StmtKind::Expr(value) => {
                self.expression(value);
                self.emit(Op::Pop, value.span);
            }
            StmtKind::If { test, then, otherwise } => self.branch(test, then, otherwise.as_deref()),
            StmtKind::While { test, body } => self.while_loop(test, body),
            StmtKind::ForOf { constant, pattern, items, body } => {
                self.for_of(*constant, pattern, items, body);
            }
            StmtKind::Try { body, catch, finally } => {
                self.guarded(body, catch.as_ref(), finally.as_deref(), span);
            }
            StmtKind::Throw(value) => {
                self.expression(value);
                self.emit(Op::Throw, span);
            }
            StmtKind::Return(value) => {
                match value {
                    Some(value) => self.expression(value),
                    None => drop(self.emit(Op::Undefined, span)),
                }
                self.leave(Leave::Return, span);
            }
            StmtKind::Break => self.leave(Leave::Break, span),
            StmtKind::Continue => self.leave(Leave::Continue, span),
            StmtKind::Block(body) => self.block(body),
            StmtKind::Function(function) => {
                let Some(name) = &function.name else { return };
                let slot = self.new_slot();
                // Declared first, so that it may call itself.
                let boxed = self.declare_local(name, slot, true);
                self.closure(function);
                self.emit(if boxed { Op::StoreCell(slot) } else { Op::Store(slot) }, name.span);
            }
        }
    }

    fn assign(&mut self, target: &'a Expr, op: Option<BinaryOp>, value: &'a Expr, span: Span) {
        match &target.kind {
            ExprKind::Ident(name) => {
                if let Some(op) = op {
                    self.load(name, target.span);
                    self.expression(value);
                    self.emit(Op::Binary(op), span);
                } else {
                    self.expression(value);
                }
                self.store(name, target.span);
            }
            ExprKind::Member(object, name) => {
                self.expression(object);
                if let Some(op) = op {
                    self.emit(Op::Dup, target.span);
                    self.emit(Op::Field(name.text.clone()), target.span);
                    self.expression(value);
                    self.emit(Op::Binary(op), span);
                } else {
                    self.expression(value);
                }
                self.emit(Op::SetField(name.text.clone()), span);
            }
            ExprKind::Index(object, index) => {
                if op.is_some() {
                    self.error(span, "script-compound-index", "");
                }
                self.expression(object);
                self.expression(index);
                self.expression(value);
                self.emit(Op::SetIndex, span);
            }
            _ => self.error(target.span, "script-bad-target", ""),
        }
    }

    fn branch(&mut self, test: &'a Expr, then: &'a [Stmt], otherwise: Option<&'a [Stmt]>) {
        self.expression(test);
        let skip = self.emit(Op::JumpIfFalse(0), test.span);
        self.block(then);
        if let Some(otherwise) = otherwise {
            let end = self.emit(Op::Jump(0), test.span);
            self.land(skip);
            self.block(otherwise);
            self.land(end);
        } else {
            self.land(skip);
        }
    }
}
