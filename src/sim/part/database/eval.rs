//! Evaluates expressions over a row, with three-valued logic (docs: functions-logical).

use std::cell::Cell;
use std::cmp::Ordering;
use std::sync::Arc;

use super::TxId;
use super::failure::SqlFailure;
use super::functions::{call, seconds};
use super::json;
use super::query;
use super::table::Table;
use super::value::{Evaluated, Value, checked_int, compare, same_type, turns_after};
use crate::datum::Datum;
use crate::script::ast::Name;
use crate::script::sql::ast::{BinaryOp, Expr, ExprKind, Function};
use crate::script::sql::{SqlType, TableDef};

/// What an expression may look at besides its row.
pub(super) struct Context<'a> {
    /// All tables as they were when the statement began.
    pub(super) tables: &'a [Arc<Table>],
    pub(super) params: &'a [Datum],
    /// The transaction's start.
    pub(super) now_us: i64,
    /// The transaction's id, once it has one.
    pub(super) tx: Cell<Option<TxId>>,
    /// The id that the next transaction will get.
    pub(super) next_tx: Cell<u64>,
    /// The oldest id of an open or prepared transaction other than this one.
    pub(super) oldest_open: Option<TxId>,
    /// The latest moment at which a comparison with the clock turns over.
    pub(super) horizon_us: Cell<i64>,
    /// What the locking sub-query of this statement has chosen.
    pub(super) chosen: Option<&'a [Datum]>,
}

impl Context<'_> {
    /// The transaction's id, assigned now if there was none.
    pub(super) fn assign_tx(&self) -> TxId {
        self.tx.get().unwrap_or_else(|| {
            let id = TxId(self.next_tx.get());
            self.next_tx.set(id.0 + 1);
            self.tx.set(Some(id));
            id
        })
    }

    /// `pg_snapshot_xmin`: the oldest transaction that is still open, prepared ones included
    /// (docs: functions-info).
    pub(super) fn snapshot_xmin(&self) -> TxId {
        let next = TxId(self.next_tx.get());
        [self.oldest_open, self.tx.get()].into_iter().flatten().fold(next, Ord::min)
    }

    pub(super) fn compare(&self, op: BinaryOp, left: Value, right: Value) -> Evaluated {
        if left.is_null() || right.is_null() {
            return Ok(Value::Null);
        }
        let (left, right) = same_type(left, right)?;
        if let Some(after) = turns_after(&left, &right) {
            let at = self.now_us.saturating_add(after);
            self.horizon_us.set(self.horizon_us.get().max(at));
        }
        let equality = matches!(op, BinaryOp::Equal | BinaryOp::NotEqual);
        if matches!(left, Value::Json(_)) && !equality {
            return Err(SqlFailure::new("0A000", "jsonb can be compared with = and <> only"));
        }
        let Some(order) = compare(&left, &right) else { return Ok(Value::Null) };
        Ok(Value::Bool(match op {
            BinaryOp::Equal => order == Ordering::Equal,
            BinaryOp::NotEqual => order != Ordering::Equal,
            BinaryOp::Less => order == Ordering::Less,
            BinaryOp::LessEqual => order != Ordering::Greater,
            BinaryOp::Greater => order == Ordering::Greater,
            _ => order != Ordering::Less,
        }))
    }
}

/// The rows whose columns an expression can name, the nearest first.
#[derive(Clone, Copy)]
pub(super) struct Frame<'a> {
    pub(super) name: &'a str,
    pub(super) def: &'a TableDef,
    pub(super) values: &'a [Datum],
    /// Only a qualified name reaches this row.
    pub(super) qualified_only: bool,
    /// The rows that an aggregate folds; `values` is empty then.
    pub(super) group: Option<&'a [&'a [Datum]]>,
    pub(super) outer: Option<&'a Frame<'a>>,
}

fn column(mut frame: Option<&Frame<'_>>, table: Option<&Name>, name: &Name) -> Evaluated {
    while let Some(row) = frame {
        frame = row.outer;
        let named = match table {
            Some(table) => *table.text == *row.name,
            None => !row.qualified_only,
        };
        let found = row.def.position(&name.text).filter(|_| named);
        if let Some((at, def)) = found.zip(row.def.column(&name.text)) {
            return match row.values.get(at as usize) {
                Some(datum) => Ok(Value::stored(datum, def.ty)),
                None => Ok(Value::Null),
            };
        }
    }
    Err(SqlFailure::new("42703", format!("column \"{}\" does not exist", name.text)))
}

/// Evaluates an expression; `frame` is `None` where no row is at hand.
pub(super) fn eval(expr: &Expr, context: &Context<'_>, frame: Option<&Frame<'_>>) -> Evaluated {
    match &expr.kind {
        ExprKind::Null => Ok(Value::Null),
        ExprKind::Bool(value) => Ok(Value::Bool(*value)),
        ExprKind::Int(value) => Ok(Value::Int(*value)),
        ExprKind::Text(text) => Ok(Value::Unknown(Datum::Text(Arc::clone(text)))),
        ExprKind::Interval(us) => Ok(Value::Interval(*us, 0)),
        ExprKind::Param(number) => match param(context, *number)? {
            Datum::Array(_) => Err(SqlFailure::new("22P02", "an array can only stand in ANY(…)")),
            datum => Ok(Value::param(datum)),
        },
        ExprKind::Default => Err(SqlFailure::new("42601", "DEFAULT is not allowed here")),
        ExprKind::Column(table, name) => column(frame, table.as_ref(), name),
        ExprKind::Not(inner) => {
            let truth = eval(inner, context, frame)?.truth()?;
            Ok(truth.map_or(Value::Null, |truth| Value::Bool(!truth)))
        }
        ExprKind::Minus(inner) => minus(eval(inner, context, frame)?),
        ExprKind::Binary(op @ (BinaryOp::And | BinaryOp::Or), left, right) => {
            logical(*op == BinaryOp::Or, left, right, context, frame)
        }
        ExprKind::Binary(op, left, right) => {
            let (left, right) = (eval(left, context, frame)?, eval(right, context, frame)?);
            binary(*op, left, right, context)
        }
        ExprKind::IsNull(inner, negated) => {
            Ok(Value::Bool(eval(inner, context, frame)?.is_null() != *negated))
        }
        ExprKind::InList(inner, list, negated) => {
            let value = eval(inner, context, frame)?;
            let list = list.iter().map(|item| eval(item, context, frame));
            among(&value, list, *negated, context)
        }
        ExprKind::InSelect(inner, select, negated) => {
            let value = eval(inner, context, frame)?;
            let found = match context.chosen.filter(|_| select.lock.is_some()) {
                Some(chosen) => chosen.iter().map(given).collect(),
                None => query::first_column(select, context, frame)?,
            };
            among(&value, found.into_iter().map(Ok), *negated, context)
        }
        ExprKind::Exists(select) => {
            Ok(Value::Bool(!query::first_column(select, context, frame)?.is_empty()))
        }
        ExprKind::Any(inner, number, element) => {
            any(&eval(inner, context, frame)?, param(context, *number)?, *element, context)
        }
        ExprKind::Call(function, arguments) => call(*function, arguments, context, frame),
        ExprKind::Cast(inner, ty) => match &inner.kind {
            ExprKind::Call(Function::Extract, arguments) => {
                seconds(arguments.first(), context, frame)?.cast(*ty)
            }
            _ => eval(inner, context, frame)?.cast(*ty),
        },
        ExprKind::Case(branches, otherwise) => {
            for (condition, value) in branches {
                if eval(condition, context, frame)?.truth()? == Some(true) {
                    return eval(value, context, frame);
                }
            }
            otherwise.as_ref().map_or(Ok(Value::Null), |value| eval(value, context, frame))
        }
    }
}

/// Whether a condition holds; null counts as no.
pub(super) fn holds(
    condition: Option<&Expr>,
    context: &Context<'_>,
    frame: &Frame<'_>,
) -> Result<bool, SqlFailure> {
    let Some(condition) = condition else { return Ok(true) };
    Ok(eval(condition, context, Some(frame))?.truth()? == Some(true))
}

/// A value that another query of this statement has returned.
fn given(datum: &Datum) -> Value {
    match datum {
        Datum::Null => Value::Null,
        Datum::Bool(value) => Value::Bool(*value),
        Datum::Int(value) => Value::Int(*value),
        Datum::Text(text) => Value::Text(Arc::clone(text)),
        Datum::Time(us) => Value::Time(*us, 0),
        other => Value::Json(other.clone()),
    }
}

fn param<'a>(context: &Context<'a>, number: u32) -> Result<&'a Datum, SqlFailure> {
    let at = number.checked_sub(1).map(|at| at as usize);
    let found = at.and_then(|at| context.params.get(at));
    found.ok_or_else(|| SqlFailure::new("08P01", format!("there is no parameter ${number}")))
}

fn minus(value: Value) -> Evaluated {
    match value.decide(SqlType::BigInt)? {
        Value::Null => Ok(Value::Null),
        Value::Int(value) => checked_int(value.checked_neg()),
        Value::Interval(us, growth) => Ok(Value::Interval(us.saturating_neg(), -growth)),
        other => Err(no_operator("-", &other, &other)),
    }
}

/// `AND` and `OR`: the deciding value wins over null.
fn logical(
    deciding: bool,
    left: &Expr,
    right: &Expr,
    context: &Context<'_>,
    frame: Option<&Frame<'_>>,
) -> Evaluated {
    let left = eval(left, context, frame)?.truth()?;
    if left == Some(deciding) {
        return Ok(Value::Bool(deciding));
    }
    let right = eval(right, context, frame)?.truth()?;
    Ok(match (left, right) {
        (_, Some(right)) if right == deciding => Value::Bool(deciding),
        (Some(_), Some(_)) => Value::Bool(!deciding),
        _ => Value::Null,
    })
}

/// `IN`: true if equal to one; else null if a null was met; else false.
fn among(
    value: &Value,
    list: impl Iterator<Item = Evaluated>,
    negated: bool,
    context: &Context<'_>,
) -> Evaluated {
    let mut unknown = false;
    for item in list {
        match context.compare(BinaryOp::Equal, value.clone(), item?)? {
            Value::Bool(true) => return Ok(Value::Bool(!negated)),
            Value::Null => unknown = true,
            _ => {}
        }
    }
    Ok(if unknown { Value::Null } else { Value::Bool(negated) })
}

fn any(value: &Value, list: &Datum, element: Option<SqlType>, context: &Context<'_>) -> Evaluated {
    let items = match list {
        Datum::Null => return Ok(Value::Null),
        Datum::Array(items) => items,
        _ => return Err(SqlFailure::new("22P02", "ANY(…) takes an array")),
    };
    let typed = items.iter().map(|item| match element {
        Some(ty) => Value::param(item).decide(ty),
        None => Ok(Value::param(item)),
    });
    among(value, typed, false, context)
}

fn no_operator(sign: &str, left: &Value, right: &Value) -> SqlFailure {
    let (left, right) = (left.type_name(), right.type_name());
    SqlFailure::new("42883", format!("no operator {sign} for {left} and {right}"))
}

fn binary(op: BinaryOp, left: Value, right: Value, context: &Context<'_>) -> Evaluated {
    match op {
        BinaryOp::Equal
        | BinaryOp::NotEqual
        | BinaryOp::Less
        | BinaryOp::LessEqual
        | BinaryOp::Greater
        | BinaryOp::GreaterEqual => context.compare(op, left, right),
        _ if left.is_null() || right.is_null() => Ok(Value::Null),
        BinaryOp::Concat => concat(left, right),
        BinaryOp::Get | BinaryOp::GetText => get(op, &left, &right),
        _ => arithmetic(op, left, right),
    }
}

fn concat(left: Value, right: Value) -> Evaluated {
    if matches!((&left, &right), (Value::Json(_), _) | (_, Value::Json(_))) {
        return Err(SqlFailure::new("0A000", "|| joins texts only"));
    }
    match (left.assign(SqlType::Text)?, right.assign(SqlType::Text)?) {
        (Value::Text(a), Value::Text(b)) => Ok(Value::Text(format!("{a}{b}").into())),
        (a, b) => Err(no_operator("||", &a, &b)),
    }
}

/// `->` and `->>`: what is not there is null, and so is JSON's null as text (docs: functions-json).
fn get(op: BinaryOp, left: &Value, right: &Value) -> Evaluated {
    let (Value::Json(json), key) = (left, right) else {
        return Err(no_operator(op.sign(), left, right));
    };
    let found = match (json, key) {
        (Datum::Array(items), Value::Int(at)) => {
            let from_end = at.checked_add(i64::try_from(items.len()).unwrap_or(0));
            let at = if *at < 0 { from_end } else { Some(*at) };
            at.and_then(|at| usize::try_from(at).ok()).and_then(|at| items.get(at))
        }
        (_, Value::Int(_)) => None,
        (_, Value::Unknown(_) | Value::Text(_)) => match key.clone().decide(SqlType::Text)? {
            Value::Text(key) => json.field(&key),
            _ => None,
        },
        _ => return Err(no_operator(op.sign(), left, right)),
    };
    Ok(match found {
        Some(found) if op == BinaryOp::Get => Value::Json(found.clone()),
        None | Some(Datum::Null) => Value::Null,
        Some(Datum::Text(text)) => Value::Text(Arc::clone(text)),
        Some(found) => Value::Text(json::to_text(found, true).into()),
    })
}

pub(super) fn arithmetic(op: BinaryOp, left: Value, right: Value) -> Evaluated {
    // An undecided operand takes the other's type; beside a time it is an interval.
    let (left, right) = match (left.ty(), right.ty()) {
        (Some(SqlType::Timestamptz), None) if op == BinaryOp::Add => {
            (left, right.decide(SqlType::Interval)?)
        }
        (Some(ty), None) => (left, right.decide(ty)?),
        (None, Some(ty)) => (left.decide(ty)?, right),
        (None, None) => {
            let message = format!("the types of {} are not clear: add a cast", op.sign());
            return Err(SqlFailure::new("42725", message));
        }
        (Some(_), Some(_)) => (left, right),
    };
    let out_of_range = || SqlFailure::new("22008", "timestamp out of range");
    match (op, &left, &right) {
        (BinaryOp::Add, Value::Int(a), Value::Int(b)) => checked_int(a.checked_add(*b)),
        (BinaryOp::Sub, Value::Int(a), Value::Int(b)) => checked_int(a.checked_sub(*b)),
        (BinaryOp::Mul, Value::Int(a), Value::Int(b)) => checked_int(a.checked_mul(*b)),
        (BinaryOp::Rem, Value::Int(_), Value::Int(0)) => {
            Err(SqlFailure::new("22012", "division by zero"))
        }
        (BinaryOp::Rem, Value::Int(a), Value::Int(b)) => checked_int(a.checked_rem(*b)),
        (BinaryOp::Mul, Value::Interval(us, growth), Value::Int(n))
        | (BinaryOp::Mul, Value::Int(n), Value::Interval(us, growth)) => {
            let us = us.checked_mul(*n).ok_or_else(out_of_range)?;
            Ok(Value::Interval(us, growth.saturating_mul(*n)))
        }
        (BinaryOp::Add, Value::Time(a, p), Value::Interval(b, q))
        | (BinaryOp::Add, Value::Interval(b, q), Value::Time(a, p)) => {
            Ok(Value::Time(a.checked_add(*b).ok_or_else(out_of_range)?, p.saturating_add(*q)))
        }
        (BinaryOp::Sub, Value::Time(a, p), Value::Interval(b, q)) => {
            Ok(Value::Time(a.checked_sub(*b).ok_or_else(out_of_range)?, p.saturating_sub(*q)))
        }
        (BinaryOp::Sub, Value::Time(a, p), Value::Time(b, q))
        | (BinaryOp::Sub, Value::Interval(a, p), Value::Interval(b, q)) => {
            Ok(Value::Interval(a.checked_sub(*b).ok_or_else(out_of_range)?, p.saturating_sub(*q)))
        }
        (BinaryOp::Add, Value::Interval(a, p), Value::Interval(b, q)) => {
            Ok(Value::Interval(a.checked_add(*b).ok_or_else(out_of_range)?, p.saturating_add(*q)))
        }
        _ => Err(no_operator(op.sign(), &left, &right)),
    }
}
