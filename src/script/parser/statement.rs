//! Statements.

use super::cursor::{Parse, Parser};
use super::pattern::Bound;
use crate::script::ast::{BinaryOp, Expr, ExprKind, Stmt, StmtKind};
use crate::script::lexer::TokenKind;
use crate::script::problem::Problem;

impl Parser<'_> {
    /// `{…}`.
    pub(super) fn block(&mut self) -> Parse<Vec<Stmt>> {
        if !self.is("{") {
            return self.fail(Problem::BlockExpected);
        }
        self.nested(|parser| {
            parser.at += 1;
            let mut statements = Vec::new();
            while !parser.is("}") && parser.kind().is_some() {
                let start = parser.at;
                if !parser.eat(";") {
                    statements.extend(parser.recover(Self::statement));
                }
                if parser.at == start {
                    // A bracket of the surrounding text: this block lacks its end.
                    break;
                }
            }
            parser.expect("}")?;
            Ok(statements)
        })
    }

    /// One statement, with its end.
    pub(super) fn statement(&mut self) -> Parse<Stmt> {
        let start = self.span();
        let kind = match self.ahead(0) {
            "{" => StmtKind::Block(self.block()?),
            "if" => self.if_statement()?,
            "while" => self.while_statement()?,
            "for" => self.for_statement()?,
            "try" => self.try_statement()?,
            _ if self.at_function() => StmtKind::Function(self.function()?),
            _ => {
                let kind = self.simple_statement()?;
                let span = self.since(start);
                self.end_statement();
                return Ok(Stmt { kind, span });
            }
        };
        Ok(Stmt { kind, span: self.since(start) })
    }

    /// A statement that `;` or a line's end ends.
    fn simple_statement(&mut self) -> Parse<StmtKind> {
        match self.ahead(0) {
            "const" | "let" | "var" => self.declaration(),
            "return" => self.return_statement(),
            "throw" => {
                if self.line_start(1) {
                    return self.fail(Problem::ThrowNothing);
                }
                self.at += 1;
                Ok(StmtKind::Throw(self.whole_expression()?))
            }
            "break" => self.jump(StmtKind::Break),
            "continue" => self.jump(StmtKind::Continue),
            "do" => self.fail(Problem::DoWhile),
            "switch" => self.fail(Problem::Switch),
            "class" => self.fail(Problem::Class),
            "debugger" | "with" => self.fail(Problem::Statement),
            "enum" | "interface" => self.fail(Problem::Types),
            "type" if self.is_name(1) && !self.line_start(1) => self.fail(Problem::Types),
            "import" if !matches!(self.ahead(1), "(" | ".") => self.fail(Problem::TopLevelOnly),
            "export" => self.fail(Problem::TopLevelOnly),
            _ if self.is_name(0) && self.ahead(1) == ":" => self.fail(Problem::Label),
            _ => self.expression_statement(),
        }
    }

    fn declaration(&mut self) -> Parse<StmtKind> {
        if self.is("var") {
            self.refuse(Problem::Var);
        }
        let constant = self.is("const");
        self.at += 1;
        let start = self.span();
        let is_name = self.is_word(0);
        let pattern = self.pattern(&mut Bound::new())?;
        let value = if self.eat("=") { Some(self.expression()?) } else { None };
        if value.is_none() && (constant || !is_name) && self.ends_here() {
            self.error(Problem::MissingValue, self.since(start));
        }
        if self.is(",") {
            return self.fail(Problem::SeveralDeclarations);
        }
        Ok(StmtKind::Declare { constant, pattern, value })
    }

    /// Whether the statement may end before the next token.
    fn ends_here(&self) -> bool {
        self.line_start(0) || matches!(self.ahead(0), ";" | "}" | ",")
    }

    fn return_statement(&mut self) -> Parse<StmtKind> {
        if !self.around.in_function {
            self.refuse(Problem::ReturnOutside);
        }
        self.at += 1;
        if self.ends_here() {
            return Ok(StmtKind::Return(None));
        }
        Ok(StmtKind::Return(Some(self.whole_expression()?)))
    }

    fn jump(&mut self, kind: StmtKind) -> Parse<StmtKind> {
        if !self.around.in_loop {
            self.refuse(Problem::OutsideLoop);
        }
        self.at += 1;
        if self.is_name(0) && !self.line_start(0) {
            return self.fail(Problem::Label);
        }
        Ok(kind)
    }

    fn expression_statement(&mut self) -> Parse<StmtKind> {
        let start = self.span().start;
        let expr = self.operand_expression()?;
        let op = match self.ahead(0) {
            "=" => None,
            "+=" => Some(BinaryOp::Add),
            "-=" => Some(BinaryOp::Sub),
            "," => return self.fail(Problem::Comma),
            mark if is_compound(mark) => return self.fail(Problem::CompoundAssignment),
            _ => {
                let refused = self.errors.last().is_some_and(|e| e.span.start >= start);
                if !refused && !matches!(expr.kind, ExprKind::Call(..) | ExprKind::Await(_)) {
                    self.error(Problem::UselessExpression, expr.span);
                }
                return Ok(StmtKind::Expr(expr));
            }
        };
        let assignable =
            matches!(expr.kind, ExprKind::Ident(_) | ExprKind::Member(..) | ExprKind::Index(..));
        if !assignable {
            self.error(Problem::AssignmentTarget, expr.span);
        }
        self.at += 1;
        let value = self.whole_expression()?;
        Ok(StmtKind::Assign { target: expr, op, value })
    }

    /// `(test)` of `if` and `while`.
    fn test(&mut self) -> Parse<Expr> {
        self.at += 1;
        self.expect("(")?;
        let test = self.whole_expression()?;
        self.expect(")")?;
        Ok(test)
    }

    /// The body of `if`, `else` or a loop: a block, or one statement.
    fn body(&mut self) -> Parse<Vec<Stmt>> {
        match self.ahead(0) {
            "{" => self.block(),
            ";" => self.fail(Problem::EmptyBody),
            "const" | "let" | "var" | "class" => self.fail(Problem::DeclarationNeedsBlock),
            _ if self.at_function() => self.fail(Problem::DeclarationNeedsBlock),
            _ => self.nested(|parser| Ok(vec![parser.statement()?])),
        }
    }

    fn loop_body(&mut self) -> Parse<Vec<Stmt>> {
        let outside = std::mem::replace(&mut self.around.in_loop, true);
        let body = self.body();
        self.around.in_loop = outside;
        body
    }

    fn if_statement(&mut self) -> Parse<StmtKind> {
        let test = self.test()?;
        let then = self.body()?;
        let otherwise = if self.eat("else") { Some(self.body()?) } else { None };
        Ok(StmtKind::If { test, then, otherwise })
    }

    fn while_statement(&mut self) -> Parse<StmtKind> {
        let test = self.test()?;
        Ok(StmtKind::While { test, body: self.loop_body()? })
    }

    fn for_statement(&mut self) -> Parse<StmtKind> {
        self.at += 1;
        if self.is("await") {
            self.refuse(Problem::ForAwait);
            self.at += 1;
        }
        let header = self.at;
        self.expect("(")?;
        if self.is("var") {
            self.refuse(Problem::Var);
        } else if !matches!(self.ahead(0), "const" | "let") {
            let classic = self.header_has(header, ";");
            return self.fail(if classic { Problem::ForClassic } else { Problem::ForDeclaration });
        }
        if self.header_has(header, ";") {
            return self.other_for(header, Problem::ForClassic);
        }
        let constant = self.is("const");
        self.at += 1;
        let pattern = self.pattern(&mut Bound::new())?;
        if self.is("in") {
            return self.other_for(header, Problem::ForIn);
        }
        self.expect("of")?;
        let items = self.expression()?;
        self.expect(")")?;
        Ok(StmtKind::ForOf { constant, pattern, items, body: self.loop_body()? })
    }

    /// Whether a mark stands directly in the parentheses that open at lexeme `open`.
    fn header_has(&self, open: usize, mark: &str) -> bool {
        let close = self.lexemes.get(open).and_then(|lexeme| lexeme.partner).unwrap_or(open);
        let mut at = open + 1;
        while at < close {
            if self.lexemes[at].token.kind == TokenKind::Punct && self.lexeme_text(at) == mark {
                return true;
            }
            at = self.lexemes[at].partner.filter(|partner| *partner > at).unwrap_or(at) + 1;
        }
        false
    }

    /// Refuses a `for` of another kind at its header, and still reads its body.
    fn other_for(&mut self, header: usize, problem: Problem) -> Parse<StmtKind> {
        let Some(close) = self.lexemes[header].partner else { return self.fail(problem) };
        let span = self.lexemes[header].token.span.to(self.lexemes[close].token.span);
        self.error(problem, span);
        self.at = close + 1;
        Ok(StmtKind::Block(self.loop_body()?))
    }

    fn try_statement(&mut self) -> Parse<StmtKind> {
        let start = self.span();
        self.at += 1;
        let body = self.block()?;
        let mut catch = None;
        if self.eat("catch") {
            let mut pattern = None;
            if self.eat("(") {
                pattern = Some(self.pattern(&mut Bound::new())?);
                self.expect(")")?;
            }
            catch = Some((pattern, self.block()?));
        }
        let finally = if self.eat("finally") { Some(self.block()?) } else { None };
        if catch.is_none() && finally.is_none() {
            self.error(Problem::TryAlone, start);
        }
        Ok(StmtKind::Try { body, catch, finally })
    }
}

/// Whether a mark is an assignment other than `=`, `+=` and `-=`.
pub(super) fn is_compound(mark: &str) -> bool {
    matches!(
        mark,
        "*=" | "/="
            | "%="
            | "**="
            | "&="
            | "|="
            | "^="
            | "<<="
            | ">>="
            | ">>>="
            | "&&="
            | "||="
            | "??="
    )
}
