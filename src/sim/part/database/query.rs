//! Reads: which rows of a table match, in which order, and what of them is returned.

use crate::collections::sort_by;
use std::cmp::Ordering;
use std::sync::Arc;

use super::eval::{Context, Frame, eval, holds};
use super::failure::SqlFailure;
use super::table::{Table, Version};
use super::value::{Value, compare};
use crate::datum::Datum;
use crate::script::sql::ast::{Expr, ExprKind, Item, Order, Select, Source};

/// A row that matches, with the version that was seen.
pub(super) type Match<'a> = (u64, &'a Version);

/// Finds a table by name.
pub(super) fn table<'a>(tables: &'a [Arc<Table>], name: &str) -> Result<&'a Table, SqlFailure> {
    let found = tables.iter().find(|table| &*table.def.name.text == name);
    found
        .map(|table| &**table)
        .ok_or_else(|| SqlFailure::new("42P01", format!("relation \"{name}\" does not exist")))
}

/// The frame of one row of a table.
pub(super) fn frame<'a>(
    source: &'a Source,
    table: &'a Table,
    values: &'a [Datum],
    outer: Option<&'a Frame<'a>>,
) -> Frame<'a> {
    Frame {
        name: source.called(),
        def: &table.def,
        values,
        qualified_only: false,
        group: None,
        outer,
    }
}

/// The rows for which a condition holds, in the order of the heap.
pub(super) fn matching<'a>(
    source: &Source,
    table: &'a Table,
    filter: Option<&Expr>,
    context: &Context<'_>,
    outer: Option<&Frame<'_>>,
) -> Result<Vec<Match<'a>>, SqlFailure> {
    let mut found = Vec::new();
    for (id, version) in table.scan(context.tx.get()) {
        if holds(filter, context, &frame(source, table, &version.values, outer))? {
            found.push((id, version));
        }
    }
    Ok(found)
}

/// Sorts by `ORDER BY`; rows that tie keep the order of the heap.
pub(super) fn sort(
    rows: &mut Vec<Match<'_>>,
    select: &Select,
    source: &Source,
    table: &Table,
    context: &Context<'_>,
    outer: Option<&Frame<'_>>,
) -> Result<(), SqlFailure> {
    if select.order.is_empty() {
        return Ok(());
    }
    let mut keyed = Vec::with_capacity(rows.len());
    for row in rows.drain(..) {
        let frame = frame(source, table, &row.1.values, outer);
        let keys = select.order.iter().map(|order| {
            let key = eval(output_expression(select, &order.value), context, Some(&frame))?;
            if matches!(key, Value::Json(_)) {
                return Err(SqlFailure::new("0A000", "ORDER BY does not sort jsonb"));
            }
            Ok(key)
        });
        keyed.push((keys.collect::<Result<Vec<_>, SqlFailure>>()?, row));
    }
    sort_by(&mut keyed, |(a, _), (b, _)| order_of_keys(&select.order, a, b));
    rows.extend(keyed.into_iter().map(|(_, row)| row));
    Ok(())
}

/// A bare name in `ORDER BY` means an output column of that name first (docs: sql-select).
fn output_expression<'a>(select: &'a Select, key: &'a Expr) -> &'a Expr {
    let ExprKind::Column(None, name) = &key.kind else { return key };
    let aliased = select.items.iter().find_map(|item| match item {
        Item::Value(value, Some(alias)) if alias.text == name.text => Some(value),
        _ => None,
    });
    aliased.unwrap_or(key)
}

fn order_of_keys(order: &[Order], left: &[Value], right: &[Value]) -> Ordering {
    for ((key, a), b) in order.iter().zip(left).zip(right) {
        let found = match (a.is_null(), b.is_null()) {
            (false, false) => compare(a, b).unwrap_or(Ordering::Equal),
            // Nulls sort as if larger than any value.
            (a, b) => a.cmp(&b),
        };
        let found = if key.descending { found.reverse() } else { found };
        if found != Ordering::Equal {
            return found;
        }
    }
    Ordering::Equal
}

/// `LIMIT`: at most so many rows; null means no limit.
pub(super) fn limit(select: &Select, context: &Context<'_>) -> Result<Option<u32>, SqlFailure> {
    let Some(limit) = &select.limit else { return Ok(None) };
    match eval(limit, context, None)?.decide(crate::script::sql::SqlType::BigInt)? {
        Value::Null => Ok(None),
        Value::Int(limit) if limit < 0 => {
            Err(SqlFailure::new("2201W", "LIMIT must not be negative"))
        }
        Value::Int(limit) => Ok(Some(u32::try_from(limit).unwrap_or(u32::MAX))),
        _ => Err(SqlFailure::new("42804", "LIMIT must be a whole number")),
    }
}

/// The rows of a query that locks nothing.
pub(super) fn rows(
    select: &Select,
    context: &Context<'_>,
    outer: Option<&Frame<'_>>,
) -> Result<Vec<Datum>, SqlFailure> {
    let mut found = Vec::new();
    each_row(select, context, outer, &mut |frame| {
        found.push(project(&select.items, context, frame)?);
        Ok(())
    })?;
    Ok(found)
}

/// The rows of the query of an INSERT, by column.
pub(super) fn cells(select: &Select, context: &Context<'_>) -> Result<Vec<Vec<Value>>, SqlFailure> {
    let mut found = Vec::new();
    each_row(select, context, None, &mut |frame| {
        let mut cells = Vec::new();
        for item in &select.items {
            match (item, frame) {
                (Item::Value(value, _), _) => cells.push(eval(value, context, frame)?),
                (Item::All(_), Some(frame)) => {
                    let columns = frame.def.columns.iter().zip(frame.values);
                    cells.extend(columns.map(|(column, datum)| Value::stored(datum, column.ty)));
                }
                (Item::All(_), None) => {}
            }
        }
        found.push(cells);
        Ok(())
    })?;
    Ok(found)
}

/// The first column of a sub-query.
pub(super) fn first_column(
    select: &Select,
    context: &Context<'_>,
    outer: Option<&Frame<'_>>,
) -> Result<Vec<Value>, SqlFailure> {
    if select.lock.is_some() {
        let message = "a locking sub-query must stand in IN (…) at the top of WHERE";
        return Err(SqlFailure::new("0A000", message));
    }
    let mut found = Vec::new();
    each_row(select, context, outer, &mut |frame| {
        found.push(match (select.items.first(), frame) {
            (Some(Item::Value(value, _)), frame) => eval(value, context, frame)?,
            (_, Some(frame)) => match (frame.values.first(), frame.def.columns.first()) {
                (Some(datum), Some(column)) => Value::stored(datum, column.ty),
                _ => Value::Null,
            },
            _ => Value::Null,
        });
        Ok(())
    })?;
    Ok(found)
}

type Visit<'v> = dyn FnMut(Option<&Frame<'_>>) -> Result<(), SqlFailure> + 'v;

fn each_row(
    select: &Select,
    context: &Context<'_>,
    outer: Option<&Frame<'_>>,
    visit: &mut Visit<'_>,
) -> Result<(), SqlFailure> {
    let most = limit(select, context)?.unwrap_or(u32::MAX);
    let Some(source) = &select.from else {
        if most > 0 {
            visit(outer)?;
        }
        return Ok(());
    };
    let table = table(context.tables, &source.table.text)?;
    let mut found = matching(source, table, select.filter.as_ref(), context, outer)?;
    if is_aggregate(select) {
        let group: Vec<&[Datum]> = found.iter().map(|(_, version)| &*version.values).collect();
        let whole = Frame { group: Some(&group), ..frame(source, table, &[], outer) };
        return if most > 0 { visit(Some(&whole)) } else { Ok(()) };
    }
    sort(&mut found, select, source, table, context, outer)?;
    for (_, version) in found.into_iter().take(most as usize) {
        visit(Some(&frame(source, table, &version.values, outer)))?;
    }
    Ok(())
}

/// Whether a query folds its rows into one.
pub(super) fn is_aggregate(select: &Select) -> bool {
    select.items.iter().any(|item| match item {
        Item::Value(value, _) => value.has_aggregate(),
        Item::All(_) => false,
    })
}

/// One row of a result, keyed by column name. Of two columns with one name the last is kept,
/// as the drivers do.
pub(super) fn project(
    items: &[Item],
    context: &Context<'_>,
    frame: Option<&Frame<'_>>,
) -> Result<Datum, SqlFailure> {
    let mut fields: Vec<(Arc<str>, Datum)> = Vec::new();
    let mut put =
        |name: Arc<str>, value: Datum| match fields.iter_mut().find(|(other, _)| *other == name) {
            Some(field) => field.1 = value,
            None => fields.push((name, value)),
        };
    for item in items {
        match item {
            Item::Value(value, alias) => {
                let name = alias.as_ref().map_or_else(|| value.column_name(), |a| a.text.clone());
                put(name, eval(value, context, frame)?.into_datum());
            }
            Item::All(_) => {
                let Some(frame) = frame else {
                    return Err(SqlFailure::new("42601", "* needs a table"));
                };
                for (column, value) in frame.def.columns.iter().zip(frame.values) {
                    put(Arc::clone(&column.name.text), value.clone());
                }
            }
        }
    }
    Ok(Datum::Object(fields.into()))
}
