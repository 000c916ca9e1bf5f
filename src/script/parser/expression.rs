//! Expressions, with JavaScript's precedence and associativity.

use std::sync::Arc;

use super::cursor::{Parse, Parser};
use super::statement::is_compound;
use crate::script::ast::{
    BinaryOp, Expr, ExprKind, Function, LogicalOp, Pattern, Stmt, StmtKind, UnaryOp,
};
use crate::script::lexer::TokenKind;
use crate::script::problem::Problem;
use crate::text::Span;

/// What an infix operator makes.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Infix {
    Binary(BinaryOp),
    Logical(LogicalOp),
}

/// The precedence of comparisons, which the subset does not let chain.
const EQUALITY: u8 = 4;
const RELATION: u8 = 5;

/// An infix operator: its precedence, what it makes, and why it is refused, if it is.
fn infix(mark: &str) -> Option<(u8, Infix, Option<Problem>)> {
    use BinaryOp::{Add, Equal, Greater, GreaterEqual, Less, LessEqual, Mul, NotEqual, Rem, Sub};
    let binary = |op| (Infix::Binary(op), None);
    let refused = |problem| (Infix::Binary(Mul), Some(problem));
    let (precedence, (made, problem)) = match mark {
        "??" => (1, (Infix::Logical(LogicalOp::Coalesce), None)),
        "||" => (2, (Infix::Logical(LogicalOp::Or), None)),
        "&&" => (3, (Infix::Logical(LogicalOp::And), None)),
        "===" => (EQUALITY, binary(Equal)),
        "!==" => (EQUALITY, binary(NotEqual)),
        "==" | "!=" => (EQUALITY, (Infix::Binary(Equal), Some(Problem::LooseEqual))),
        "<" => (RELATION, binary(Less)),
        "<=" => (RELATION, binary(LessEqual)),
        ">" => (RELATION, binary(Greater)),
        ">=" => (RELATION, binary(GreaterEqual)),
        "in" => (RELATION, refused(Problem::In)),
        "instanceof" => (RELATION, refused(Problem::Instanceof)),
        "&" | "|" | "^" | "<<" | ">>" | ">>>" => (6, refused(Problem::BitOperator)),
        "+" => (7, binary(Add)),
        "-" => (7, binary(Sub)),
        "*" => (8, binary(Mul)),
        "%" => (8, binary(Rem)),
        "/" => (8, refused(Problem::Division)),
        "**" => (8, refused(Problem::Power)),
        _ => return None,
    };
    Some((precedence, made, problem))
}

impl Parser<'_> {
    /// One expression where a statement's or a bracket's end should follow: no comma.
    pub(super) fn whole_expression(&mut self) -> Parse<Expr> {
        let expr = self.expression()?;
        if self.is(",") {
            return self.fail(Problem::Comma);
        }
        Ok(expr)
    }

    /// One expression, in which an assignment is refused.
    pub(super) fn expression(&mut self) -> Parse<Expr> {
        let expr = self.operand_expression()?;
        if self.is("=") || is_compound(self.ahead(0)) || matches!(self.ahead(0), "+=" | "-=") {
            self.refuse(Problem::AssignmentInside);
            self.at += 1;
            self.expression()?;
        }
        Ok(expr)
    }

    /// One expression, which an assignment may follow.
    pub(super) fn operand_expression(&mut self) -> Parse<Expr> {
        self.nested(|parser| {
            if parser.at_arrow() {
                return parser.arrow();
            }
            let expr = parser.conditional()?;
            if parser.is("as") && !parser.line_start(0) {
                parser.refuse(Problem::Types);
                parser.at += 1;
                parser.skip_type();
            }
            Ok(expr)
        })
    }

    fn conditional(&mut self) -> Parse<Expr> {
        let start = self.span();
        let test = self.infix_expression(0)?;
        if !self.eat("?") {
            return Ok(test);
        }
        let yes = self.expression()?;
        self.expect(":")?;
        let no = self.expression()?;
        let kind = ExprKind::Conditional(Box::new(test), Box::new(yes), Box::new(no));
        self.grow()?;
        Ok(Expr { kind, span: self.since(start) })
    }

    /// Operands joined by operators of at least a precedence.
    fn infix_expression(&mut self, least: u8) -> Parse<Expr> {
        let start = self.span();
        let mut left = self.unary()?;
        let mut compared = 0;
        while let Some((precedence, made, problem)) = infix(self.ahead(0)) {
            if precedence < least {
                break;
            }
            if let Some(problem) = problem {
                self.refuse(problem);
            } else if matches!(precedence, EQUALITY | RELATION) && compared == precedence {
                self.refuse(Problem::ChainedComparison);
            }
            compared = precedence;
            self.check_mixed(made, &left);
            self.at += 1;
            let right = self.infix_expression(precedence + 1)?;
            self.check_mixed(made, &right);
            self.grow()?;
            let (left_box, right_box) = (Box::new(left), Box::new(right));
            let kind = match made {
                Infix::Binary(op) => ExprKind::Binary(op, left_box, right_box),
                Infix::Logical(op) => ExprKind::Logical(op, left_box, right_box),
            };
            left = Expr { kind, span: self.since(start) };
        }
        Ok(left)
    }

    /// Refuses `??` beside an `&&` or `||` that no parentheses enclose.
    fn check_mixed(&mut self, made: Infix, operand: &Expr) {
        let other = matches!(operand.kind, ExprKind::Logical(LogicalOp::And | LogicalOp::Or, ..));
        let coalesce = made == Infix::Logical(LogicalOp::Coalesce);
        if coalesce && other && self.parenthesised != Some(operand.span) {
            self.error(Problem::MixedCoalesce, operand.span);
        }
    }

    fn unary(&mut self) -> Parse<Expr> {
        let start = self.span();
        let (op, problem) = match self.ahead(0) {
            "!" => (Some(UnaryOp::Not), None),
            "-" => (Some(UnaryOp::Minus), None),
            "await" => (None, None),
            "+" => (None, Some(Problem::UnaryPlus)),
            "~" => (None, Some(Problem::BitOperator)),
            "++" | "--" => (None, Some(Problem::Increment)),
            "typeof" => (None, Some(Problem::Typeof)),
            "delete" => (None, Some(Problem::Delete)),
            "void" => (None, Some(Problem::Void)),
            _ => return self.postfix(),
        };
        if let Some(problem) = problem {
            self.refuse(problem);
            self.at += 1;
            return self.nested(Self::unary);
        }
        let Some(op) = op else { return self.await_expression() };
        self.at += 1;
        let literal = self.kind() == Some(TokenKind::Number);
        let operand = self.nested(Self::unary)?;
        let span = self.since(start);
        let kind = match operand.kind {
            ExprKind::Int(value) if literal && op == UnaryOp::Minus => ExprKind::Int(-value),
            _ => ExprKind::Unary(op, Box::new(operand)),
        };
        Ok(Expr { kind, span })
    }

    fn await_expression(&mut self) -> Parse<Expr> {
        let start = self.span();
        if !self.around.in_function {
            self.refuse(Problem::TopLevelStatement);
        } else if !self.around.in_async {
            self.refuse(Problem::AwaitOutside);
        }
        self.at += 1;
        let operand = self.nested(Self::unary)?;
        if !matches!(operand.kind, ExprKind::Call(..)) {
            self.error(Problem::AwaitNotCall, operand.span);
        }
        Ok(Expr { kind: ExprKind::Await(Box::new(operand)), span: self.since(start) })
    }

    /// An operand with the calls, fields and elements after it.
    fn postfix(&mut self) -> Parse<Expr> {
        let start = self.span();
        let mut expr = self.primary()?;
        loop {
            let dangerous =
                matches!(self.ahead(0), "(" | "[") || self.kind() == Some(TokenKind::TemplateOpen);
            if dangerous && self.line_start(0) {
                self.refuse(Problem::LineContinues);
                return Ok(expr);
            }
            let kind = match self.ahead(0) {
                "(" => self.call(expr)?,
                "[" => self.index(expr)?,
                "." | "?." => match self.member(expr)? {
                    Ok(kind) => kind,
                    Err(unchanged) => {
                        expr = unchanged;
                        continue;
                    }
                },
                "++" | "--" if !self.line_start(0) => {
                    self.refuse(Problem::Increment);
                    self.at += 1;
                    continue;
                }
                _ if dangerous => {
                    self.error(Problem::TaggedTemplate, expr.span);
                    self.plain_template()?
                }
                _ => return Ok(expr),
            };
            self.grow()?;
            expr = Expr { kind, span: self.since(start) };
        }
    }

    fn call(&mut self, callee: Expr) -> Parse<ExprKind> {
        match &callee.kind {
            ExprKind::Ident(name) if &**name == "require" => {
                self.error(Problem::Require, callee.span);
            }
            ExprKind::Member(_, name) if matches!(&*name.text, "then" | "catch" | "finally") => {
                self.error(Problem::Then, name.span);
            }
            _ => {}
        }
        Ok(ExprKind::Call(Box::new(callee), self.list(")")?))
    }

    fn index(&mut self, object: Expr) -> Parse<ExprKind> {
        self.at += 1;
        let index = self.whole_expression()?;
        self.expect("]")?;
        Ok(ExprKind::Index(Box::new(object), Box::new(index)))
    }

    /// `.name`; before `?.(` and `?.[`, which are refused, the object as it was.
    fn member(&mut self, object: Expr) -> Parse<Result<ExprKind, Expr>> {
        if self.is("?.") {
            self.refuse(Problem::OptionalChain);
        }
        self.at += 1;
        if matches!(self.ahead(0), "(" | "[") && self.last_text() == "?." {
            return Ok(Err(object));
        }
        if !self.is_word(0) {
            return self.fail(Problem::NameExpected);
        }
        let name = self.take_name();
        if &*name.text == "__proto__" {
            self.error(Problem::Proto, name.span);
        }
        Ok(Ok(ExprKind::Member(Box::new(object), name)))
    }

    fn primary(&mut self) -> Parse<Expr> {
        let start = self.span();
        let kind = match self.kind() {
            Some(TokenKind::Number) => {
                self.at += 1;
                ExprKind::Int(self.number(start))
            }
            Some(TokenKind::Text) => {
                self.at += 1;
                let inside = Span::new(start.start + 1, start.end - 1);
                ExprKind::Text(self.unescape(inside).into())
            }
            Some(TokenKind::UnclosedText) => {
                self.refuse(Problem::UnclosedText);
                self.at += 1;
                ExprKind::Null
            }
            Some(TokenKind::Regex) => {
                self.refuse(Problem::Regex);
                self.at += 1;
                ExprKind::Null
            }
            Some(TokenKind::TemplateOpen) => self.plain_template()?,
            Some(TokenKind::Keyword | TokenKind::Name) => self.word()?,
            _ => match self.ahead(0) {
                "(" => return self.parentheses(),
                "[" => ExprKind::Array(self.list("]")?),
                "{" => self.object()?,
                "..." => return self.fail(Problem::Spread),
                _ => return self.fail(Problem::ExpressionExpected),
            },
        };
        Ok(Expr { kind, span: self.since(start) })
    }

    fn parentheses(&mut self) -> Parse<Expr> {
        let start = self.span();
        self.at += 1;
        let inner = self.whole_expression()?;
        self.expect(")")?;
        let span = self.since(start);
        self.parenthesised = Some(span);
        Ok(Expr { kind: inner.kind, span })
    }

    /// An operand that begins with a word.
    fn word(&mut self) -> Parse<ExprKind> {
        let kind = match self.ahead(0) {
            "null" => ExprKind::Null,
            "undefined" => ExprKind::Undefined,
            "true" => ExprKind::Bool(true),
            "false" => ExprKind::Bool(false),
            "new" => return self.new_error(),
            "this" | "super" => {
                self.refuse(Problem::This);
                ExprKind::Null
            }
            _ if self.at_function() => return self.fail(Problem::FunctionExpression),
            "class" => return self.fail(Problem::Class),
            "yield" => return self.fail(Problem::Generator),
            "import" => return self.fail(Problem::DynamicImport),
            _ if !self.is_name(0) => return self.fail(Problem::ReservedWord),
            "sql" if self.template_follows() => {
                self.at += 1;
                return self.sql_template();
            }
            name => ExprKind::Ident(Arc::from(name)),
        };
        self.at += 1;
        Ok(kind)
    }

    fn template_follows(&self) -> bool {
        let next = self.lexemes.get(self.at + 1);
        next.is_some_and(|next| next.token.kind == TokenKind::TemplateOpen && !next.line_start)
    }

    fn new_error(&mut self) -> Parse<ExprKind> {
        self.at += 1;
        if !self.is("Error") {
            self.refuse(Problem::New);
        }
        if !self.is_word(0) {
            return self.fail(Problem::NameExpected);
        }
        self.at += 1;
        if matches!(self.ahead(0), "." | "?." | "[") {
            // `new Error.x()` constructs `Error.x`.
            return self.fail(Problem::New);
        }
        let arguments = self.is("(") && !self.line_start(0);
        Ok(ExprKind::NewError(if arguments { self.list(")")? } else { Vec::new() }))
    }

    /// Whether an arrow function begins here.
    fn at_arrow(&self) -> bool {
        let prefix = usize::from(self.is("async") && !self.line_start(1));
        for skipped in [0, prefix] {
            let at = self.at + skipped;
            let last = match self.ahead(skipped) {
                "(" => self.lexemes.get(at).and_then(|lexeme| lexeme.partner).unwrap_or(at),
                _ if self.is_word(skipped) => at,
                _ => continue,
            };
            let follows = last + 1 - self.at;
            if self.ahead(follows) == "=>" && !self.line_start(follows) {
                return true;
            }
        }
        false
    }

    fn arrow(&mut self) -> Parse<Expr> {
        let span = self.span();
        let is_async = self.is("async") && self.ahead(1) != "=>";
        self.at += usize::from(is_async);
        let params = if self.is("(") {
            self.parameters()?
        } else {
            vec![Pattern::Name(self.binding_name()?)]
        };
        self.expect("=>")?;
        let concise = !self.is("{");
        let body = if concise {
            let value = self.inside_function(is_async, Self::expression)?;
            let span = value.span;
            vec![Stmt { kind: StmtKind::Return(Some(value)), span }]
        } else {
            self.function_body(is_async)?
        };
        let span = self.since(span);
        let function = Function { name: None, is_async, params, body, concise, span };
        Ok(Expr { kind: ExprKind::Arrow(Box::new(function)), span })
    }
}
