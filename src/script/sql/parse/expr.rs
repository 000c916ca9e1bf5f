//! Expressions, by PostgreSQL's table of operator precedence (docs: sql-syntax-lexical).

use super::super::ast::{BinaryOp, Expr, ExprKind, Function};
use super::super::error::SqlProblem;
use super::super::schema::SqlType;
use super::super::token::TokenKind;
use super::{Parsed, Parser, interval_us};
use crate::script::ast::Name;
use crate::text::Span;

impl Parser<'_> {
    pub(super) fn expr(&mut self) -> Parsed<Expr> {
        self.deeper(Self::or)
    }

    fn binary(&self, op: BinaryOp, left: Expr, right: Expr) -> Expr {
        let span = left.span.to(right.span);
        Expr { kind: ExprKind::Binary(op, Box::new(left), Box::new(right)), span }
    }

    fn or(&mut self) -> Parsed<Expr> {
        let mut left = self.and()?;
        while self.eat_word("or") {
            let right = self.and()?;
            left = self.binary(BinaryOp::Or, left, right);
        }
        Ok(left)
    }

    fn and(&mut self) -> Parsed<Expr> {
        let mut left = self.not()?;
        while self.eat_word("and") {
            let right = self.not()?;
            left = self.binary(BinaryOp::And, left, right);
        }
        Ok(left)
    }

    fn not(&mut self) -> Parsed<Expr> {
        let start = self.span();
        if self.eat_word("not") {
            let inner = self.deeper(Self::not)?;
            let span = start.to(inner.span);
            return Ok(Expr { kind: ExprKind::Not(Box::new(inner)), span });
        }
        self.is_null()
    }

    fn is_null(&mut self) -> Parsed<Expr> {
        let mut inner = self.comparison()?;
        while self.is_word(0, "is") {
            let negated = self.are_words(&["is", "not", "null"]);
            if !negated && !self.are_words(&["is", "null"]) {
                return Err(self.error(SqlProblem::Operator));
            }
            self.advance();
            self.advance();
            if negated {
                self.advance();
            }
            let span = self.since(inner.span);
            inner = Expr { kind: ExprKind::IsNull(Box::new(inner), negated), span };
        }
        Ok(inner)
    }

    fn comparison_sign(&self) -> Option<BinaryOp> {
        let TokenKind::Sign(sign) = self.token(0).kind else { return None };
        Some(match sign {
            "=" => BinaryOp::Equal,
            "<>" => BinaryOp::NotEqual,
            "<" => BinaryOp::Less,
            "<=" => BinaryOp::LessEqual,
            ">" => BinaryOp::Greater,
            ">=" => BinaryOp::GreaterEqual,
            _ => return None,
        })
    }

    /// Comparisons do not chain: `a = b = c` is refused.
    fn comparison(&mut self) -> Parsed<Expr> {
        let left = self.membership()?;
        let Some(op) = self.comparison_sign() else { return Ok(left) };
        self.advance();
        if self.is_word(0, "any") || self.is_word(0, "some") || self.is_word(0, "all") {
            if op != BinaryOp::Equal || !self.is_word(0, "any") {
                return Err(self.error(SqlProblem::Any));
            }
            return self.any(left);
        }
        let right = self.membership()?;
        if self.comparison_sign().is_some() {
            return Err(self.unexpected());
        }
        Ok(self.binary(op, left, right))
    }

    /// `= ANY($n)`, the `=` already read.
    fn any(&mut self, left: Expr) -> Parsed<Expr> {
        self.advance();
        self.sign("(")?;
        let TokenKind::Param(number) = self.token(0).kind else {
            return Err(self.error(SqlProblem::Any));
        };
        self.advance();
        let mut element = None;
        if self.eat_sign("::") {
            element = Some(self.type_name()?);
            self.sign("[")?;
            self.sign("]")?;
        }
        self.sign(")")?;
        let span = self.since(left.span);
        Ok(Expr { kind: ExprKind::Any(Box::new(left), number, element), span })
    }

    fn membership(&mut self) -> Parsed<Expr> {
        let left = self.other_operator()?;
        let ahead = usize::from(self.is_word(0, "not"));
        for word in ["between", "like", "ilike", "similar"] {
            if self.is_word(ahead, word) {
                return Err(self.error(SqlProblem::Operator));
            }
        }
        if !self.is_word(ahead, "in") {
            return Ok(left);
        }
        let negated = ahead == 1;
        self.advance();
        if negated {
            self.advance();
        }
        self.sign("(")?;
        if self.is_word(0, "select") {
            let select = self.deeper(Self::select)?;
            self.sign(")")?;
            let span = self.since(left.span);
            let kind = ExprKind::InSelect(Box::new(left), Box::new(select), negated);
            return Ok(Expr { kind, span });
        }
        let list = self.expressions()?;
        self.sign(")")?;
        let span = self.since(left.span);
        Ok(Expr { kind: ExprKind::InList(Box::new(left), list, negated), span })
    }

    pub(super) fn expressions(&mut self) -> Parsed<Vec<Expr>> {
        let mut list = vec![self.expr()?];
        while self.eat_sign(",") {
            list.push(self.expr()?);
        }
        Ok(list)
    }

    /// The operand of a column's `DEFAULT`: anything that binds tighter than a comparison.
    pub(super) fn default_operand(&mut self) -> Parsed<Expr> {
        self.other_operator()
    }

    fn other_operator(&mut self) -> Parsed<Expr> {
        let mut left = self.sum()?;
        loop {
            let op = if self.eat_sign("||") {
                BinaryOp::Concat
            } else if self.eat_sign("->>") {
                BinaryOp::GetText
            } else if self.eat_sign("->") {
                BinaryOp::Get
            } else {
                return Ok(left);
            };
            let right = self.sum()?;
            left = self.binary(op, left, right);
        }
    }

    fn sum(&mut self) -> Parsed<Expr> {
        let mut left = self.product()?;
        loop {
            let op = if self.eat_sign("+") {
                BinaryOp::Add
            } else if self.eat_sign("-") {
                BinaryOp::Sub
            } else {
                return Ok(left);
            };
            let right = self.product()?;
            left = self.binary(op, left, right);
        }
    }

    fn product(&mut self) -> Parsed<Expr> {
        let mut left = self.sign_prefix()?;
        loop {
            let op = if self.eat_sign("*") {
                BinaryOp::Mul
            } else if self.eat_sign("%") {
                BinaryOp::Rem
            } else if self.is_sign(0, "/") {
                return Err(self.error(SqlProblem::Operator));
            } else {
                return Ok(left);
            };
            let right = self.sign_prefix()?;
            left = self.binary(op, left, right);
        }
    }

    fn sign_prefix(&mut self) -> Parsed<Expr> {
        let start = self.span();
        if self.eat_sign("-") {
            let inner = self.deeper(Self::sign_prefix)?;
            let span = start.to(inner.span);
            return Ok(Expr { kind: ExprKind::Minus(Box::new(inner)), span });
        }
        self.cast()
    }

    fn cast(&mut self) -> Parsed<Expr> {
        let mut inner = self.primary()?;
        while self.eat_sign("::") {
            let ty = self.type_name()?;
            let span = self.since(inner.span);
            inner = Expr { kind: ExprKind::Cast(Box::new(inner), ty), span };
        }
        Ok(inner)
    }

    pub(super) fn type_name(&mut self) -> Parsed<SqlType> {
        let TokenKind::Word(word) = &self.token(0).kind else { return Err(self.unexpected()) };
        if self.are_words(&["timestamp", "with", "time", "zone"]) {
            (0..4).for_each(|_| self.advance());
            return Ok(SqlType::Timestamptz);
        }
        if let Some(ty) = SqlType::named(word) {
            self.advance();
            return Ok(ty);
        }
        let numeric =
            ["numeric", "decimal", "real", "double", "float", "float4", "float8", "money"];
        let is_numeric = numeric.contains(&&**word);
        Err(self.error(if is_numeric { SqlProblem::Numeric } else { SqlProblem::Type }))
    }

    fn primary(&mut self) -> Parsed<Expr> {
        let span = self.span();
        let kind = match &self.token(0).kind {
            TokenKind::Int(value) => ExprKind::Int(*value),
            TokenKind::Text(text) => ExprKind::Text(text.clone()),
            TokenKind::Param(number) => ExprKind::Param(*number),
            TokenKind::Sign("(") => return self.parenthesis(),
            TokenKind::Word(_) | TokenKind::Quoted(_) => return self.word_expression(),
            _ => return Err(self.unexpected()),
        };
        self.advance();
        Ok(Expr { kind, span })
    }

    fn parenthesis(&mut self) -> Parsed<Expr> {
        let start = self.span();
        self.advance();
        if self.is_word(0, "select") {
            return Err(self.error(SqlProblem::Clause));
        }
        let inner = self.expr()?;
        self.sign(")")?;
        Ok(Expr { span: self.since(start), kind: inner.kind })
    }

    fn word_expression(&mut self) -> Parsed<Expr> {
        let start = self.span();
        let constant = match &self.token(0).kind {
            TokenKind::Word(word) => match &**word {
                "null" => Some(ExprKind::Null),
                "true" => Some(ExprKind::Bool(true)),
                "false" => Some(ExprKind::Bool(false)),
                "default" => Some(ExprKind::Default),
                "current_timestamp" => Some(ExprKind::Call(Function::Now, Vec::new())),
                _ => None,
            },
            _ => None,
        };
        if let Some(kind) = constant {
            self.advance();
            return Ok(Expr { kind, span: start });
        }
        if self.is_word(0, "exists") && self.is_sign(1, "(") {
            return self.exists(start);
        }
        if self.is_word(0, "interval") && matches!(self.token(1).kind, TokenKind::Text(_)) {
            return self.interval(start);
        }
        if self.is_word(0, "case") {
            return self.deeper(|parser| parser.case(start));
        }
        if self.is_word(0, "cast") || self.is_word(0, "array") {
            return Err(self.error(SqlProblem::Operator));
        }
        if self.is_sign(1, "(") {
            return self.call(start);
        }
        let name = self.name()?;
        if self.eat_sign(".") {
            let column = self.name()?;
            let span = self.since(start);
            return Ok(Expr { kind: ExprKind::Column(Some(name), column), span });
        }
        Ok(Expr { kind: ExprKind::Column(None, name), span: start })
    }

    fn exists(&mut self, start: Span) -> Parsed<Expr> {
        self.advance();
        self.advance();
        let select = self.deeper(Self::select)?;
        self.sign(")")?;
        Ok(Expr { kind: ExprKind::Exists(Box::new(select)), span: self.since(start) })
    }

    fn interval(&mut self, start: Span) -> Parsed<Expr> {
        self.advance();
        let us = match &self.token(0).kind {
            TokenKind::Text(text) => interval_us(text),
            _ => None,
        };
        if us.is_none() {
            self.note(SqlProblem::Interval);
        }
        self.advance();
        Ok(Expr { kind: ExprKind::Interval(us.unwrap_or(0)), span: self.since(start) })
    }

    /// `CASE WHEN …`; the form that compares one value with several is not in the subset.
    fn case(&mut self, start: Span) -> Parsed<Expr> {
        self.advance();
        if !self.is_word(0, "when") {
            return Err(self.error(SqlProblem::Operator));
        }
        let mut branches = Vec::new();
        while self.eat_word("when") {
            let condition = self.expr()?;
            self.word("then")?;
            branches.push((condition, self.expr()?));
        }
        let otherwise = if self.eat_word("else") { Some(Box::new(self.expr()?)) } else { None };
        self.word("end")?;
        Ok(Expr { kind: ExprKind::Case(branches, otherwise), span: self.since(start) })
    }

    /// `extract(epoch FROM x)`, up to the parenthesis read already.
    fn extract(&mut self, start: Span) -> Parsed<Expr> {
        self.word("epoch")?;
        self.word("from")?;
        let arguments = vec![self.expr()?];
        self.sign(")")?;
        let kind = ExprKind::Call(Function::Extract, arguments);
        Ok(Expr { kind, span: self.since(start) })
    }

    fn call(&mut self, start: Span) -> Parsed<Expr> {
        let name = self.function_name();
        self.advance();
        self.advance();
        if &*name.text == Function::Extract.name() {
            return self.extract(start);
        }
        if &*name.text == "pg_snapshot_xmin" {
            self.word("pg_current_snapshot")?;
            self.sign("(")?;
            self.sign(")")?;
            self.sign(")")?;
            let kind = ExprKind::Call(Function::SnapshotXmin, Vec::new());
            return Ok(Expr { kind, span: self.since(start) });
        }
        let star = self.is_sign(0, "*");
        let mut arguments = Vec::new();
        if star {
            self.advance();
        } else if !self.is_sign(0, ")") {
            arguments = self.expressions()?;
        }
        self.sign(")")?;
        let span = self.since(start);
        let function = Function::ALL.into_iter().find(|f| f.name() == &*name.text);
        let Some(function) = function else {
            self.note_at(name.span, SqlProblem::Function, &name.text);
            return Ok(Expr { kind: ExprKind::Null, span });
        };
        let fits = match function {
            Function::Count => star || arguments.len() == 1,
            Function::Min
            | Function::Max
            | Function::Sum
            | Function::Abs
            | Function::Hashtext
            | Function::Extract => !star && arguments.len() == 1,
            Function::Coalesce | Function::Greatest | Function::Least => {
                !star && !arguments.is_empty()
            }
            Function::Now | Function::CurrentXactId | Function::SnapshotXmin => {
                !star && arguments.is_empty()
            }
        };
        if !fits {
            self.note_at(span, SqlProblem::Arguments, &name.text);
        }
        Ok(Expr { kind: ExprKind::Call(function, arguments), span })
    }

    fn function_name(&self) -> Name {
        let token = self.token(0);
        let text = match &token.kind {
            TokenKind::Word(word) | TokenKind::Quoted(word) => word.clone(),
            _ => "".into(),
        };
        Name { text, span: token.span }
    }
}
