//! What lies in databases, queues and the mailbox.

use std::sync::Arc;

use super::{View, chip};
use crate::datum::Datum;
use crate::sim::identity::order_of;
use crate::sim::part::broker::EntryState;
use crate::sim::part::database::{ChangeView, RowView, SessionId, TableView};
use crate::sim::{Machine, PartId, What};
use crate::view::stage::{Chip, Mark, Shelf, ShelfKind};

/// Columns that say when a row was dealt with.
const DONE_COLUMNS: [&str; 3] = ["published_at", "processed_at", "sent_at"];

impl View<'_> {
    pub(super) fn shelves(&self, part: PartId) -> Vec<Shelf> {
        match &self.world.station(part).machine {
            Machine::Database(state) => {
                let tables = state.database.tables();
                tables.iter().map(|table| self.table(table)).collect()
            }
            Machine::Queue(_) => self.queues(part),
            _ => Vec::new(),
        }
    }

    fn table(&self, table: &TableView) -> Shelf {
        let rows = table.rows.iter().filter_map(|row| self.row(table, row));
        Shelf {
            name: table.name.clone(),
            kind: ShelfKind::Table,
            durable: true,
            chips: rows.collect(),
        }
    }

    fn row(&self, table: &TableView, row: &RowView) -> Option<Chip> {
        let (values, mark) = match (&row.committed, &row.change) {
            (_, Some(ChangeView::Inserted(values))) => (values, Mark::Uncommitted),
            (_, Some(ChangeView::Updated(values))) => (values, Mark::Changing),
            (Some(values), Some(ChangeView::Deleted)) => (values, Mark::Deleting),
            (Some(values), None) if is_done(values) => (values, Mark::Done),
            (Some(values), None) => (values, Mark::Plain),
            (None, _) => return None,
        };
        // That a row's own inserter holds it goes without saying.
        let holder = row.holder.as_ref().filter(|_| row.committed.is_some());
        let locked_by = holder.map(|holder| match (&holder.session, &holder.prepared) {
            (Some(session), _) => self.client(*session),
            (None, Some(prepared)) => prepared.clone(),
            (None, None) => "?".into(),
        });
        Some(Chip {
            locked_by,
            detail: written(values).into(),
            text: first_text(values),
            ..chip(self.order_of_row(table, values), 1, mark)
        })
    }

    fn client(&self, session: SessionId) -> Arc<str> {
        let client = self.world.client_of(session.0);
        client.map_or_else(|| "?".into(), |client| self.world.setup().part(client).name.clone())
    }

    fn order_of_row(&self, table: &TableView, values: &Datum) -> Option<i64> {
        order_of(values).or_else(|| {
            let columns = self.world.setup().order_columns.iter();
            let mut own = columns.filter(|(of, _)| *of == table.name);
            own.find_map(|(_, column)| values.field(column)?.as_int())
        })
    }

    fn queues(&self, part: PartId) -> Vec<Shelf> {
        let Machine::Queue(state) = &self.world.station(part).machine else { return Vec::new() };
        let existing = state.broker.queues().filter(|queue| queue.exists);
        let shelves = existing.map(|queue| {
            let chips = queue.entries.iter().map(|entry| {
                let mark = match entry.state {
                    EntryState::Unacked { .. } => Mark::Unacked,
                    EntryState::Ready if entry.redelivered => Mark::Redelivered,
                    EntryState::Ready => Mark::Plain,
                };
                let copy = self.copy_of(entry.message.origin).unwrap_or(1);
                Chip {
                    detail: written(&entry.message.body).into(),
                    ..chip(order_of(&entry.message.body), copy, mark)
                }
            });
            Shelf {
                name: queue.config.name.clone(),
                kind: ShelfKind::Queue,
                durable: queue.config.survives(),
                chips: chips.collect(),
            }
        });
        shelves.collect()
    }

    /// Which copy of its order's event the message of a publish is: those stored last are still
    /// in the queues, so they are counted back from the newest.
    pub(super) fn copy_of(&self, origin: u64) -> Option<u32> {
        for part in self.world.setup().part_ids() {
            let Machine::Queue(state) = &self.world.station(part).machine else { continue };
            for queue in state.broker.queues() {
                let Some(at) = queue.entries.iter().position(|e| e.message.origin == origin) else {
                    continue;
                };
                let order = order_of(&queue.entries[at].message.body)?;
                let newer = queue.entries[at + 1..].iter();
                let newer = newer.filter(|e| order_of(&e.message.body) == Some(order)).count();
                return Some(self.stored(order).saturating_sub(newer as u32).max(1));
            }
        }
        None
    }

    /// How many events of an order queues have stored so far.
    pub(super) fn stored(&self, order: i64) -> u32 {
        let stored = self.events.iter().filter(|event| matches!(event.what, What::Stored(_)));
        stored.filter(|event| event.order == Some(order)).count() as u32
    }

    /// How many letters about an order went out so far.
    pub(super) fn letters_of(&self, order: i64) -> u32 {
        self.sent().filter(|one| *one == order).count() as u32
    }

    fn sent(&self) -> impl Iterator<Item = i64> {
        let parts = self.world.setup().part_ids();
        let letters = parts.filter_map(|part| match &self.world.station(part).machine {
            Machine::Mail(mail) => Some(mail.records()),
            _ => None,
        });
        letters.flatten().filter_map(|(_, order, _)| order.as_int())
    }

    /// All letters that went out.
    pub(super) fn letters(&self) -> Shelf {
        let mut chips: Vec<Chip> = Vec::new();
        let mut orders: Vec<i64> = Vec::new();
        for order in self.sent() {
            orders.push(order);
            let copy = orders.iter().filter(|one| **one == order).count() as u32;
            chips.push(chip(Some(order), copy, Mark::Plain));
        }
        Shelf { name: "letters".into(), kind: ShelfKind::Letters, durable: true, chips }
    }
}

fn is_done(values: &Datum) -> bool {
    let done =
        |column: &&str| values.field(column).is_some_and(|value| !matches!(value, Datum::Null));
    DONE_COLUMNS.iter().any(done)
}

fn first_text(values: &Datum) -> Arc<str> {
    match values {
        Datum::Object(fields) => {
            fields.first().map_or_else(|| "".into(), |(_, value)| written(value).into())
        }
        _ => "".into(),
    }
}

/// A value as a reader of JSON or SQL would write it.
fn written(value: &Datum) -> String {
    match value {
        Datum::Null => "null".to_owned(),
        Datum::Bool(yes) => yes.to_string(),
        Datum::Int(number) => number.to_string(),
        Datum::Text(text) => text.to_string(),
        Datum::Time(us) => format!("{} ms", us / 1000),
        Datum::Array(items) => {
            let items: Vec<String> = items.iter().map(written).collect();
            format!("[{}]", items.join(", "))
        }
        Datum::Object(fields) => {
            let field = |(name, value): &(Arc<str>, Datum)| match value {
                Datum::Object(_) => format!("{name}: {{{}}}", written(value)),
                _ => format!("{name}: {}", written(value)),
            };
            let fields: Vec<String> = fields.iter().map(field).collect();
            fields.join(", ")
        }
    }
}
