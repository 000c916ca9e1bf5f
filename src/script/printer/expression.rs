//! Expressions, with parentheses only where they are needed.

use super::output::Output;
use crate::script::ast::{
    BinaryOp, Expr, ExprKind, Function, LogicalOp, Name, Stmt, StmtKind, UnaryOp,
};
use crate::script::lexer;

/// Precedence of what stands alone or takes calls and fields after it.
const POSTFIX: u8 = 20;
const UNARY: u8 = 10;
const CONDITIONAL: u8 = 1;

fn binary(op: BinaryOp) -> (u8, &'static str) {
    match op {
        BinaryOp::Mul => (8, " * "),
        BinaryOp::Rem => (8, " % "),
        BinaryOp::Add => (7, " + "),
        BinaryOp::Sub => (7, " - "),
        BinaryOp::Less => (6, " < "),
        BinaryOp::LessEqual => (6, " <= "),
        BinaryOp::Greater => (6, " > "),
        BinaryOp::GreaterEqual => (6, " >= "),
        BinaryOp::Equal => (5, " === "),
        BinaryOp::NotEqual => (5, " !== "),
    }
}

fn logical(op: LogicalOp) -> (u8, &'static str) {
    match op {
        LogicalOp::And => (4, " && "),
        LogicalOp::Or => (3, " || "),
        LogicalOp::Coalesce => (2, " ?? "),
    }
}

fn precedence(expr: &Expr) -> u8 {
    match &expr.kind {
        ExprKind::Arrow(_) => 0,
        ExprKind::Conditional(..) => CONDITIONAL,
        ExprKind::Logical(op, ..) => logical(*op).0,
        ExprKind::Binary(op, ..) => binary(*op).0,
        ExprKind::Unary(..) | ExprKind::Await(_) => UNARY,
        ExprKind::Int(value) if *value < 0 => UNARY,
        _ => POSTFIX,
    }
}

/// Whether an expression's text begins with `{`.
fn begins_with_brace(expr: &Expr) -> bool {
    match &expr.kind {
        ExprKind::Object(_) => true,
        ExprKind::Member(left, _)
        | ExprKind::Index(left, _)
        | ExprKind::Call(left, _)
        | ExprKind::Binary(_, left, _)
        | ExprKind::Logical(_, left, _)
        | ExprKind::Conditional(left, ..) => {
            begins_with_brace(left) && precedence(left) >= precedence(expr)
        }
        _ => false,
    }
}

impl Output {
    /// An expression at the beginning of a statement or of an arrow's body.
    pub(super) fn leading_expression(&mut self, expr: &Expr) {
        self.wrapped(expr, begins_with_brace(expr));
    }

    /// An expression of at least a precedence, in parentheses if it binds more loosely.
    fn operand(&mut self, expr: &Expr, least: u8) {
        self.wrapped(expr, precedence(expr) < least);
    }

    fn wrapped(&mut self, expr: &Expr, parentheses: bool) {
        self.push(if parentheses { "(" } else { "" });
        self.expression(expr);
        self.push(if parentheses { ")" } else { "" });
    }

    pub(super) fn expression(&mut self, expr: &Expr) {
        self.mark(expr.span);
        match &expr.kind {
            ExprKind::Null => self.push("null"),
            ExprKind::Undefined => self.push("undefined"),
            ExprKind::Bool(value) => self.push(if *value { "true" } else { "false" }),
            ExprKind::Int(value) => self.push(&value.to_string()),
            ExprKind::Text(text) => self.quoted(text),
            ExprKind::Template(texts, holes) => {
                let escaped: Vec<String> = texts.iter().map(|text| escape(text, '`')).collect();
                self.template(escaped.iter().map(String::as_str), holes);
            }
            ExprKind::Sql(pieces, holes) => {
                self.push("sql");
                self.template(pieces.iter().map(|piece| &*piece.text), holes);
            }
            ExprKind::Ident(name) => self.push(name),
            ExprKind::Array(items) => self.list("[", items, "]"),
            ExprKind::Object(fields) => self.object(fields),
            ExprKind::Arrow(function) => self.arrow(function),
            ExprKind::NewError(arguments) => self.list("new Error(", arguments, ")"),
            _ => self.compound(expr),
        }
    }

    /// An expression made of operands.
    fn compound(&mut self, expr: &Expr) {
        match &expr.kind {
            ExprKind::Unary(op, operand) => self.unary(*op, operand),
            ExprKind::Await(operand) => {
                self.push("await ");
                self.operand(operand, UNARY);
            }
            ExprKind::Binary(op, left, right) => self.binary(*op, left, right),
            ExprKind::Logical(op, left, right) => self.logical(*op, left, right),
            ExprKind::Conditional(test, yes, no) => {
                self.operand(test, CONDITIONAL + 1);
                self.push(" ? ");
                self.expression(yes);
                self.push(" : ");
                self.expression(no);
            }
            ExprKind::Member(object, name) => {
                self.object_of_access(object);
                self.push(".");
                self.push(&name.text);
            }
            ExprKind::Index(object, index) => {
                self.object_of_access(object);
                self.list("[", std::slice::from_ref(index), "]");
            }
            ExprKind::Call(callee, arguments) => {
                self.object_of_access(callee);
                self.list("(", arguments, ")");
            }
            _ => {}
        }
    }

    /// What `.`, `[` or `(` follows. The dot after a plain number would be its fraction.
    fn object_of_access(&mut self, object: &Expr) {
        let number = matches!(object.kind, ExprKind::Int(_));
        self.wrapped(object, number || precedence(object) < POSTFIX);
    }

    fn unary(&mut self, op: UnaryOp, operand: &Expr) {
        self.push(match op {
            UnaryOp::Not => "!",
            UnaryOp::Minus => "-",
        });
        // Without parentheses `-5` would be a literal, and `--x` a decrement.
        let minus = matches!(operand.kind, ExprKind::Int(_) | ExprKind::Unary(UnaryOp::Minus, _));
        self.wrapped(operand, (op == UnaryOp::Minus && minus) || precedence(operand) < UNARY);
    }

    fn binary(&mut self, op: BinaryOp, left: &Expr, right: &Expr) {
        let (own, mark) = binary(op);
        // Comparisons do not chain, so they are parenthesised on the left as well.
        let comparison = own < binary(BinaryOp::Add).0;
        self.operand(left, own + u8::from(comparison));
        self.push(mark);
        self.operand(right, own + 1);
    }

    fn logical(&mut self, op: LogicalOp, left: &Expr, right: &Expr) {
        let (own, mark) = logical(op);
        let mixed = |operand: &Expr| match &operand.kind {
            ExprKind::Logical(inner, ..) => {
                (op == LogicalOp::Coalesce) != (*inner == LogicalOp::Coalesce)
            }
            _ => false,
        };
        self.wrapped(left, mixed(left) || precedence(left) < own);
        self.push(mark);
        self.wrapped(right, mixed(right) || precedence(right) <= own);
    }

    fn arrow(&mut self, function: &Function) {
        self.push(if function.is_async { "async " } else { "" });
        self.parameters(&function.params);
        self.push(" => ");
        match function.body.as_slice() {
            [Stmt { kind: StmtKind::Return(Some(value)), .. }] if function.concise => {
                self.leading_expression(value);
            }
            body => self.block(body),
        }
    }

    fn list(&mut self, open: &str, items: &[Expr], close: &str) {
        self.push(open);
        for (at, item) in items.iter().enumerate() {
            self.push(if at == 0 { "" } else { ", " });
            self.expression(item);
        }
        self.push(close);
    }

    /// An object on one line, or on several if an object or a list is in it.
    fn object(&mut self, fields: &[(Name, Expr)]) {
        if fields.is_empty() {
            return self.push("{}");
        }
        let long = fields.iter().any(|(_, value)| {
            matches!(value.kind, ExprKind::Object(_) | ExprKind::Call(..) | ExprKind::Array(_))
        });
        if long {
            self.open("{");
            for field in fields {
                self.field(field);
                self.push(",");
                self.line();
            }
            return self.close("}");
        }
        for (at, field) in fields.iter().enumerate() {
            self.push(if at == 0 { "{ " } else { ", " });
            self.field(field);
        }
        self.push(" }");
    }

    fn field(&mut self, (key, value): &(Name, Expr)) {
        self.mark(key.span);
        match &value.kind {
            ExprKind::Ident(name) if *name == key.text => self.push(name),
            _ => {
                self.key(key);
                self.push(": ");
                self.expression(value);
            }
        }
    }

    pub(super) fn key(&mut self, key: &Name) {
        if lexer::is_word(&key.text) { self.push(&key.text) } else { self.quoted(&key.text) }
    }

    pub(super) fn quoted(&mut self, text: &str) {
        self.push(&format!("\"{}\"", escape(text, '"')));
    }

    /// Texts that are written as they are, with expressions between them.
    fn template<'a>(&mut self, mut texts: impl Iterator<Item = &'a str>, holes: &[Expr]) {
        self.push("`");
        self.push_raw(texts.next().unwrap_or_default());
        for (hole, text) in holes.iter().zip(texts) {
            self.push("${");
            self.expression(hole);
            self.push("}");
            self.push_raw(text);
        }
        self.push("`");
    }
}

/// A text between quotes of a kind. Templates keep their line ends.
fn escape(text: &str, quote: char) -> String {
    let mut escaped = String::with_capacity(text.len());
    let mut characters = text.chars().peekable();
    while let Some(c) = characters.next() {
        let hole = c == '$' && quote == '`' && characters.peek() == Some(&'{');
        match c {
            '\n' if quote != '`' => escaped.push_str("\\n"),
            '\r' => escaped.push_str("\\r"),
            _ if c == '\\' || c == quote || hole => escaped.extend(['\\', c]),
            _ => escaped.push(c),
        }
    }
    escaped
}
