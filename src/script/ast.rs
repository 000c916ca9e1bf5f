//! The syntax tree of a scene file. Everything carries its span in the file.

use std::sync::Arc;

use crate::text::Span;

/// An identifier with its place.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Name {
    /// The identifier.
    pub text: Arc<str>,
    /// Where it stands.
    pub span: Span,
}

/// A whole scene file: imports, functions, and the default export.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Module {
    /// `import { a, b } from "pull-the-plug"`, in order.
    pub imports: Vec<Import>,
    /// `const NAME = …` at the top level (constants only; top-level `let` is refused).
    pub constants: Vec<(Name, Expr)>,
    /// Function declarations, in order. They are hoisted.
    pub functions: Vec<Function>,
    /// The expression of `export default …`.
    pub default: Option<Expr>,
    /// `// moment: NAME` comments, in order.
    pub moments: Vec<Moment>,
}

/// One import line.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Import {
    /// What is imported; renaming with `as` is refused.
    pub names: Vec<Name>,
    /// The module's name.
    pub from: Arc<str>,
    /// The whole declaration.
    pub span: Span,
}

/// `// moment: NAME`: names the effect of the call that stands on this comment's line.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Moment {
    /// The name: letters, digits, `-`.
    pub name: Arc<str>,
    /// The comment.
    pub span: Span,
}

/// A function declaration or an arrow function.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Function {
    /// Declared functions have a name, arrows have none.
    pub name: Option<Name>,
    /// Whether it is `async`.
    pub is_async: bool,
    /// Its parameters.
    pub params: Vec<Pattern>,
    /// Its body; an arrow `(x) => e` has the one statement `return e` with `e`'s span.
    pub body: Vec<Stmt>,
    /// Whether the body was an expression (an arrow without braces).
    pub concise: bool,
    /// From `async`, `function` or the parameter list to the closing brace or the expression's end.
    pub span: Span,
}

/// What a declaration or a parameter binds.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Pattern {
    /// One name.
    Name(Name),
    /// `{ a, b: pattern }`.
    Object(Vec<(Name, Pattern)>, Span),
    /// `[a, , b]`: `None` is a hole.
    Array(Vec<Option<Pattern>>, Span),
}

/// A statement.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Stmt {
    /// What it is.
    pub kind: StmtKind,
    /// Where it stands, without a trailing `;`.
    pub span: Span,
}

/// The kinds of statement.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum StmtKind {
    /// `const`/`let`. `const` and patterns always have an initial value.
    Declare {
        /// `const` rather than `let`.
        constant: bool,
        /// What is bound.
        pattern: Pattern,
        /// The initial value.
        value: Option<Expr>,
    },
    /// `target = value`, `target += value`, `target -= value`. Assignment is a statement only.
    Assign {
        /// `Ident`, `Member` or `Index`.
        target: Expr,
        /// `None` is plain `=`; else `Add` or `Sub`.
        op: Option<BinaryOp>,
        /// The value.
        value: Expr,
    },
    /// An expression alone: a call or an `await`.
    Expr(Expr),
    /// `if`.
    If {
        /// The condition.
        test: Expr,
        /// The branch for true; a single statement is a block of one.
        then: Vec<Stmt>,
        /// The branch for false; `else if` is a block with one `If`.
        otherwise: Option<Vec<Stmt>>,
    },
    /// `while`.
    While {
        /// The condition.
        test: Expr,
        /// The body.
        body: Vec<Stmt>,
    },
    /// `for (const x of xs)`.
    ForOf {
        /// `const` rather than `let`.
        constant: bool,
        /// What is bound afresh in each round.
        pattern: Pattern,
        /// The array.
        items: Expr,
        /// The body.
        body: Vec<Stmt>,
    },
    /// `try` with `catch`, `finally` or both.
    Try {
        /// The guarded statements.
        body: Vec<Stmt>,
        /// `catch (pattern) {…}` or `catch {…}`.
        catch: Option<(Option<Pattern>, Vec<Stmt>)>,
        /// `finally {…}`.
        finally: Option<Vec<Stmt>>,
    },
    /// `throw`.
    Throw(Expr),
    /// `return`.
    Return(Option<Expr>),
    /// `break` (without a label).
    Break,
    /// `continue` (without a label).
    Continue,
    /// `{…}`.
    Block(Vec<Stmt>),
    /// A nested function declaration.
    Function(Function),
}

/// An expression.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Expr {
    /// What it is.
    pub kind: ExprKind,
    /// Where it stands.
    pub span: Span,
}

/// The kinds of expression.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum ExprKind {
    /// `null`.
    Null,
    /// `undefined`.
    Undefined,
    /// `true`, `false`.
    Bool(bool),
    /// An integer literal; `500`, `1_000`.
    Int(i64),
    /// A string literal in single or double quotes, its escapes resolved.
    Text(Arc<str>),
    /// `` `a${b}c` ``: always one more text than expressions.
    Template(Vec<Arc<str>>, Vec<Expr>),
    /// ``sql`…${x}…` ``: raw pieces with their places, and the parameters between them.
    Sql(Vec<Piece>, Vec<Expr>),
    /// A name.
    Ident(Arc<str>),
    /// `[a, b]`.
    Array(Vec<Expr>),
    /// `{ a, b: c, "order.created": d }`; shorthand stands as `a: Ident(a)` with the same span.
    Object(Vec<(Name, Expr)>),
    /// `(a) => b`, `async (a) => {…}`.
    Arrow(Box<Function>),
    /// `!a`, `-a`.
    Unary(UnaryOp, Box<Expr>),
    /// Arithmetic and comparison.
    Binary(BinaryOp, Box<Expr>, Box<Expr>),
    /// `&&`, `||`, `??`: the right side is evaluated only if needed.
    Logical(LogicalOp, Box<Expr>, Box<Expr>),
    /// `a ? b : c`.
    Conditional(Box<Expr>, Box<Expr>, Box<Expr>),
    /// `a.b`.
    Member(Box<Expr>, Name),
    /// `a[b]`.
    Index(Box<Expr>, Box<Expr>),
    /// `f(a)`.
    Call(Box<Expr>, Vec<Expr>),
    /// `new Error(a)`; no other class can be constructed.
    NewError(Vec<Expr>),
    /// `await a`.
    Await(Box<Expr>),
}

/// A raw piece of a `sql` template. Backslashes are refused there, so byte `i` of the text
/// stands at `offset + i` in the file.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Piece {
    /// The text between two parameters.
    pub text: Arc<str>,
    /// Where its first byte stands in the file.
    pub offset: u32,
}

/// Operators with one operand.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum UnaryOp {
    /// `!`
    Not,
    /// `-`
    Minus,
}

/// Operators with two operands that are both evaluated.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum BinaryOp {
    /// `+`: two integers or two strings, never mixed.
    Add,
    /// `-`
    Sub,
    /// `*`
    Mul,
    /// `%`
    Rem,
    /// `===`
    Equal,
    /// `!==`
    NotEqual,
    /// `<`
    Less,
    /// `<=`
    LessEqual,
    /// `>`
    Greater,
    /// `>=`
    GreaterEqual,
}

/// Operators that may skip their right side.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum LogicalOp {
    /// `&&`
    And,
    /// `||`
    Or,
    /// `??`
    Coalesce,
}
