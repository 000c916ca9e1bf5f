//! Names: scopes, slots, and what closures capture.

use crate::collections::Set;
use std::sync::Arc;

use super::Compiler;
use super::free_names::names_in_inner_functions;
use crate::script::ast::{self, ExprKind, Name, Pattern, Stmt};
use crate::script::code::{Capture, Op};
use crate::text::Span;

/// The function that is being compiled.
pub(super) struct Frame<'a> {
    pub(super) is_async: bool,
    pub(super) slots: u32,
    pub(super) captures: Vec<(Capture, bool)>,
    pub(super) code: Vec<Op>,
    pub(super) spans: Vec<Span>,
    pub(super) exits: Vec<Exit<'a>>,
    scopes: Vec<Vec<Local>>,
    /// Names that inner functions mention. A local of such a name lives in a cell, so that
    /// closures share it; more cells than needed do no harm.
    shared: Set<Arc<str>>,
}

struct Local {
    name: Arc<str>,
    slot: u32,
    constant: bool,
    boxed: bool,
}

/// What stands between a statement and the end of its function, outermost first: what
/// `break`, `continue` and `return` have to do on their way out.
pub(super) enum Exit<'a> {
    Loop { breaks: Vec<u32>, continues: Vec<u32> },
    Guard,
    Finally(&'a [Stmt]),
}

enum Place {
    Local { slot: u32, boxed: bool, constant: bool },
    Captured { index: u32, constant: bool },
    Function(u32),
    Constant,
    Unknown,
}

impl<'a> Frame<'a> {
    pub(super) fn new(function: &'a ast::Function) -> Self {
        Self {
            is_async: function.is_async,
            slots: function.params.len() as u32,
            captures: Vec::new(),
            code: Vec::new(),
            spans: Vec::new(),
            exits: Vec::new(),
            scopes: vec![Vec::new()],
            shared: names_in_inner_functions(&function.body),
        }
    }
}

impl<'a> Compiler<'a> {
    pub(super) fn frame(&mut self) -> &mut Frame<'a> {
        let last = self.frames.len() - 1;
        &mut self.frames[last]
    }

    pub(super) fn open_scope(&mut self) {
        self.frame().scopes.push(Vec::new());
    }

    pub(super) fn close_scope(&mut self) {
        self.frame().scopes.pop();
    }

    pub(super) fn new_slot(&mut self) -> u32 {
        let frame = self.frame();
        frame.slots += 1;
        frame.slots - 1
    }

    pub(super) fn parameter(&mut self, slot: u32, pattern: &'a Pattern) {
        match pattern {
            Pattern::Name(name) => drop(self.declare_local(name, slot, false)),
            Pattern::Object(_, span) | Pattern::Array(_, span) => {
                self.emit(Op::Load(slot), *span);
                self.bind(pattern, false);
            }
        }
    }

    /// Pops the top of the stack into the names of a pattern.
    pub(super) fn bind(&mut self, pattern: &'a Pattern, constant: bool) {
        match pattern {
            Pattern::Name(name) => {
                let slot = self.new_slot();
                self.emit(Op::Store(slot), name.span);
                self.declare_local(name, slot, constant);
            }
            Pattern::Object(fields, span) => {
                for (key, inner) in fields {
                    self.emit(Op::Dup, key.span);
                    self.emit(Op::Field(key.text.clone()), key.span);
                    self.bind(inner, constant);
                }
                self.emit(Op::Pop, *span);
            }
            Pattern::Array(items, span) => {
                for (index, inner) in items.iter().enumerate() {
                    let Some(inner) = inner else { continue };
                    self.emit(Op::Dup, *span);
                    self.emit(Op::Int(index as i64), *span);
                    self.emit(Op::Index, *span);
                    self.bind(inner, constant);
                }
                self.emit(Op::Pop, *span);
            }
        }
    }

    /// Makes a filled slot a named local of the innermost scope.
    /// Tells whether it lives in a cell.
    pub(super) fn declare_local(&mut self, name: &Name, slot: u32, constant: bool) -> bool {
        let boxed = self.frame().shared.contains(&name.text);
        if boxed {
            self.emit(Op::Box(slot), name.span);
        }
        let frame = self.frame();
        let Some(scope) = frame.scopes.last_mut() else { return boxed };
        let again = scope.iter().any(|local| local.name == name.text);
        scope.push(Local { name: name.text.clone(), slot, constant, boxed });
        if again {
            self.error(name.span, "script-declared-twice", &name.text);
        }
        boxed
    }

    pub(super) fn load(&mut self, name: &Arc<str>, span: Span) {
        let depth = self.frames.len() - 1;
        match self.find(depth, name) {
            Place::Local { slot, boxed: false, .. } => self.emit(Op::Load(slot), span),
            Place::Local { slot, boxed: true, .. } => self.emit(Op::LoadCell(slot), span),
            Place::Captured { index, .. } => self.emit(Op::LoadCaptured(index), span),
            Place::Function(index) => self.emit(Op::Function(index), span),
            Place::Constant => {
                if let Some(value) = self.constants.get(name).copied() {
                    self.literal(&value.kind, span);
                }
                return;
            }
            Place::Unknown => {
                self.error(span, "script-unknown-name", name);
                return;
            }
        };
    }

    fn literal(&mut self, kind: &ExprKind, span: Span) {
        let op = match kind {
            ExprKind::Bool(value) => Op::Bool(*value),
            ExprKind::Int(value) => Op::Int(*value),
            ExprKind::Text(text) => Op::Text(text.clone()),
            _ => Op::Null,
        };
        self.emit(op, span);
    }

    /// Pops the top into a variable.
    pub(super) fn store(&mut self, name: &Arc<str>, span: Span) {
        let depth = self.frames.len() - 1;
        let (op, constant) = match self.find(depth, name) {
            Place::Local { slot, boxed: false, constant } => (Op::Store(slot), constant),
            Place::Local { slot, boxed: true, constant } => (Op::StoreCell(slot), constant),
            Place::Captured { index, constant } => (Op::StoreCaptured(index), constant),
            Place::Function(_) | Place::Constant => (Op::Pop, true),
            Place::Unknown => {
                self.error(span, "script-unknown-name", name);
                (Op::Pop, false)
            }
        };
        if constant {
            self.error(span, "script-assign-constant", name);
        }
        self.emit(op, span);
    }

    fn find(&mut self, depth: usize, name: &Arc<str>) -> Place {
        let scopes = self.frames[depth].scopes.iter().rev();
        let local = scopes.flat_map(|scope| scope.iter().rev()).find(|local| local.name == *name);
        if let Some(local) = local {
            let Local { slot, boxed, constant, .. } = *local;
            return Place::Local { slot, boxed, constant };
        }
        if depth == 0 {
            return match self.globals.get(name) {
                Some(index) => Place::Function(*index),
                None if self.constants.contains_key(name) => Place::Constant,
                None => Place::Unknown,
            };
        }
        let (capture, constant) = match self.find(depth - 1, name) {
            Place::Local { slot, constant, .. } => (Capture::Local(slot), constant),
            Place::Captured { index, constant } => (Capture::Outer(index), constant),
            other => return other,
        };
        let captures = &mut self.frames[depth].captures;
        let known = captures.iter().position(|known| known.0 == capture);
        let index = known.unwrap_or_else(|| {
            captures.push((capture, constant));
            captures.len() - 1
        });
        Place::Captured { index: index as u32, constant }
    }
}
