//! Messages on their way.

use crate::collections::Set;
use std::sync::Arc;

use super::build::Places;
use super::datum_text::text as datum_text;
use super::shelves::{letter_chip, number, sent_letters, stored};
use super::{Chip, Flight, FlightKind, Mark};
use crate::datum::Datum;
use crate::script::vm::Answer;
use crate::sim::identity::order_of;
use crate::sim::part::{broker, database};
use crate::sim::{Body, Event, Machine, Message, PartKind, What, World};

/// Everything under way, in order of arrival, then letters to the mailbox. What a cut link
/// holds stands still in the middle of it.
pub(super) fn flights(world: &World, log: &[Event], places: &Places) -> Vec<Flight> {
    let latency_us = world.setup().delays.latency_us;
    let now_us = world.now_us();
    let mut flights: Vec<Flight> = Vec::new();
    for (message, arrive_us) in world.in_flight() {
        let (depart_us, arrive_us) = match arrive_us {
            Some(arrive_us) => (message.depart_us, arrive_us),
            None => (now_us - latency_us, now_us + latency_us),
        };
        flights.push(Flight {
            name: message.name.text(world.setup()).into(),
            from: places.of_part(message.from),
            to: places.of_part(message.to),
            chip: chip(world, message, log),
            kind: kind(world, message),
            depart_us,
            arrive_us,
        });
    }
    if let Some(mailbox) = places.mailbox {
        let sent = sent_letters(world).into_iter().filter(|letter| letter.arrive_us > now_us);
        flights.extend(sent.map(|letter| Flight {
            name: format!("{}/{}", world.setup().part(letter.from).name, letter.number).into(),
            from: places.of_part(letter.from),
            to: mailbox,
            chip: letter.chip,
            kind: FlightKind::Letter,
            depart_us: letter.depart_us,
            arrive_us: letter.arrive_us,
        }));
    }
    flights
}

fn kind(world: &World, message: &Message) -> FlightKind {
    let from_broker = matches!(world.setup().part(message.from).kind, PartKind::Queue { .. });
    match &message.body {
        Body::Order { .. } | Body::Statement { .. } | Body::Letter { .. } => FlightKind::Request,
        Body::ToBroker { request, .. } => match request {
            broker::Request::Publish { .. } => FlightKind::Publish,
            broker::Request::Ack { .. } | broker::Request::Nack { .. } => FlightKind::Ack,
            _ => FlightKind::Request,
        },
        Body::Answer { answer: Answer::Value(_), .. } if from_broker => FlightKind::Confirm,
        Body::OrderAnswer { .. } | Body::Answer { .. } => FlightKind::Answer,
        Body::Delivery { .. } => FlightKind::Delivery,
        Body::Reset => FlightKind::Reset,
    }
}

fn chip(world: &World, message: &Message, log: &[Event]) -> Chip {
    let order = number(message.order.or_else(|| order_in(&message.body)));
    let text: Arc<str> = match (&message.body, message.body.asked()) {
        (Body::Letter { letter, .. }, _) => return letter_request(letter, order, log),
        (Body::Answer { answer: Answer::Error { code, .. }, .. }, _) => code.clone(),
        (Body::Statement { asked, .. }, _) => asked.ask.to_string().into(),
        (Body::ToBroker { request: broker::Request::Publish { .. }, .. }, _) => "".into(),
        (Body::OrderAnswer { ok }, _) => if *ok { "200" } else { "500" }.into(),
        (_, Some(asked)) => asked.ask.verb.clone(),
        (_, None) => "".into(),
    };
    let mark = match message.body {
        Body::Delivery { redelivered: true, .. } => Mark::Redelivered,
        _ => Mark::Plain,
    };
    let copy = order.map_or(1, |order| copy(world, message, order, log));
    Chip { order, copy, text, mark, locked_by: None, detail: detail(&message.body).into() }
}

/// Letters of the same kind for the same order that went out before, and this one.
fn letter_request(
    letter: &crate::sim::part::api::Letter,
    order: Option<u32>,
    log: &[Event],
) -> Chip {
    let before = log.iter().filter(|event| {
        matches!(&event.what, What::LetterSent { kind, .. } if *kind == letter.kind)
            && number(event.order) == order
    });
    letter_chip(letter, order, before.count() as u32 + 1)
}

/// Which copy of an order's message this is, as its queue numbers them.
fn copy(world: &World, message: &Message, order: u32, log: &[Event]) -> u32 {
    match &message.body {
        Body::ToBroker { request: broker::Request::Publish { message: published, .. }, .. } => {
            let known = stored(message.to, &published.topic, log);
            known.get(&order).copied().unwrap_or_default() + 1
        }
        Body::Delivery { tag, .. } => delivered_copy(world, message, *tag, log),
        _ => 1,
    }
}

fn delivered_copy(world: &World, message: &Message, tag: broker::Tag, log: &[Event]) -> u32 {
    let Machine::Queue(state) = &world.station(message.from).machine else { return 1 };
    let shelves = super::shelves::shelves(world, message.from, log);
    let queues = state.broker.queues().filter(|queue| queue.exists);
    for (queue, shelf) in queues.zip(&shelves) {
        for (entry, chip) in queue.entries.iter().zip(&shelf.chips) {
            let held = matches!(entry.state, broker::EntryState::Unacked { conn, tag: of, .. }
                if conn.0 == message.conn && of == tag);
            if held {
                return chip.copy;
            }
        }
    }
    1
}

/// The one order that an answer's rows are about; none if they are about several.
fn order_in(body: &Body) -> Option<i64> {
    let Body::Answer { answer: Answer::Value(Datum::Array(rows)), .. } = body else { return None };
    let orders: Set<i64> = rows.iter().filter_map(order_of).collect();
    match orders.len() {
        1 => orders.first().copied(),
        _ => None,
    }
}

fn detail(body: &Body) -> String {
    if let Some(content) = body.content() {
        return datum_text(&content);
    }
    match body {
        Body::Order { order } => format!("POST /orders {{ id: {order} }}"),
        Body::OrderAnswer { ok: true } => "200 OK".to_owned(),
        Body::OrderAnswer { ok: false } => "500".to_owned(),
        Body::Statement { request: database::Request::Query { statement, params }, .. } => {
            let mut text = statement.to_string();
            for (index, value) in params.iter().enumerate() {
                let comma = if index == 0 { "  " } else { ", " };
                text.push_str(&format!("{comma}${} = {}", index + 1, datum_text(value)));
            }
            text
        }
        Body::Answer { answer: Answer::Value(value), asked } if *value != Datum::Null => {
            format!("{}: {}", asked.ask, datum_text(value))
        }
        Body::Answer { answer: Answer::Error { message, code }, .. } => {
            format!("{code}: {message}")
        }
        Body::Reset => "RST".to_owned(),
        other => other.asked().map(|asked| asked.ask.to_string()).unwrap_or_default(),
    }
}
