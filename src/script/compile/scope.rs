//! Names: scopes, slots, and what closures capture.

use crate::collections::Set;
use std::sync::Arc;

use super::Compiler;
use super::exits::Exit;
use super::free_names::names_in_inner_functions;
use crate::script::ast::{self, Expr, ExprKind, Name, Pattern, Stmt, StmtKind, UnaryOp};
use crate::script::code::{Capture, Op};
use crate::text::Span;

/// The function that is being compiled.
pub(super) struct Frame {
    pub(super) is_async: bool,
    pub(super) slots: u32,
    pub(super) captures: Vec<(Capture, bool)>,
    pub(super) code: Vec<Op>,
    pub(super) spans: Vec<Span>,
    pub(super) exits: Vec<Exit>,
    scopes: Vec<Scope>,
    /// Names that inner functions mention. A local of such a name lives in a cell, so that
    /// closures share it; more cells than needed do no harm.
    shared: Set<Arc<str>>,
}

/// The names of one block.
#[derive(Default)]
struct Scope {
    locals: Vec<Local>,
    /// Declared further down in the block. JavaScript throws when such a name is used; here it
    /// is refused, and never taken for a name of an outer block.
    later: Set<Arc<str>>,
}

struct Local {
    name: Arc<str>,
    slot: u32,
    constant: bool,
    boxed: bool,
}

enum Place {
    Local { slot: u32, boxed: bool, constant: bool },
    Captured { index: u32, constant: bool },
    Function(u32),
    Constant,
    Later,
    Unknown,
}

/// Names that cannot be declared: programs use them for what they mean.
const TAKEN: [&str; 4] = ["Error", "Promise", "sql", "undefined"];

/// Names that these statements declare in their own block.
pub(super) fn declared_in(body: &[Stmt]) -> Set<Arc<str>> {
    let mut names = Set::new();
    for statement in body {
        match &statement.kind {
            StmtKind::Declare { pattern, .. } => names_of(pattern, &mut names),
            StmtKind::Function(function) => {
                names.extend(function.name.iter().map(|name| name.text.clone()));
            }
            _ => {}
        }
    }
    names
}

/// Names that a pattern binds.
pub(super) fn names_of(pattern: &Pattern, names: &mut Set<Arc<str>>) {
    match pattern {
        Pattern::Name(name) => drop(names.insert(name.text.clone())),
        Pattern::Object(fields, _) => {
            for (_, inner) in fields {
                names_of(inner, names);
            }
        }
        Pattern::Array(items, _) => {
            for inner in items.iter().flatten() {
                names_of(inner, names);
            }
        }
    }
}

/// Whether a value may stand in a constant of the module, and so be put where it is used.
pub(super) fn is_literal(value: &Expr) -> bool {
    match &value.kind {
        ExprKind::Null | ExprKind::Bool(_) | ExprKind::Int(_) | ExprKind::Text(_) => true,
        ExprKind::Unary(UnaryOp::Minus, inner) => matches!(inner.kind, ExprKind::Int(_)),
        _ => false,
    }
}

impl Frame {
    pub(super) fn new(function: &ast::Function) -> Self {
        Self {
            is_async: function.is_async,
            slots: function.params.len() as u32,
            captures: Vec::new(),
            code: Vec::new(),
            spans: Vec::new(),
            exits: Vec::new(),
            scopes: vec![Scope { locals: Vec::new(), later: declared_in(&function.body) }],
            shared: names_in_inner_functions(&function.body),
        }
    }
}

impl<'a> Compiler<'a> {
    pub(super) fn frame(&mut self) -> &mut Frame {
        let last = self.frames.len() - 1;
        &mut self.frames[last]
    }

    /// Opens a block that declares these names sooner or later.
    pub(super) fn open_scope(&mut self, later: Set<Arc<str>>) {
        self.frame().scopes.push(Scope { locals: Vec::new(), later });
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
                self.emit(Op::Something, *span);
                for (key, inner) in fields {
                    self.emit(Op::Dup, key.span);
                    self.emit(Op::Field(key.text.clone()), key.span);
                    self.bind(inner, constant);
                }
                self.emit(Op::Pop, *span);
            }
            Pattern::Array(items, span) => {
                self.emit(Op::List, *span);
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
        let again = scope.locals.iter().any(|local| local.name == name.text);
        scope.later.remove(&name.text);
        scope.locals.push(Local { name: name.text.clone(), slot, constant, boxed });
        if again {
            self.error(name.span, "script-declared-twice", &name.text);
        }
        self.check_free(name);
        boxed
    }

    pub(super) fn load(&mut self, name: &Arc<str>, span: Span) {
        let depth = self.frames.len() - 1;
        let op = match self.find(depth, name) {
            Place::Local { slot, boxed: false, .. } => Op::Load(slot),
            Place::Local { slot, boxed: true, .. } => Op::LoadCell(slot),
            Place::Captured { index, .. } => Op::LoadCaptured(index),
            Place::Function(index) => Op::Function(index),
            Place::Constant => match self.constants.get(name) {
                Some(value) => literal(&value.kind),
                None => Op::Undefined,
            },
            Place::Later => return self.error(span, "script-used-before", name),
            Place::Unknown => return self.error(span, "script-unknown-name", name),
        };
        self.emit(op, span);
    }

    /// Refuses to declare a name that the language itself gives a meaning.
    pub(super) fn check_free(&mut self, name: &Name) {
        if TAKEN.contains(&&*name.text) {
            self.error(name.span, "script-taken-name", &name.text);
        }
    }

    /// Pops the top into a variable.
    pub(super) fn store(&mut self, name: &Arc<str>, span: Span) {
        let depth = self.frames.len() - 1;
        let (op, constant) = match self.find(depth, name) {
            Place::Local { slot, boxed: false, constant } => (Op::Store(slot), constant),
            Place::Local { slot, boxed: true, constant } => (Op::StoreCell(slot), constant),
            Place::Captured { index, constant } => (Op::StoreCaptured(index), constant),
            Place::Function(_) | Place::Constant => (Op::Pop, true),
            Place::Later => {
                self.error(span, "script-used-before", name);
                (Op::Pop, false)
            }
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
        for scope in self.frames[depth].scopes.iter().rev() {
            if let Some(local) = scope.locals.iter().rev().find(|local| local.name == *name) {
                let Local { slot, boxed, constant, .. } = *local;
                return Place::Local { slot, boxed, constant };
            }
            if scope.later.contains(name) {
                return Place::Later;
            }
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

/// The step that pushes a literal.
fn literal(kind: &ExprKind) -> Op {
    match kind {
        ExprKind::Bool(value) => Op::Bool(*value),
        ExprKind::Int(value) => Op::Int(*value),
        ExprKind::Text(text) => Op::Text(text.clone()),
        ExprKind::Unary(UnaryOp::Minus, inner) => match inner.kind {
            ExprKind::Int(value) => Op::Int(-value),
            _ => Op::Null,
        },
        _ => Op::Null,
    }
}
