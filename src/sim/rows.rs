//! Which orders the rows are about that a statement touches, so that events of a database carry
//! the order as all others do.

use crate::collections::Set;

use crate::datum::Datum;
use crate::sim::identity::order_of;
use crate::sim::message::Asked;
use crate::sim::part::database::{ChangeView, Database, Fact, RowView};
use crate::sim::setup::Setup;
use crate::sim::station::DatabaseState;

/// The order that a row is about: by the column that the scene says holds it, or by its name.
pub fn order_of_row(setup: &Setup, table: &str, row: &Datum) -> Option<i64> {
    let column = setup.order_columns.iter().find(|(of, _)| **of == *table);
    let told = column.and_then(|(_, name)| row.field(name)).and_then(Datum::as_int);
    told.or_else(|| order_of(row))
}

fn order_of_view(setup: &Setup, table: &str, view: &RowView) -> Option<i64> {
    match (&view.change, &view.committed) {
        (Some(ChangeView::Inserted(row) | ChangeView::Updated(row)), _) | (_, Some(row)) => {
            order_of_row(setup, table, row)
        }
        _ => None,
    }
}

/// Orders of the rows that a statement changed.
fn changed(setup: &Setup, database: &Database, facts: &[Fact]) -> Set<i64> {
    let rows = facts.iter().filter_map(|fact| match fact {
        Fact::Inserted { table, row, .. }
        | Fact::Updated { table, row, .. }
        | Fact::Deleted { table, row, .. } => Some((table, *row)),
        _ => None,
    });
    let orders =
        rows.filter_map(|(table, row)| order_of_view(setup, table, &database.row(table, row)?));
    orders.collect()
}

/// Fills in which order a request is about, as far as the rows tell: a statement by the rows that
/// it changed, the end of a transaction by all that it changed, each if that is one order only.
pub(super) fn name_order(
    setup: &Setup,
    state: &mut DatabaseState,
    conn: u32,
    asked: &mut Asked,
    facts: &[Fact],
) {
    let orders = changed(setup, &state.database, facts);
    let of_session = state.orders.entry(conn).or_default();
    of_session.extend(orders.iter().copied().chain(asked.order));
    let ends = |fact: &Fact| {
        matches!(fact, Fact::Committed { .. } | Fact::RolledBack { .. } | Fact::Prepared { .. })
    };
    let over = facts.iter().any(ends);
    let known = if over { &*of_session } else { &orders };
    if let (None, Some(order), 1) = (asked.order, known.first(), known.len()) {
        asked.order = Some(*order);
    }
    if over || of_session.is_empty() {
        state.orders.remove(&conn);
    }
}
