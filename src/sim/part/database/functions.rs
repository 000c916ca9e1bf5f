//! Functions and aggregates (docs: functions-conditional, functions-datetime, functions-aggregate).

use std::cmp::Ordering;

use super::eval::{Context, Frame, arithmetic, eval};
use super::failure::SqlFailure;
use super::hash;
use super::value::{Evaluated, Value, checked_int, compare};
use crate::datum::EPOCH_MS;
use crate::script::sql::SqlType;
use crate::script::sql::ast::{BinaryOp, Expr, Function};

pub(super) fn call(
    function: Function,
    arguments: &[Expr],
    context: &Context<'_>,
    frame: Option<&Frame<'_>>,
) -> Evaluated {
    match function {
        Function::Now => Ok(Value::Time(context.now_us, 1)),
        Function::CurrentXactId => checked_int(i64::try_from(context.assign_tx().0).ok()),
        Function::SnapshotXmin => checked_int(i64::try_from(context.snapshot_xmin().0).ok()),
        Function::Abs | Function::Hashtext => {
            let argument = arguments.first().map(|argument| eval(argument, context, frame));
            scalar(function, argument.unwrap_or(Ok(Value::Null))?)
        }
        Function::Coalesce => coalesce(arguments, context, frame),
        Function::Greatest => extreme(BinaryOp::Greater, arguments, context, frame),
        Function::Least => extreme(BinaryOp::Less, arguments, context, frame),
        Function::Extract => Err(SqlFailure::new("0A000", "extract needs a cast to an integer")),
        Function::Count | Function::Min | Function::Max | Function::Sum => {
            aggregate(function, arguments.first(), context, frame)
        }
    }
}

/// Functions of one value; of null they are null.
fn scalar(function: Function, value: Value) -> Evaluated {
    let ty = if function == Function::Abs { SqlType::BigInt } else { SqlType::Text };
    match value.decide(ty)? {
        Value::Null => Ok(Value::Null),
        Value::Int(value) if function == Function::Abs => checked_int(value.checked_abs()),
        Value::Text(text) if function == Function::Hashtext => {
            Ok(Value::Int(i64::from(hash::hashtext(&text))))
        }
        other => {
            let (name, ty) = (function.name(), other.type_name());
            Err(SqlFailure::new("42883", format!("{name} does not take {ty}")))
        }
    }
}

/// Folds the rows of the group; nulls do not count (docs: functions-aggregate).
fn aggregate(
    function: Function,
    argument: Option<&Expr>,
    context: &Context<'_>,
    frame: Option<&Frame<'_>>,
) -> Evaluated {
    let Some((frame, rows)) = frame.and_then(|frame| Some((frame, frame.group?))) else {
        return Err(SqlFailure::new("42803", format!("{} is not allowed here", function.name())));
    };
    let Some(argument) = argument else {
        return checked_int(i64::try_from(rows.len()).ok());
    };
    let mut folded = if function == Function::Count { Value::Int(0) } else { Value::Null };
    for values in rows {
        let row = Frame { values, group: None, ..*frame };
        let value = eval(argument, context, Some(&row))?;
        if !value.is_null() {
            folded = fold(function, folded, value)?;
        }
    }
    Ok(folded)
}

fn fold(function: Function, folded: Value, value: Value) -> Evaluated {
    if function == Function::Count {
        return arithmetic(BinaryOp::Add, folded, Value::Int(1));
    }
    if folded.is_null() {
        return Ok(value);
    }
    if function == Function::Sum {
        return arithmetic(BinaryOp::Add, folded, value);
    }
    let wanted = if function == Function::Min { Ordering::Less } else { Ordering::Greater };
    Ok(if compare(&value, &folded) == Some(wanted) { value } else { folded })
}

/// `extract(epoch FROM x)::int`: rounded to whole seconds, halves away from zero, as PostgreSQL
/// casts numeric to integer.
pub(super) fn seconds(
    argument: Option<&Expr>,
    context: &Context<'_>,
    frame: Option<&Frame<'_>>,
) -> Evaluated {
    let us = match argument.map(|argument| eval(argument, context, frame)) {
        Some(Ok(Value::Interval(us, _))) => us,
        Some(Ok(Value::Time(us, _))) => us.saturating_add(EPOCH_MS * 1_000),
        Some(Ok(Value::Null)) | None => return Ok(Value::Null),
        Some(Ok(_)) => return Err(SqlFailure::new("42883", "extract takes an interval or a time")),
        Some(Err(failure)) => return Err(failure),
    };
    let whole = i64::try_from((us.unsigned_abs() + 500_000) / 1_000_000).unwrap_or(i64::MAX);
    Ok(Value::Int(whole * us.signum()))
}

/// `greatest` and `least`: nulls do not count (docs: functions-conditional).
fn extreme(
    wanted: BinaryOp,
    arguments: &[Expr],
    context: &Context<'_>,
    frame: Option<&Frame<'_>>,
) -> Evaluated {
    let values = arguments.iter().map(|argument| eval(argument, context, frame));
    let values = values.collect::<Result<Vec<Value>, SqlFailure>>()?;
    let ty = values.iter().find_map(Value::ty).unwrap_or(SqlType::Text);
    let mut best = Value::Null;
    for value in values {
        let value = value.decide(ty)?;
        let better = context.compare(wanted, value.clone(), best.clone())?;
        if best.is_null() || better == Value::Bool(true) {
            best = value;
        }
    }
    Ok(best)
}

/// The first argument that is not null, in the type of the first one whose type is decided.
fn coalesce(arguments: &[Expr], context: &Context<'_>, frame: Option<&Frame<'_>>) -> Evaluated {
    let mut undecided = None;
    for argument in arguments {
        let value = eval(argument, context, frame)?;
        match (&undecided, value) {
            (_, Value::Null) => {}
            (None, value @ Value::Unknown(_)) => undecided = Some(value),
            (None, value) => return Ok(value),
            (Some(_), value) => {
                if let (Some(ty), Some(first)) = (value.ty(), undecided.take()) {
                    return first.decide(ty);
                }
            }
        }
    }
    Ok(undecided.unwrap_or(Value::Null))
}
