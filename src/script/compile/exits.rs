//! Loops and `try`: whatever a statement can leave, and how it is left.
//!
//! Between two statements the value stack is empty: loops and `finally` keep what they need in
//! slots of their own. So every jump out of a statement is only a jump.

use crate::collections::Set;

use super::Compiler;
use super::scope::{declared_in, names_of};
use crate::script::ast::{BinaryOp, Expr, Pattern, Stmt};
use crate::script::code::Op;
use crate::text::Span;

/// What stands between a statement and the end of its function, outermost first.
pub(super) enum Exit {
    Loop { breaks: Vec<u32>, continues: Vec<u32> },
    Guard,
    Finally(Finally),
}

/// A `try` whose `finally` is still to come. The block is compiled once; before it a slot says
/// why it runs, and after it the steps go on with just that.
pub(super) struct Finally {
    /// Slot: [`NORMAL`], [`THREW`], or a [`Leave`].
    why: u32,
    /// Slot: the error, or the value of the function.
    value: u32,
    /// Jumps to the block.
    jumps: Vec<u32>,
    /// Ways in which the guarded statements leave it.
    leaves: Set<Leave>,
}

/// A statement that leaves other statements.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Leave {
    Break = 2,
    Continue = 3,
    /// The function's value is on the stack.
    Return = 4,
}

const NORMAL: i64 = 0;
const THREW: i64 = 1;

impl<'a> Compiler<'a> {
    pub(super) fn while_loop(&mut self, test: &'a Expr, body: &'a [Stmt]) {
        let start = self.here();
        self.expression(test);
        let end = self.emit(Op::JumpIfFalse(0), test.span);
        let breaks = self.loop_body(body, start, test.span);
        self.land(end);
        self.land_all(breaks);
    }

    pub(super) fn for_of(
        &mut self,
        constant: bool,
        pattern: &'a Pattern,
        items: &'a Expr,
        body: &'a [Stmt],
    ) {
        let mut names = Set::new();
        names_of(pattern, &mut names);
        self.open_scope(names);
        self.expression(items);
        let list = self.new_slot();
        let index = self.new_slot();
        self.emit(Op::List, items.span);
        self.emit(Op::Store(list), items.span);
        self.emit(Op::Int(0), items.span);
        self.emit(Op::Store(index), items.span);
        let start = self.here();
        let end = self.emit(Op::Next { list, index, end: 0 }, items.span);
        self.bind(pattern, constant);
        let breaks = self.loop_body(body, start, items.span);
        self.close_scope();
        self.land(end);
        self.land_all(breaks);
    }

    /// The body and the jump back. Gives the jumps of `break`.
    fn loop_body(&mut self, body: &'a [Stmt], start: u32, span: Span) -> Vec<u32> {
        self.frame().exits.push(Exit::Loop { breaks: Vec::new(), continues: Vec::new() });
        self.block(body);
        let Some(Exit::Loop { breaks, continues }) = self.frame().exits.pop() else {
            return Vec::new();
        };
        self.land_all(continues);
        self.emit(Op::Jump(start), span);
        breaks
    }

    pub(super) fn guarded(
        &mut self,
        body: &'a [Stmt],
        catch: Option<&'a (Option<Pattern>, Vec<Stmt>)>,
        finally: Option<&'a [Stmt]>,
        span: Span,
    ) {
        let Some(finally) = finally else {
            return self.caught(body, catch, span);
        };
        let guard = self.emit(Op::Guard(0), span);
        let (why, value) = (self.new_slot(), self.new_slot());
        let open = Finally { why, value, jumps: Vec::new(), leaves: Set::new() };
        self.frame().exits.push(Exit::Finally(open));
        self.caught(body, catch, span);
        let Some(Exit::Finally(open)) = self.frame().exits.pop() else { return };
        self.emit(Op::Unguard, span);
        self.remember_why(why, NORMAL, span);
        let normal = self.emit(Op::Jump(0), span);
        self.land(guard);
        self.emit(Op::Store(value), span);
        self.remember_why(why, THREW, span);
        self.land(normal);
        self.land_all(open.jumps);
        self.block(finally);
        for leave in open.leaves {
            let other = self.unless(why, leave as i64, span);
            if leave == Leave::Return {
                self.emit(Op::Load(value), span);
            }
            self.leave(leave, span);
            self.land(other);
        }
        let normal = self.unless(why, THREW, span);
        self.emit(Op::Load(value), span);
        self.emit(Op::Throw, span);
        self.land(normal);
    }

    fn remember_why(&mut self, slot: u32, why: i64, span: Span) {
        self.emit(Op::Int(why), span);
        self.emit(Op::Store(slot), span);
    }

    /// Compares a slot, and gives the jump for any other value.
    fn unless(&mut self, slot: u32, why: i64, span: Span) -> u32 {
        self.emit(Op::Load(slot), span);
        self.emit(Op::Int(why), span);
        self.emit(Op::Binary(BinaryOp::Equal), span);
        self.emit(Op::JumpIfFalse(0), span)
    }

    /// `try` and `catch` without `finally`.
    fn caught(
        &mut self,
        body: &'a [Stmt],
        catch: Option<&'a (Option<Pattern>, Vec<Stmt>)>,
        span: Span,
    ) {
        let Some((pattern, handler)) = catch else {
            return self.block(body);
        };
        let guard = self.emit(Op::Guard(0), span);
        self.frame().exits.push(Exit::Guard);
        self.block(body);
        self.frame().exits.pop();
        self.emit(Op::Unguard, span);
        let end = self.emit(Op::Jump(0), span);
        self.land(guard);
        // One scope for the pattern and the block: JavaScript, too, lets the block not declare
        // the pattern's names again.
        self.open_scope(declared_in(handler));
        match pattern {
            Some(pattern) => self.bind(pattern, false),
            None => drop(self.emit(Op::Pop, span)),
        }
        self.statements(handler);
        self.close_scope();
        self.land(end);
    }

    /// Leaves the loop or the function, by way of the innermost `finally` on the way.
    pub(super) fn leave(&mut self, leave: Leave, span: Span) {
        for depth in (0..self.frame().exits.len()).rev() {
            match &mut self.frame().exits[depth] {
                Exit::Guard => drop(self.emit(Op::Unguard, span)),
                Exit::Loop { .. } if leave == Leave::Return => {}
                Exit::Loop { .. } => {
                    let jump = self.emit(Op::Jump(0), span);
                    if let Exit::Loop { breaks, continues } = &mut self.frame().exits[depth] {
                        if leave == Leave::Break { breaks } else { continues }.push(jump);
                    }
                    return;
                }
                Exit::Finally(open) => {
                    open.leaves.insert(leave);
                    let (why, value) = (open.why, open.value);
                    self.emit(Op::Unguard, span);
                    if leave == Leave::Return {
                        self.emit(Op::Store(value), span);
                    }
                    self.remember_why(why, leave as i64, span);
                    let jump = self.emit(Op::Jump(0), span);
                    if let Exit::Finally(open) = &mut self.frame().exits[depth] {
                        open.jumps.push(jump);
                    }
                    return;
                }
            }
        }
        match leave {
            Leave::Return => drop(self.emit(Op::Return, span)),
            Leave::Break | Leave::Continue => self.error(span, "script-outside-loop", ""),
        }
    }

    fn land_all(&mut self, jumps: Vec<u32>) {
        for jump in jumps {
            self.land(jump);
        }
    }
}
