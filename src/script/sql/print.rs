//! Writes a statement in one line, fully parenthesised where precedence could matter, so that
//! reading it again gives the same tree.

use std::fmt::{self, Display, Formatter, Write};

use super::ast::{
    ConflictAction, Delete, Expr, ExprKind, Function, Insert, Item, Lock, Select, Source,
    Statement, Update,
};
use crate::script::ast::Name;

impl Display for Statement {
    fn fmt(&self, out: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Self::Select(select) => write_select(out, select),
            Self::Insert(insert) => write_insert(out, insert),
            Self::Update(update) => write_update(out, update),
            Self::Delete(delete) => write_delete(out, delete),
        }
    }
}

/// Writes a list with commas.
fn list<T>(
    out: &mut Formatter<'_>,
    items: &[T],
    write: impl Fn(&mut Formatter<'_>, &T) -> fmt::Result,
) -> fmt::Result {
    for (at, item) in items.iter().enumerate() {
        if at > 0 {
            out.write_str(", ")?;
        }
        write(out, item)?;
    }
    Ok(())
}

/// Names are quoted always: no list of keywords is needed, and case is kept.
fn write_name(out: &mut Formatter<'_>, name: &Name) -> fmt::Result {
    write!(out, "\"{}\"", name.text.replace('"', "\"\""))
}

fn write_source(out: &mut Formatter<'_>, source: &Source) -> fmt::Result {
    write_name(out, &source.table)?;
    if let Some(alias) = &source.alias {
        out.write_str(" AS ")?;
        write_name(out, alias)?;
    }
    Ok(())
}

fn write_item(out: &mut Formatter<'_>, item: &Item) -> fmt::Result {
    match item {
        Item::All(_) => out.write_char('*'),
        Item::Value(value, alias) => {
            write_expr(out, value)?;
            if let Some(alias) = alias {
                out.write_str(" AS ")?;
                write_name(out, alias)?;
            }
            Ok(())
        }
    }
}

fn write_filter(out: &mut Formatter<'_>, filter: Option<&Expr>) -> fmt::Result {
    if let Some(filter) = filter {
        out.write_str(" WHERE ")?;
        write_expr(out, filter)?;
    }
    Ok(())
}

fn write_returning(out: &mut Formatter<'_>, items: &[Item]) -> fmt::Result {
    if !items.is_empty() {
        out.write_str(" RETURNING ")?;
    }
    list(out, items, write_item)
}

fn write_set(out: &mut Formatter<'_>, set: &[(Name, Expr)]) -> fmt::Result {
    out.write_str(" SET ")?;
    list(out, set, |out, (name, value)| {
        write_name(out, name)?;
        out.write_str(" = ")?;
        write_expr(out, value)
    })
}

fn write_select(out: &mut Formatter<'_>, select: &Select) -> fmt::Result {
    out.write_str("SELECT ")?;
    list(out, &select.items, write_item)?;
    if let Some(source) = &select.from {
        out.write_str(" FROM ")?;
        write_source(out, source)?;
    }
    write_filter(out, select.filter.as_ref())?;
    if !select.order.is_empty() {
        out.write_str(" ORDER BY ")?;
    }
    list(out, &select.order, |out, order| {
        write_expr(out, &order.value)?;
        out.write_str(if order.descending { " DESC" } else { "" })
    })?;
    if let Some(limit) = &select.limit {
        out.write_str(" LIMIT ")?;
        write_expr(out, limit)?;
    }
    out.write_str(match select.lock {
        None => "",
        Some(Lock::Wait) => " FOR UPDATE",
        Some(Lock::SkipLocked) => " FOR UPDATE SKIP LOCKED",
        Some(Lock::NoWait) => " FOR UPDATE NOWAIT",
    })
}

fn write_insert(out: &mut Formatter<'_>, insert: &Insert) -> fmt::Result {
    out.write_str("INSERT INTO ")?;
    write_name(out, &insert.table)?;
    out.write_str(" (")?;
    list(out, &insert.columns, write_name)?;
    out.write_str(") ")?;
    match &insert.query {
        Some(query) => write_select(out, query)?,
        None => out.write_str("VALUES ")?,
    }
    list(out, &insert.rows, |out, row| {
        out.write_char('(')?;
        list(out, row, write_expr)?;
        out.write_char(')')
    })?;
    if let Some(conflict) = &insert.conflict {
        out.write_str(" ON CONFLICT ")?;
        if !conflict.target.is_empty() {
            out.write_char('(')?;
            list(out, &conflict.target, write_name)?;
            out.write_str(") ")?;
        }
        match &conflict.action {
            ConflictAction::Nothing => out.write_str("DO NOTHING")?,
            ConflictAction::Update { set, filter } => {
                out.write_str("DO UPDATE")?;
                write_set(out, set)?;
                write_filter(out, filter.as_ref())?;
            }
        }
    }
    write_returning(out, &insert.returning)
}

fn write_update(out: &mut Formatter<'_>, update: &Update) -> fmt::Result {
    out.write_str("UPDATE ")?;
    write_source(out, &update.source)?;
    write_set(out, &update.set)?;
    write_filter(out, update.filter.as_ref())?;
    write_returning(out, &update.returning)
}

fn write_delete(out: &mut Formatter<'_>, delete: &Delete) -> fmt::Result {
    out.write_str("DELETE FROM ")?;
    write_source(out, &delete.source)?;
    write_filter(out, delete.filter.as_ref())?;
    write_returning(out, &delete.returning)
}

fn write_expr(out: &mut Formatter<'_>, expr: &Expr) -> fmt::Result {
    match &expr.kind {
        ExprKind::Null => out.write_str("NULL"),
        ExprKind::Bool(value) => out.write_str(if *value { "TRUE" } else { "FALSE" }),
        ExprKind::Int(value) => write!(out, "{value}"),
        ExprKind::Text(text) => write!(out, "'{}'", text.replace('\'', "''")),
        ExprKind::Interval(us) => write!(out, "interval '{us} microseconds'"),
        ExprKind::Param(number) => write!(out, "${number}"),
        ExprKind::Default => out.write_str("DEFAULT"),
        ExprKind::Column(table, name) => {
            if let Some(table) = table {
                write_name(out, table)?;
                out.write_char('.')?;
            }
            write_name(out, name)
        }
        ExprKind::Call(function, arguments) => write_call(out, *function, arguments),
        ExprKind::Case(branches, otherwise) => write_case(out, branches, otherwise.as_deref()),
        ExprKind::Exists(select) => {
            out.write_str("EXISTS (")?;
            write_select(out, select)?;
            out.write_char(')')
        }
        _ => {
            out.write_char('(')?;
            write_operation(out, expr)?;
            out.write_char(')')
        }
    }
}

/// What needs parentheses around it.
fn write_operation(out: &mut Formatter<'_>, expr: &Expr) -> fmt::Result {
    let not = |negated: bool| if negated { "NOT " } else { "" };
    match &expr.kind {
        ExprKind::Not(inner) => {
            out.write_str("NOT ")?;
            write_expr(out, inner)
        }
        ExprKind::Minus(inner) => {
            // The space keeps two signs from becoming a comment.
            out.write_str("- ")?;
            write_expr(out, inner)
        }
        ExprKind::Binary(op, left, right) => {
            write_expr(out, left)?;
            write!(out, " {} ", op.sign())?;
            write_expr(out, right)
        }
        ExprKind::IsNull(inner, negated) => {
            write_expr(out, inner)?;
            write!(out, " IS {}NULL", not(*negated))
        }
        ExprKind::InList(inner, items, negated) => {
            write_expr(out, inner)?;
            write!(out, " {}IN (", not(*negated))?;
            list(out, items, write_expr)?;
            out.write_char(')')
        }
        ExprKind::InSelect(inner, select, negated) => {
            write_expr(out, inner)?;
            write!(out, " {}IN (", not(*negated))?;
            write_select(out, select)?;
            out.write_char(')')
        }
        ExprKind::Any(inner, number, element) => {
            write_expr(out, inner)?;
            write!(out, " = ANY(${number}")?;
            if let Some(ty) = element {
                write!(out, "::{}[]", ty.name())?;
            }
            out.write_char(')')
        }
        ExprKind::Cast(inner, ty) => {
            write_expr(out, inner)?;
            write!(out, "::{}", ty.name())
        }
        _ => write_expr(out, expr),
    }
}

fn write_case(
    out: &mut Formatter<'_>,
    branches: &[(Expr, Expr)],
    otherwise: Option<&Expr>,
) -> fmt::Result {
    out.write_str("CASE")?;
    for (condition, value) in branches {
        out.write_str(" WHEN ")?;
        write_expr(out, condition)?;
        out.write_str(" THEN ")?;
        write_expr(out, value)?;
    }
    if let Some(value) = otherwise {
        out.write_str(" ELSE ")?;
        write_expr(out, value)?;
    }
    out.write_str(" END")
}

fn write_call(out: &mut Formatter<'_>, function: Function, arguments: &[Expr]) -> fmt::Result {
    write!(out, "{}(", function.name())?;
    match function {
        Function::Extract => {
            out.write_str("epoch FROM ")?;
            list(out, arguments, write_expr)?;
        }
        Function::SnapshotXmin => out.write_str("pg_current_snapshot()")?,
        Function::Count if arguments.is_empty() => out.write_char('*')?,
        _ => list(out, arguments, write_expr)?,
    }
    out.write_char(')')
}
