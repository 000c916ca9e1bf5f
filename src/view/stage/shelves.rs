//! What boxes hold: memory, tables, queues, letters.

use crate::collections::{Map, sort_by};
use std::sync::Arc;

use super::datum_text::text as datum_text;
use super::{Chip, Mark, Shelf, ShelfKind};
use crate::datum::Datum;
use crate::script::sql::{SqlType, TableDef};
use crate::sim::identity::order_of;
use crate::sim::part::api::{Effect, Letter};
use crate::sim::part::broker::{EntryState, QueueView};
use crate::sim::part::database::{ChangeView, RowView, TableView};
use crate::sim::{Event, Machine, PartId, PartKind, What, World};

/// Values of a column `status` that say that the row is dealt with.
const DONE: [&str; 5] = ["done", "processed", "published", "sent", "completed"];

/// What a program has in memory: a chip per order, in the order of the heap.
pub(super) fn memory(world: &World, part: PartId) -> Vec<Chip> {
    let Some(process) = world.station(part).process() else { return Vec::new() };
    let mut chips: Vec<Chip> = Vec::new();
    for datum in process.vm.memory() {
        let order = number(order_of(&datum).or_else(|| own_order(&datum)));
        if order.is_some() && !chips.iter().any(|chip| chip.order == order) {
            chips.push(plain(order, &datum));
        }
    }
    chips
}

/// The order that customers send is an object with its number as `id`.
fn own_order(datum: &Datum) -> Option<i64> {
    let Datum::Object(fields) = datum else { return None };
    match fields.as_ref() {
        [(id, number), (customer, _)] if &**id == "id" && &**customer == "customer" => {
            number.as_int()
        }
        _ => None,
    }
}

fn plain(order: Option<u32>, datum: &Datum) -> Chip {
    Chip {
        order,
        copy: 1,
        text: "".into(),
        mark: Mark::Plain,
        locked_by: None,
        detail: datum_text(datum).into(),
    }
}

pub(super) fn number(order: Option<i64>) -> Option<u32> {
    order.and_then(|order| u32::try_from(order).ok())
}

/// The shelves of a database or a broker.
pub(super) fn shelves(world: &World, part: PartId, log: &[Event]) -> Vec<Shelf> {
    let setup = world.setup();
    match (&world.station(part).machine, &setup.part(part).kind) {
        (Machine::Database(state), PartKind::Database { tables }) => {
            let views = state.database.tables();
            views.iter().zip(tables.iter()).map(|(view, def)| table(world, view, def)).collect()
        }
        (Machine::Queue(state), _) => {
            let queues = state.broker.queues();
            queues.filter(|queue| queue.exists).map(|view| queue(part, &view, log)).collect()
        }
        _ => Vec::new(),
    }
}

fn table(world: &World, view: &TableView, def: &TableDef) -> Shelf {
    let mut chips: Vec<Chip> = Vec::new();
    for row in &view.rows {
        chips.push(row_chip(world, row, def));
    }
    Shelf { name: view.name.clone(), kind: ShelfKind::Table, durable: true, chips }
}

fn row_chip(world: &World, row: &RowView, def: &TableDef) -> Chip {
    let null = Datum::Null;
    let (values, mark) = match (&row.committed, &row.change) {
        (None, Some(ChangeView::Inserted(new) | ChangeView::Updated(new))) => {
            (new, Mark::Uncommitted)
        }
        (Some(old), Some(ChangeView::Deleted)) => (old, Mark::Deleting),
        (Some(old), Some(_)) => (old, Mark::Changing),
        (Some(old), None) if is_done(old, def) => (old, Mark::Done),
        (Some(old), None) => (old, Mark::Plain),
        (None, _) => (&null, Mark::Uncommitted),
    };
    let order = number(order_of_row(world, values, &def.name.text));
    let holder = row.holder.as_ref().and_then(|holder| match (&holder.prepared, holder.session) {
        (Some(name), _) => Some(name.clone()),
        (None, Some(session)) => {
            let client = world.client_of(session.0)?;
            Some(world.setup().part(client).name.clone())
        }
        (None, None) => None,
    });
    let text = match order {
        Some(_) => values.field("status").and_then(Datum::as_text).unwrap_or_default().into(),
        None => first_value(values),
    };
    Chip { order, copy: 1, text, mark, locked_by: holder, detail: datum_text(values).into() }
}

fn first_value(row: &Datum) -> Arc<str> {
    match row {
        Datum::Object(fields) => match fields.first() {
            Some((_, Datum::Text(text))) => text.clone(),
            Some((_, value)) => datum_text(value).into(),
            None => "".into(),
        },
        _ => "".into(),
    }
}

/// The order that a row is about: by a table's own key if the scene says so, else by the names
/// of its fields.
pub(super) fn order_of_row(world: &World, row: &Datum, table: &str) -> Option<i64> {
    let columns = world.setup().order_columns.iter();
    let mut own = columns.filter(|(of, _)| &**of == table);
    let number = own.find_map(|(_, column)| row.field(column)?.as_int());
    number.or_else(|| order_of(row))
}

/// A row is dealt with if a time that may be missing is there, or if its status says so.
fn is_done(row: &Datum, def: &TableDef) -> bool {
    let stamped = def.columns.iter().any(|column| {
        column.ty == SqlType::Timestamptz
            && !column.not_null
            && column.default.is_none()
            && row.field(&column.name.text).is_some_and(|value| *value != Datum::Null)
    });
    let status = row.field("status").and_then(Datum::as_text);
    stamped || status.is_some_and(|status| DONE.contains(&status))
}

fn queue(part: PartId, view: &QueueView<'_>, log: &[Event]) -> Shelf {
    let mut chips = Vec::new();
    for entry in view.entries {
        let order = order_of(&entry.message.body);
        let mark = match entry.state {
            EntryState::Unacked { .. } => Mark::Unacked,
            EntryState::Ready if entry.redelivered => Mark::Redelivered,
            EntryState::Ready => Mark::Plain,
        };
        let text = if order.is_some() { "".into() } else { entry.message.topic.clone() };
        let detail = datum_text(&entry.message.body).into();
        chips.push(Chip { order: number(order), copy: 1, text, mark, locked_by: None, detail });
    }
    number_copies(&mut chips, &stored(part, &view.config.name, log));
    Shelf {
        name: view.config.name.clone(),
        kind: ShelfKind::Queue,
        durable: view.config.survives(),
        chips,
    }
}

/// How many messages of each order a queue has stored in the whole run.
pub(super) fn stored(part: PartId, queue: &str, log: &[Event]) -> Map<u32, u32> {
    let mut counts = Map::new();
    for event in log.iter().filter(|event| event.part == part) {
        if let (What::Stored(name), Some(order)) = (&event.what, number(event.order))
            && **name == *queue
        {
            *counts.entry(order).or_default() += 1;
        }
    }
    counts
}

/// Of the copies that a queue has stored, those that are still there are the latest.
fn number_copies(chips: &mut [Chip], stored: &Map<u32, u32>) {
    let mut left: Map<u32, u32> = stored.clone();
    for chip in chips.iter_mut().rev() {
        let Some(order) = chip.order else { continue };
        let count = left.entry(order).or_insert(1);
        chip.copy = (*count).max(1);
        *count = count.saturating_sub(1);
    }
}

/// The letters that have reached the mailbox.
pub(super) fn letters(world: &World) -> Shelf {
    let sent = sent_letters(world);
    let here = sent.into_iter().filter(|letter| letter.arrive_us <= world.now_us());
    Shelf {
        name: "letters".into(),
        kind: ShelfKind::Letters,
        durable: true,
        chips: here.map(|letter| letter.chip).collect(),
    }
}

/// A letter that a mail service has sent.
pub(super) struct SentLetter {
    pub(super) from: PartId,
    pub(super) number: u64,
    pub(super) depart_us: i64,
    pub(super) arrive_us: i64,
    pub(super) chip: Chip,
}

/// All letters of all mail services, by time. They take the least delay to the mailbox.
pub(super) fn sent_letters(world: &World) -> Vec<SentLetter> {
    let setup = world.setup();
    let mut effects: Vec<(i64, PartId, &Effect<Letter>)> = Vec::new();
    for part in setup.part_ids() {
        if let Machine::Mail(mail) = &world.station(part).machine {
            effects.extend(mail.effects().iter().map(|effect| (effect.at_us, part, effect)));
        }
    }
    sort_by(&mut effects, |(a_us, a, x), (b_us, b, y)| (a_us, a, x.id).cmp(&(b_us, b, y.id)));
    let mut counts: Map<(Option<u32>, &str), u32> = Map::new();
    let mut sent = Vec::new();
    for (at_us, from, effect) in effects {
        let letter = &effect.request;
        let order = number(letter.order.as_int());
        let copy = counts.entry((order, &letter.kind)).or_default();
        *copy += 1;
        let chip = letter_chip(letter, order, *copy);
        let arrive_us = at_us + setup.delays.latency_us;
        sent.push(SentLetter { from, number: effect.id, depart_us: at_us, arrive_us, chip });
    }
    sent
}

/// A letter on its way or in the mailbox. Its kind is written if it is not just a letter.
pub(super) fn letter_chip(letter: &Letter, order: Option<u32>, copy: u32) -> Chip {
    let fields = [
        ("order".into(), letter.order.clone()),
        ("to".into(), letter.to.clone()),
        ("kind".into(), Datum::Text(letter.kind.clone())),
    ];
    let text = if &*letter.kind == "letter" { "".into() } else { letter.kind.clone() };
    let detail = datum_text(&Datum::Object(fields.into())).into();
    Chip { order, copy, text, mark: Mark::Plain, locked_by: None, detail }
}
