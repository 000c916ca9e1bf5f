//! The syntax tree of the SQL subset. Plain data: cloned into requests, hashed with the state.

use std::sync::Arc;

use super::schema::SqlType;
use crate::script::ast::Name;
use crate::text::Span;

/// One statement that a program can send.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Statement {
    /// `SELECT`.
    Select(Select),
    /// `INSERT`.
    Insert(Insert),
    /// `UPDATE`.
    Update(Update),
    /// `DELETE`.
    Delete(Delete),
}

/// `SELECT items FROM source WHERE filter ORDER BY order LIMIT limit FOR UPDATE …`.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Select {
    /// What is returned.
    pub items: Vec<Item>,
    /// The one table it reads; `SELECT now()` has none.
    pub from: Option<Source>,
    /// `WHERE`.
    pub filter: Option<Expr>,
    /// `ORDER BY`.
    pub order: Vec<Order>,
    /// `LIMIT`.
    pub limit: Option<Expr>,
    /// `FOR UPDATE`.
    pub lock: Option<Lock>,
    /// The whole statement.
    pub span: Span,
}

/// One entry of a select or returning list.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Item {
    /// `*`.
    All(Span),
    /// `value AS alias`.
    Value(Expr, Option<Name>),
}

/// A table, perhaps under another name.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Source {
    /// The table's name.
    pub table: Name,
    /// The name it goes by in this statement.
    pub alias: Option<Name>,
}

impl Source {
    /// The name that qualifies its columns.
    pub fn called(&self) -> &Arc<str> {
        self.alias.as_ref().map_or(&self.table.text, |alias| &alias.text)
    }
}

/// One key of `ORDER BY`. Nulls come last, or first when descending.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Order {
    /// What is compared.
    pub value: Expr,
    /// `DESC`.
    pub descending: bool,
}

/// What `FOR UPDATE` does about a row that another transaction has locked.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Lock {
    /// Waits for that transaction's end.
    Wait,
    /// `SKIP LOCKED`: passes over it.
    SkipLocked,
    /// `NOWAIT`: fails.
    NoWait,
}

/// `INSERT INTO table (columns) VALUES rows ON CONFLICT … RETURNING …`, or with a query in the
/// place of `VALUES`.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Insert {
    /// The table.
    pub table: Name,
    /// The columns given; never empty.
    pub columns: Vec<Name>,
    /// The rows; empty if and only if there is a query.
    pub rows: Vec<Vec<Expr>>,
    /// The query whose rows are inserted.
    pub query: Option<Box<Select>>,
    /// `ON CONFLICT`.
    pub conflict: Option<Conflict>,
    /// `RETURNING`; empty if absent.
    pub returning: Vec<Item>,
    /// The whole statement.
    pub span: Span,
}

/// `ON CONFLICT (target) action`.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Conflict {
    /// The columns of the unique key meant; empty means any key.
    pub target: Vec<Name>,
    /// What happens instead of the insert.
    pub action: ConflictAction,
}

/// What `ON CONFLICT` does.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum ConflictAction {
    /// `DO NOTHING`.
    Nothing,
    /// `DO UPDATE SET set WHERE filter`; `excluded` names the row that was to be inserted.
    Update {
        /// The new values.
        set: Vec<(Name, Expr)>,
        /// Updates only if true.
        filter: Option<Expr>,
    },
}

/// `UPDATE source SET set WHERE filter RETURNING …`.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Update {
    /// The table.
    pub source: Source,
    /// The new values.
    pub set: Vec<(Name, Expr)>,
    /// `WHERE`.
    pub filter: Option<Expr>,
    /// `RETURNING`; empty if absent.
    pub returning: Vec<Item>,
    /// The whole statement.
    pub span: Span,
}

/// `DELETE FROM source WHERE filter RETURNING …`.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Delete {
    /// The table.
    pub source: Source,
    /// `WHERE`.
    pub filter: Option<Expr>,
    /// `RETURNING`; empty if absent.
    pub returning: Vec<Item>,
    /// The whole statement.
    pub span: Span,
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
    /// `NULL`.
    Null,
    /// `TRUE`, `FALSE`.
    Bool(bool),
    /// A whole number, not negative.
    Int(i64),
    /// `'text'`; its type is decided by where it stands.
    Text(Arc<str>),
    /// `interval '5 seconds'`, in microseconds.
    Interval(i64),
    /// `$n`, counted from 1.
    Param(u32),
    /// `DEFAULT`, in `VALUES` only.
    Default,
    /// `column` or `table.column`.
    Column(Option<Name>, Name),
    /// `NOT a`.
    Not(Box<Expr>),
    /// `-a`.
    Minus(Box<Expr>),
    /// `a op b`.
    Binary(BinaryOp, Box<Expr>, Box<Expr>),
    /// `a IS NULL`, or `a IS NOT NULL` if the flag is set.
    IsNull(Box<Expr>, bool),
    /// `a IN (list)`, or `a NOT IN (list)` if the flag is set.
    InList(Box<Expr>, Vec<Expr>, bool),
    /// `a IN (SELECT …)`, or `a NOT IN (SELECT …)` if the flag is set.
    InSelect(Box<Expr>, Box<Select>, bool),
    /// `EXISTS (SELECT …)`.
    Exists(Box<Select>),
    /// `a = ANY($n)` or `a = ANY($n::type[])`.
    Any(Box<Expr>, u32, Option<SqlType>),
    /// `function(arguments)`.
    Call(Function, Vec<Expr>),
    /// `a::type`.
    Cast(Box<Expr>, SqlType),
    /// `CASE WHEN condition THEN value … ELSE value END`; there is at least one condition.
    Case(Vec<(Expr, Expr)>, Option<Box<Expr>>),
}

/// Operators with two operands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum BinaryOp {
    /// `OR`
    Or,
    /// `AND`
    And,
    /// `=`
    Equal,
    /// `<>`
    NotEqual,
    /// `<`
    Less,
    /// `<=`
    LessEqual,
    /// `>`
    Greater,
    /// `>=`
    GreaterEqual,
    /// `||` of texts
    Concat,
    /// `->` of jsonb
    Get,
    /// `->>` of jsonb
    GetText,
    /// `+`
    Add,
    /// `-`
    Sub,
    /// `*`
    Mul,
    /// `%`
    Rem,
}

impl BinaryOp {
    /// How PostgreSQL writes it.
    pub fn sign(self) -> &'static str {
        match self {
            Self::Or => "OR",
            Self::And => "AND",
            Self::Equal => "=",
            Self::NotEqual => "<>",
            Self::Less => "<",
            Self::LessEqual => "<=",
            Self::Greater => ">",
            Self::GreaterEqual => ">=",
            Self::Concat => "||",
            Self::Get => "->",
            Self::GetText => "->>",
            Self::Add => "+",
            Self::Sub => "-",
            Self::Mul => "*",
            Self::Rem => "%",
        }
    }
}

/// The functions there are.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Function {
    /// `count(*)` without arguments, `count(x)` with one.
    Count,
    /// `min(x)`
    Min,
    /// `max(x)`
    Max,
    /// `sum(x)`
    Sum,
    /// `coalesce(a, b, …)`
    Coalesce,
    /// `greatest(a, b, …)`: nulls do not count.
    Greatest,
    /// `least(a, b, …)`: nulls do not count.
    Least,
    /// `extract(epoch FROM x)`: seconds, which only a cast makes a whole number.
    Extract,
    /// `abs(n)`
    Abs,
    /// `hashtext(text)`: a 32-bit hash, for sharing rows among relays.
    Hashtext,
    /// `now()`: the transaction's start.
    Now,
    /// `pg_current_xact_id()`: assigns an id if there is none yet.
    CurrentXactId,
    /// `pg_snapshot_xmin(pg_current_snapshot())`, read as one function without arguments.
    SnapshotXmin,
}

impl Function {
    /// All of them.
    pub const ALL: [Self; 13] = [
        Self::Count,
        Self::Min,
        Self::Max,
        Self::Sum,
        Self::Coalesce,
        Self::Greatest,
        Self::Least,
        Self::Extract,
        Self::Abs,
        Self::Hashtext,
        Self::Now,
        Self::CurrentXactId,
        Self::SnapshotXmin,
    ];

    /// Its name, which also names its column in a result.
    pub fn name(self) -> &'static str {
        match self {
            Self::Count => "count",
            Self::Min => "min",
            Self::Max => "max",
            Self::Sum => "sum",
            Self::Coalesce => "coalesce",
            Self::Greatest => "greatest",
            Self::Least => "least",
            Self::Extract => "extract",
            Self::Abs => "abs",
            Self::Hashtext => "hashtext",
            Self::Now => "now",
            Self::CurrentXactId => "pg_current_xact_id",
            Self::SnapshotXmin => "pg_snapshot_xmin",
        }
    }

    /// Whether it folds many rows into one value.
    pub fn is_aggregate(self) -> bool {
        matches!(self, Self::Count | Self::Min | Self::Max | Self::Sum)
    }
}

impl Statement {
    /// Verb and table, for logs: `("INSERT", "outbox")`. The table is empty if there is none.
    pub fn describe(&self) -> (&'static str, &str) {
        match self {
            Self::Select(select) => {
                ("SELECT", select.from.as_ref().map_or("", |from| &from.table.text))
            }
            Self::Insert(insert) => ("INSERT", &insert.table.text),
            Self::Update(update) => ("UPDATE", &update.source.table.text),
            Self::Delete(delete) => ("DELETE", &delete.source.table.text),
        }
    }

    /// The whole statement's place.
    pub fn span(&self) -> Span {
        match self {
            Self::Select(select) => select.span,
            Self::Insert(insert) => insert.span,
            Self::Update(update) => update.span,
            Self::Delete(delete) => delete.span,
        }
    }
}

impl Expr {
    /// The expressions directly inside this one; sub-queries are not entered.
    pub fn children(&self) -> Vec<&Self> {
        match &self.kind {
            ExprKind::Not(inner)
            | ExprKind::Minus(inner)
            | ExprKind::IsNull(inner, _)
            | ExprKind::InSelect(inner, ..)
            | ExprKind::Any(inner, ..)
            | ExprKind::Cast(inner, _) => vec![inner],
            ExprKind::Binary(_, left, right) => vec![left, right],
            ExprKind::InList(inner, list, _) => std::iter::once(&**inner).chain(list).collect(),
            ExprKind::Call(_, arguments) => arguments.iter().collect(),
            ExprKind::Case(branches, otherwise) => {
                let branches = branches.iter().flat_map(|(condition, value)| [condition, value]);
                branches.chain(otherwise.as_deref()).collect()
            }
            _ => Vec::new(),
        }
    }

    /// Visits this expression and those inside it, outermost first; sub-queries are not entered.
    pub fn visit<'a>(&'a self, see: &mut dyn FnMut(&'a Self)) {
        see(self);
        self.children().into_iter().for_each(|inner| inner.visit(see));
    }

    /// The `IN (SELECT … FOR UPDATE …)` among the conditions that `AND` joins at the top.
    pub fn top_locking_subquery(&self) -> Option<&Select> {
        match &self.kind {
            ExprKind::Binary(BinaryOp::And, left, right) => {
                left.top_locking_subquery().or_else(|| right.top_locking_subquery())
            }
            ExprKind::InSelect(_, select, false) if select.lock.is_some() => Some(select),
            _ => None,
        }
    }

    /// Whether there is an aggregate in it, sub-queries aside.
    pub fn has_aggregate(&self) -> bool {
        self.first_aggregate().is_some()
    }

    /// The first aggregate in it, sub-queries aside.
    pub fn first_aggregate(&self) -> Option<Function> {
        let mut found = None;
        self.visit(&mut |expr| {
            if let ExprKind::Call(function, _) = &expr.kind
                && function.is_aggregate()
            {
                found = found.or(Some(*function));
            }
        });
        found
    }

    /// The sub-queries directly in it.
    pub fn subqueries(&self) -> Vec<&Select> {
        let mut found = Vec::new();
        self.visit(&mut |expr| {
            if let ExprKind::InSelect(_, select, _) | ExprKind::Exists(select) = &expr.kind {
                found.push(&**select);
            }
        });
        found
    }

    /// The name PostgreSQL gives to a result column that has no alias.
    pub fn column_name(&self) -> Arc<str> {
        let weak = || match &self.kind {
            ExprKind::Cast(_, ty) => ty.internal_name(),
            ExprKind::Interval(_) => "interval",
            ExprKind::Case(..) => "case",
            _ => "?column?",
        };
        self.own_name().unwrap_or_else(|| weak().into())
    }

    /// A name that also wins through a cast or a `CASE` around it.
    fn own_name(&self) -> Option<Arc<str>> {
        match &self.kind {
            ExprKind::Column(_, name) => Some(Arc::clone(&name.text)),
            ExprKind::Call(function, _) => Some(function.name().into()),
            ExprKind::Cast(inner, _) => inner.own_name(),
            ExprKind::Case(_, otherwise) => otherwise.as_ref()?.own_name(),
            ExprKind::Exists(_) => Some("exists".into()),
            _ => None,
        }
    }
}

impl Statement {
    /// The expressions that stand directly in this statement, sub-queries aside.
    pub fn expressions(&self) -> Vec<&Expr> {
        let mut found: Vec<&Expr> = Vec::new();
        match self {
            Self::Select(select) => found.extend(select.expressions()),
            Self::Insert(insert) => {
                found.extend(insert.rows.iter().flatten());
                if let Some(ConflictAction::Update { set, filter }) =
                    insert.conflict.as_ref().map(|conflict| &conflict.action)
                {
                    found.extend(set.iter().map(|(_, value)| value).chain(filter));
                }
                found.extend(values_of(&insert.returning));
            }
            Self::Update(update) => {
                found.extend(update.set.iter().map(|(_, value)| value).chain(&update.filter));
                found.extend(values_of(&update.returning));
            }
            Self::Delete(delete) => {
                found.extend(&delete.filter);
                found.extend(values_of(&delete.returning));
            }
        }
        found
    }

    /// The sub-queries directly in this statement, among them the query of an INSERT.
    pub fn subqueries(&self) -> Vec<&Select> {
        let query = match self {
            Self::Insert(insert) => insert.query.as_deref(),
            _ => None,
        };
        self.expressions().into_iter().flat_map(Expr::subqueries).chain(query).collect()
    }
}

impl Select {
    /// The expressions that stand directly in this query, sub-queries aside.
    pub fn expressions(&self) -> Vec<&Expr> {
        let order = self.order.iter().map(|order| &order.value);
        values_of(&self.items).chain(&self.filter).chain(order).chain(&self.limit).collect()
    }
}

fn values_of(items: &[Item]) -> impl Iterator<Item = &Expr> {
    items.iter().filter_map(|item| match item {
        Item::Value(value, _) => Some(value),
        Item::All(_) => None,
    })
}
