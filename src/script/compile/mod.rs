//! From the syntax tree to flat lists of steps. Names are resolved here, so that running a
//! program needs no look-up by name and can fail only by its values.

mod exits;
mod expression;
mod free_names;
mod liveness;
mod methods;
mod promises;
mod scope;
mod statement;
mod visit;

use crate::collections::{Map, Set, sort};
use std::sync::Arc;

use crate::diagnostic::Diagnostic;
use crate::script::ast::{self, Expr, Module};
use crate::script::code::{Function, Image, Op};
use crate::script::parser::{Parsed, parse};
use crate::script::sql;
use crate::text::Span;
use scope::{Frame, is_literal};

/// What became of a module: an image, and what is wrong with it. With errors the image is
/// incomplete and must not be run.
#[derive(Clone, Debug, Default)]
pub struct Compiled {
    /// The compiled functions.
    pub image: Image,
    /// Index in the image of each declared function.
    pub functions: Map<Arc<str>, u32>,
    /// Errors in the order of the text.
    pub errors: Vec<Diagnostic>,
}

/// Compiles all functions of a module, and the prelude.
pub fn compile(module: &Module) -> Compiled {
    let prelude = prelude();
    let mut compiler = Compiler::new(module);
    compiler.prelude = true;
    for function in &prelude.functions {
        compiler.declared(function);
    }
    compiler.prelude = false;
    compiler.declare(module);
    for function in &module.functions {
        compiler.declared(function);
    }
    compiler.errors.extend(methods::check(module));
    compiler.errors.extend(promises::check(module));
    sort(&mut compiler.errors);
    compiler.errors.dedup();
    Compiled { image: compiler.image, functions: compiler.globals, errors: compiler.errors }
}

fn prelude() -> Module {
    let Parsed { module, errors, .. } = parse(include_str!("../prelude.js"));
    debug_assert!(errors.is_empty(), "the prelude is part of the crate: {errors:?}");
    module
}

struct Compiler<'a> {
    image: Image,
    globals: Map<Arc<str>, u32>,
    constants: Map<Arc<str>, &'a Expr>,
    frames: Vec<Frame>,
    errors: Vec<Diagnostic>,
    prelude: bool,
}

impl<'a> Compiler<'a> {
    fn new(module: &'a Module) -> Self {
        let constants = module.constants.iter().map(|(name, e)| (name.text.clone(), e)).collect();
        Self {
            image: Image::default(),
            globals: Map::new(),
            constants,
            frames: Vec::new(),
            errors: Vec::new(),
            prelude: false,
        }
    }

    /// Gives every declared function its index before any body is compiled: they are hoisted.
    fn declare(&mut self, module: &'a Module) {
        for function in &module.functions {
            let Some(name) = &function.name else { continue };
            let index = self.reserve();
            self.globals.entry(name.text.clone()).or_insert(index);
        }
        for (_, value) in &module.constants {
            if !is_literal(value) {
                self.error(value.span, "script-constant-not-literal", "");
            }
        }
        self.check_module_names(module);
    }

    /// The names of a module are one block, as in JavaScript.
    fn check_module_names(&mut self, module: &'a Module) {
        let mut known = Set::new();
        for name in module.imports.iter().flat_map(|import| &import.names) {
            if !known.insert(&name.text) {
                self.error(name.span, "script-declared-twice", &name.text);
            }
        }
        let functions = module.functions.iter().filter_map(|function| function.name.as_ref());
        for name in module.constants.iter().map(|(name, _)| name).chain(functions) {
            if !known.insert(&name.text) {
                self.error(name.span, "script-declared-twice", &name.text);
            }
            self.check_free(name);
        }
    }

    fn reserve(&mut self) -> u32 {
        self.image.functions.push(Function::default());
        self.image.functions.len() as u32 - 1
    }

    fn declared(&mut self, function: &'a ast::Function) {
        if self.prelude {
            let index = self.reserve();
            self.image.transaction = index;
            self.function(function, index);
            return;
        }
        let index = function.name.as_ref().and_then(|name| self.globals.get(&name.text));
        if let Some(index) = index.copied() {
            self.function(function, index);
        }
    }

    /// Compiles one function into its place in the image.
    fn function(&mut self, function: &'a ast::Function, index: u32) {
        self.frames.push(Frame::new(function));
        for (slot, pattern) in function.params.iter().enumerate() {
            self.parameter(slot as u32, pattern);
        }
        self.statements(&function.body);
        let end = Span::new(function.span.end.saturating_sub(1), function.span.end);
        self.emit(Op::Undefined, end);
        self.emit(Op::Return, end);
        if let Some(frame) = self.frames.pop() {
            self.image.functions[index as usize] = Function {
                name: function.name.as_ref().map(|name| name.text.clone()),
                is_async: function.is_async,
                params: function.params.len() as u32,
                slots: frame.slots,
                captures: frame.captures.into_iter().map(|(capture, _)| capture).collect(),
                live: liveness::at_awaits(&frame.code, frame.slots, &self.image.functions),
                code: frame.code,
                spans: frame.spans,
                prelude: self.prelude,
            };
        }
    }

    fn statement_constant(&mut self, pieces: &[ast::Piece]) -> u32 {
        let (statement, errors) = sql::parse_statement(pieces);
        for error in errors {
            self.errors.push(Diagnostic::new(error.span, error.problem.id(), error.found));
        }
        if let Some(statement) = statement {
            self.image.statements.push(Arc::new(statement));
        }
        (self.image.statements.len() as u32).saturating_sub(1)
    }

    fn error(&mut self, span: Span, problem: &'static str, found: &str) {
        self.errors.push(Diagnostic::new(span, problem, found));
    }

    fn emit(&mut self, op: Op, span: Span) -> u32 {
        let frame = self.frame();
        frame.code.push(op);
        frame.spans.push(span);
        frame.code.len() as u32 - 1
    }

    fn here(&mut self) -> u32 {
        self.frame().code.len() as u32
    }

    /// Points the jump at a step emitted before to here.
    fn land(&mut self, jump: u32) {
        let here = self.here();
        let op = &mut self.frame().code[jump as usize];
        match op {
            Op::Jump(to)
            | Op::JumpIfFalse(to)
            | Op::JumpIfFalsePeek(to)
            | Op::JumpIfTruePeek(to)
            | Op::JumpIfValuePeek(to)
            | Op::Next { end: to, .. }
            | Op::Guard(to) => *to = here,
            _ => debug_assert!(false, "only jumps land"),
        }
    }
}
