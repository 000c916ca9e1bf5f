//! Statements.

use super::Compiler;
use super::scope::Exit;
use crate::script::ast::{BinaryOp, Expr, ExprKind, Pattern, Stmt, StmtKind};
use crate::script::code::Op;
use crate::text::Span;

impl<'a> Compiler<'a> {
    pub(super) fn statements(&mut self, body: &'a [Stmt]) {
        for statement in body {
            self.statement(statement);
        }
    }

    pub(super) fn block(&mut self, body: &'a [Stmt]) {
        self.open_scope();
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
            StmtKind::Return(value) => self.leave_function(value.as_ref(), span),
            StmtKind::Break => self.leave_loop(span, true),
            StmtKind::Continue => self.leave_loop(span, false),
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

    fn while_loop(&mut self, test: &'a Expr, body: &'a [Stmt]) {
        let start = self.here();
        self.expression(test);
        let end = self.emit(Op::JumpIfFalse(0), test.span);
        self.loop_body(body, start, test.span);
        self.land(end);
        self.close_loop();
    }

    fn for_of(&mut self, constant: bool, pattern: &'a Pattern, items: &'a Expr, body: &'a [Stmt]) {
        self.expression(items);
        self.emit(Op::Int(0), items.span);
        let start = self.here();
        let end = self.emit(Op::Next(0), items.span);
        self.open_scope();
        self.bind(pattern, constant);
        self.loop_body(body, start, items.span);
        self.close_scope();
        self.land(end);
        let Some(Exit::Loop { breaks, .. }) = self.frame().exits.pop() else { return };
        // `break` leaves the array and the index on the stack; the regular end has popped them.
        if !breaks.is_empty() {
            let over = self.emit(Op::Jump(0), items.span);
            for jump in breaks {
                self.land(jump);
            }
            self.emit(Op::Pop, items.span);
            self.emit(Op::Pop, items.span);
            self.land(over);
        }
    }

    /// The body and the jump back; the loop's entry stays on the list of exits.
    fn loop_body(&mut self, body: &'a [Stmt], start: u32, span: Span) {
        self.frame().exits.push(Exit::Loop { breaks: Vec::new(), continues: Vec::new() });
        self.block(body);
        if let Some(Exit::Loop { continues, .. }) = self.frame().exits.last_mut() {
            for jump in std::mem::take(continues) {
                self.land(jump);
            }
        }
        self.emit(Op::Jump(start), span);
    }

    fn close_loop(&mut self) {
        if let Some(Exit::Loop { breaks, .. }) = self.frame().exits.pop() {
            for jump in breaks {
                self.land(jump);
            }
        }
    }

    fn guarded(
        &mut self,
        body: &'a [Stmt],
        catch: Option<&'a (Option<Pattern>, Vec<Stmt>)>,
        finally: Option<&'a [Stmt]>,
        span: Span,
    ) {
        let outer = finally.map(|finally| {
            let guard = self.emit(Op::Guard(0), span);
            self.frame().exits.push(Exit::Finally(finally));
            guard
        });
        if let Some((pattern, handler)) = catch {
            let guard = self.emit(Op::Guard(0), span);
            self.frame().exits.push(Exit::Guard);
            self.block(body);
            self.frame().exits.pop();
            self.emit(Op::Unguard, span);
            let end = self.emit(Op::Jump(0), span);
            self.land(guard);
            self.open_scope();
            match pattern {
                Some(pattern) => self.bind(pattern, false),
                None => drop(self.emit(Op::Pop, span)),
            }
            self.block(handler);
            self.close_scope();
            self.land(end);
        } else {
            self.block(body);
        }
        if let (Some(guard), Some(finally)) = (outer, finally) {
            self.frame().exits.pop();
            self.emit(Op::Unguard, span);
            self.block(finally);
            let end = self.emit(Op::Jump(0), span);
            self.land(guard);
            self.block(finally);
            self.emit(Op::Throw, span);
            self.land(end);
        }
    }

    fn leave_function(&mut self, value: Option<&'a Expr>, span: Span) {
        match value {
            Some(value) => self.expression(value),
            None => drop(self.emit(Op::Undefined, span)),
        }
        self.unwind(0, span);
        self.emit(Op::Return, span);
    }

    fn leave_loop(&mut self, span: Span, is_break: bool) {
        let exits = &self.frame().exits;
        let Some(depth) = exits.iter().rposition(|exit| matches!(exit, Exit::Loop { .. })) else {
            self.error(span, "script-outside-loop", "");
            return;
        };
        self.unwind(depth + 1, span);
        let jump = self.emit(Op::Jump(0), span);
        if let Some(Exit::Loop { breaks, continues, .. }) = self.frame().exits.get_mut(depth) {
            if is_break { breaks.push(jump) } else { continues.push(jump) }
        }
    }

    /// Emits what lies between here and the exit at `depth`, innermost first: guards end and
    /// `finally` blocks run. A value on top of the stack stays there.
    fn unwind(&mut self, depth: usize, span: Span) {
        let mut passed = Vec::new();
        while self.frame().exits.len() > depth {
            // Taken off the list, so that a `return` inside a `finally` does not run it again.
            let Some(exit) = self.frame().exits.pop() else { break };
            match &exit {
                Exit::Guard => drop(self.emit(Op::Unguard, span)),
                Exit::Finally(body) => {
                    let body: &'a [Stmt] = body;
                    self.emit(Op::Unguard, span);
                    self.block(body);
                }
                // Only when the function ends: the iteration values go with its frame.
                Exit::Loop { .. } => {}
            }
            passed.push(exit);
        }
        self.frame().exits.extend(passed.into_iter().rev());
    }
}
