//! Types of expressions, as far as they are decided before parameters are known
//! (docs: typeconv). `None` stands for a literal, a parameter or null.

use super::{Checker, Scope};
use crate::script::ast::Name;
use crate::script::sql::ast::{BinaryOp, Expr, ExprKind, Function};
use crate::script::sql::error::SqlProblem;
use crate::script::sql::schema::SqlType;
use crate::text::Span;

impl Checker<'_> {
    /// Judges the types inside an expression.
    pub(super) fn types(&mut self, expr: &Expr, scope: &Scope<'_>) {
        self.infer(expr, scope);
    }

    /// Judges an expression that must be a condition; its inside is judged elsewhere.
    pub(super) fn boolean(&mut self, expr: &Expr, scope: &Scope<'_>) {
        let before = self.errors.len();
        let ty = self.infer(expr, scope);
        self.errors.truncate(before);
        if !matches!(ty, None | Some(SqlType::Boolean)) {
            self.note(expr.span, SqlProblem::NotBoolean, name(ty));
        }
    }

    /// Judges the assignment of a value to a column.
    pub(super) fn assigned(&mut self, expr: &Expr, ty: SqlType, scope: &Scope<'_>) {
        let before = self.errors.len();
        let found = self.infer(expr, scope);
        self.errors.truncate(before);
        let fits = found.is_none_or(|found| ty == SqlType::Text || found.family() == ty.family());
        if !fits {
            self.clash(expr.span, found, Some(ty));
        }
    }

    fn clash(&mut self, span: Span, left: Option<SqlType>, right: Option<SqlType>) {
        let found = format!("{}, {}", name(left), name(right));
        self.note(span, SqlProblem::Types, &found);
    }

    fn infer(&mut self, expr: &Expr, scope: &Scope<'_>) -> Option<SqlType> {
        match &expr.kind {
            ExprKind::Null | ExprKind::Text(_) | ExprKind::Param(_) | ExprKind::Default => None,
            ExprKind::Bool(_) | ExprKind::Exists(_) => Some(SqlType::Boolean),
            ExprKind::Int(value) if i32::try_from(*value).is_ok() => Some(SqlType::Integer),
            ExprKind::Int(_) => Some(SqlType::BigInt),
            ExprKind::Interval(_) => Some(SqlType::Interval),
            ExprKind::Column(table, name) => column_type(table.as_ref(), name, scope),
            ExprKind::Not(inner) => self.operand(inner, scope),
            ExprKind::Minus(inner) => {
                let ty = self.infer(inner, scope);
                if !ty.is_none_or(|ty| is_number(ty) || ty == SqlType::Interval) {
                    self.clash(expr.span, ty, ty);
                }
                ty
            }
            ExprKind::Binary(op, left, right) => self.binary(*op, left, right, scope),
            ExprKind::InList(inner, list, _) => {
                let left = self.infer(inner, scope);
                for item in list {
                    let right = self.infer(item, scope);
                    self.comparable(item.span, left, right, true);
                }
                Some(SqlType::Boolean)
            }
            ExprKind::IsNull(inner, _) | ExprKind::InSelect(inner, ..) => {
                self.infer(inner, scope);
                Some(SqlType::Boolean)
            }
            ExprKind::Any(inner, _, element) => {
                let left = self.infer(inner, scope);
                self.comparable(expr.span, left, *element, true);
                Some(SqlType::Boolean)
            }
            ExprKind::Call(function, arguments) => self.call(*function, arguments, scope),
            ExprKind::Cast(inner, ty) => self.cast(inner, *ty, scope),
            ExprKind::Case(branches, otherwise) => {
                for (condition, _) in branches {
                    self.operand(condition, scope);
                }
                let values = branches.iter().map(|(_, value)| value);
                let values: Vec<&Expr> = values.chain(otherwise.as_deref()).collect();
                self.common(&values, true, scope)
            }
        }
    }

    fn operand(&mut self, expr: &Expr, scope: &Scope<'_>) -> Option<SqlType> {
        let ty = self.infer(expr, scope);
        if !matches!(ty, None | Some(SqlType::Boolean)) {
            self.note(expr.span, SqlProblem::NotBoolean, name(ty));
        }
        Some(SqlType::Boolean)
    }

    fn comparable(
        &mut self,
        span: Span,
        left: Option<SqlType>,
        right: Option<SqlType>,
        equality: bool,
    ) {
        let clash = left.zip(right).is_some_and(|(left, right)| left.family() != right.family());
        let json = [left, right].contains(&Some(SqlType::Jsonb)) && !equality;
        if clash || json {
            self.clash(span, left, right);
        }
    }

    fn binary(
        &mut self,
        op: BinaryOp,
        left: &Expr,
        right: &Expr,
        scope: &Scope<'_>,
    ) -> Option<SqlType> {
        if matches!(op, BinaryOp::And | BinaryOp::Or) {
            self.operand(left, scope);
            return self.operand(right, scope);
        }
        let span = left.span.to(right.span);
        let (left, right) = (self.infer(left, scope), self.infer(right, scope));
        match op {
            BinaryOp::Equal | BinaryOp::NotEqual => {
                self.comparable(span, left, right, true);
                Some(SqlType::Boolean)
            }
            BinaryOp::Less | BinaryOp::LessEqual | BinaryOp::Greater | BinaryOp::GreaterEqual => {
                self.comparable(span, left, right, false);
                Some(SqlType::Boolean)
            }
            BinaryOp::Concat => {
                let texts = [left, right].iter().any(|ty| matches!(ty, None | Some(SqlType::Text)));
                if !texts || [left, right].contains(&Some(SqlType::Jsonb)) {
                    self.clash(span, left, right);
                }
                Some(SqlType::Text)
            }
            BinaryOp::Get | BinaryOp::GetText => {
                let key = right.is_none_or(|ty| ty == SqlType::Text || is_number(ty));
                if left != Some(SqlType::Jsonb) || !key {
                    self.clash(span, left, right);
                }
                Some(if op == BinaryOp::Get { SqlType::Jsonb } else { SqlType::Text })
            }
            _ => self.arithmetic(op, span, left, right),
        }
    }

    fn arithmetic(
        &mut self,
        op: BinaryOp,
        span: Span,
        left: Option<SqlType>,
        right: Option<SqlType>,
    ) -> Option<SqlType> {
        use SqlType::{BigInt, Integer, Interval, Timestamptz};
        let result = match (op, left, right) {
            (BinaryOp::Add, Some(Timestamptz), Some(Interval) | None)
            | (BinaryOp::Add, Some(Interval), Some(Timestamptz))
            | (BinaryOp::Sub, Some(Timestamptz), Some(Interval)) => Some(Timestamptz),
            (BinaryOp::Sub, Some(Timestamptz), Some(Timestamptz) | None)
            | (BinaryOp::Add | BinaryOp::Sub, Some(Interval), Some(Interval) | None)
            | (BinaryOp::Mul, Some(Interval), Some(Integer | BigInt))
            | (BinaryOp::Mul, Some(Integer | BigInt), Some(Interval)) => Some(Interval),
            (_, Some(Integer), Some(Integer) | None) | (_, None, Some(Integer)) => Some(Integer),
            (_, Some(a), Some(b)) if is_number(a) && is_number(b) => Some(BigInt),
            (_, Some(BigInt), None) | (_, None, Some(BigInt)) => Some(BigInt),
            _ => None,
        };
        if result.is_none() {
            self.clash(span, left, right);
        }
        result
    }

    fn call(
        &mut self,
        function: Function,
        arguments: &[Expr],
        scope: &Scope<'_>,
    ) -> Option<SqlType> {
        match function {
            Function::Coalesce | Function::Greatest | Function::Least => {
                let arguments: Vec<&Expr> = arguments.iter().collect();
                return self.common(&arguments, function == Function::Coalesce, scope);
            }
            _ => {}
        }
        let first = arguments.first().and_then(|expr| self.infer(expr, scope));
        let span = arguments.first().map(|expr| expr.span).unwrap_or_default();
        match function {
            Function::Count => Some(SqlType::BigInt),
            Function::Now => Some(SqlType::Timestamptz),
            Function::CurrentXactId | Function::SnapshotXmin => Some(SqlType::Xid8),
            Function::Min | Function::Max => {
                if matches!(first, Some(SqlType::Boolean | SqlType::Jsonb | SqlType::Uuid)) {
                    self.clash(span, first, first);
                }
                first
            }
            Function::Sum => {
                // The sum of bigints is numeric, which only a cast brings back.
                if first == Some(SqlType::BigInt) {
                    self.note(span, SqlProblem::Numeric, "sum(bigint)");
                } else if !matches!(first, Some(SqlType::Integer | SqlType::Interval)) {
                    self.clash(span, first, first);
                }
                if first == Some(SqlType::Interval) { first } else { Some(SqlType::BigInt) }
            }
            Function::Abs => {
                if !first.is_none_or(is_number) {
                    self.clash(span, first, first);
                }
                first
            }
            Function::Hashtext => {
                if !matches!(first, None | Some(SqlType::Text)) {
                    self.clash(span, first, Some(SqlType::Text));
                }
                Some(SqlType::Integer)
            }
            // Numeric as it stands; `cast` knows the one place where it may.
            Function::Extract => {
                self.note(span, SqlProblem::Numeric, "extract(epoch …)");
                Some(SqlType::BigInt)
            }
            Function::Coalesce | Function::Greatest | Function::Least => None,
        }
    }

    /// The one type that several values must share.
    fn common(&mut self, values: &[&Expr], equality: bool, scope: &Scope<'_>) -> Option<SqlType> {
        let mut common = None;
        for value in values {
            let ty = self.infer(value, scope);
            self.comparable(value.span, common, ty, equality);
            common = common.or(ty);
        }
        common
    }

    /// Seconds of an interval or since 1970, cast to a whole number.
    fn extracted(&mut self, argument: &Expr, scope: &Scope<'_>) {
        let found = self.infer(argument, scope);
        if !matches!(found, Some(SqlType::Interval | SqlType::Timestamptz)) {
            self.clash(argument.span, found, Some(SqlType::Interval));
        }
    }

    fn cast(&mut self, inner: &Expr, ty: SqlType, scope: &Scope<'_>) -> Option<SqlType> {
        use SqlType::{BigInt, Boolean, Integer, Jsonb, Text};
        let found = match &inner.kind {
            ExprKind::Call(Function::Extract, arguments) if is_number(ty) => {
                arguments.iter().for_each(|argument| self.extracted(argument, scope));
                Some(ty)
            }
            ExprKind::Call(Function::Sum, arguments) if is_number(ty) => {
                arguments.first().and_then(|argument| self.infer(argument, scope))
            }
            _ => self.infer(inner, scope),
        };
        let fits = match (found, ty) {
            (None | Some(Text), _)
            | (_, Text)
            | (Some(Jsonb), Integer | BigInt | Boolean)
            | (Some(Integer), Boolean)
            | (Some(Boolean), Integer) => true,
            (Some(found), ty) => found.family() == ty.family(),
        };
        if !fits {
            self.clash(inner.span, found, Some(ty));
        }
        Some(ty)
    }
}

fn name(ty: Option<SqlType>) -> &'static str {
    ty.map_or("unknown", SqlType::name)
}

fn is_number(ty: SqlType) -> bool {
    matches!(ty, SqlType::Integer | SqlType::BigInt)
}

fn column_type(table: Option<&Name>, name: &Name, scope: &Scope<'_>) -> Option<SqlType> {
    let mut at = Some(scope);
    while let Some(scope) = at {
        at = scope.outer;
        let called = table.is_none_or(|table| *table.text == *scope.name);
        let found = scope.table.filter(|_| called).and_then(|table| table.column(&name.text));
        if let Some(column) = found {
            return Some(column.ty);
        }
    }
    None
}
