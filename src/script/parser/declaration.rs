//! The top level of a scene file: imports, constants, functions, the default export.

use std::sync::Arc;

use super::cursor::{Parse, Parser, Surroundings};
use crate::script::ast::{Expr, Function, Import, Module, Name, Pattern, Stmt, StmtKind};
use crate::script::lexer::TokenKind;
use crate::script::problem::Problem;
use crate::text::Span;

impl Parser<'_> {
    /// The whole file.
    pub(super) fn module(&mut self) -> Module {
        let mut module = Module::default();
        while self.kind().is_some() {
            let start = self.at;
            self.recover(|parser| parser.item(&mut module));
            if self.at == start {
                // Only a stray closing bracket stops the recovery where it began.
                self.refuse(Problem::Unexpected);
                self.at += 1;
            }
        }
        module.moments = std::mem::take(&mut self.moments);
        module
    }

    fn item(&mut self, module: &mut Module) -> Parse<()> {
        match self.ahead(0) {
            ";" => self.at += 1,
            "import" if !matches!(self.ahead(1), "(" | ".") => {
                module.imports.push(self.import()?);
                self.end_statement();
            }
            "export" => self.export(module)?,
            "const" => module.constants.extend(self.constant()?),
            _ if self.at_function() => module.functions.push(self.function()?),
            _ => {
                let start = self.span();
                let problem = match self.ahead(0) {
                    "let" => Problem::TopLevelLet,
                    "}" | ")" | "]" => return self.fail(Problem::Unexpected),
                    _ => Problem::TopLevelStatement,
                };
                let known = self.errors.len();
                self.statement()?;
                if self.errors.len() == known {
                    self.error(problem, start);
                }
            }
        }
        Ok(())
    }

    fn constant(&mut self) -> Parse<Option<(Name, Expr)>> {
        let statement = self.statement()?;
        let StmtKind::Declare { pattern, value: Some(value), .. } = statement.kind else {
            return Ok(None);
        };
        match pattern {
            Pattern::Name(name) => Ok(Some((name, value))),
            Pattern::Object(_, span) | Pattern::Array(_, span) => {
                self.error(Problem::TopLevelPattern, span);
                Ok(None)
            }
        }
    }

    fn import(&mut self) -> Parse<Import> {
        let start = self.span();
        self.at += 1;
        match self.ahead(0) {
            "{" => {}
            "*" => return self.fail(Problem::ImportAll),
            _ => return self.fail(Problem::ImportDefault),
        }
        self.at += 1;
        let mut names = Vec::new();
        while !self.is("}") {
            names.push(self.import_name()?);
            if !self.eat_comma()? {
                break;
            }
        }
        self.expect("}")?;
        self.expect("from")?;
        if self.kind() != Some(TokenKind::Text) {
            return self.fail(Problem::Unexpected);
        }
        let quoted = self.span();
        self.at += 1;
        let from = self.unescape(Span::new(quoted.start + 1, quoted.end - 1));
        Ok(Import { names, from: Arc::from(from), span: self.since(start) })
    }

    fn import_name(&mut self) -> Parse<Name> {
        if self.ahead(1) != "as" {
            return self.binding_name();
        }
        self.refuse(Problem::ImportRename);
        self.at += 2;
        self.binding_name()
    }

    fn export(&mut self, module: &mut Module) -> Parse<()> {
        if self.ahead(1) != "default" {
            return self.fail(Problem::ExportNamed);
        }
        if module.default.is_some() {
            self.refuse(Problem::ExportTwice);
        }
        self.at += 2;
        if self.at_function() || self.is("class") {
            return self.fail(Problem::ExportDeclaration);
        }
        module.default = Some(self.expression()?);
        self.end_statement();
        Ok(())
    }

    /// Whether `function` or `async function` stands here; on two lines these are two statements.
    pub(super) fn at_function(&self) -> bool {
        let is_async = self.is("async") && self.ahead(1) == "function" && !self.line_start(1);
        is_async || self.is("function")
    }

    /// `function name(…) {…}`, perhaps with `async` before it.
    pub(super) fn function(&mut self) -> Parse<Function> {
        let start = self.span();
        let is_async = self.eat("async");
        self.expect("function")?;
        if self.is("*") {
            return self.fail(Problem::Generator);
        }
        let name = self.binding_name()?;
        let params = self.parameters()?;
        if self.is(":") {
            self.refuse(Problem::Types);
            self.skip_type();
        }
        let body = self.function_body(is_async)?;
        let span = self.since(start);
        Ok(Function { name: Some(name), is_async, params, body, concise: false, span })
    }

    /// The braces of a function and what is between them.
    pub(super) fn function_body(&mut self, is_async: bool) -> Parse<Vec<Stmt>> {
        self.inside_function(is_async, Self::block)
    }

    /// Reads a function's body in its own surroundings.
    pub(super) fn inside_function<T>(
        &mut self,
        in_async: bool,
        read: impl FnOnce(&mut Self) -> Parse<T>,
    ) -> Parse<T> {
        let inside = Surroundings { in_function: true, in_async, in_loop: false };
        let outside = std::mem::replace(&mut self.around, inside);
        let result = read(self);
        self.around = outside;
        result
    }
}
