//! What a learner's act destroyed, and what it leaves behind.

use super::Words;
use super::story::Namer;
use crate::collections::sort;
use crate::sim::identity::order_of;
use crate::sim::part::database::{ChangeView, RowView, SessionState};
use crate::sim::{Event, Loss, Machine, PartId, Power, What, World};

/// Kinds of loss that an act itself can cause, in the order of telling.
const LOSSES: [Loss; 4] = [Loss::Memory, Loss::RolledBack, Loss::NotOnDisk, Loss::Dropped];

impl Words {
    /// What an act did, given the events of its tick: «Поллер обесточен. Пропало из памяти: № 3.»
    /// `None` if the events hold no act.
    pub fn act(self, events: &[Event], world: &World, name: Namer<'_>) -> Option<String> {
        let is_act = |event: &&Event| event.cause.is_none();
        let first = events.iter().find(is_act)?;
        let part = name(first.part);
        let head = match first.what {
            What::Unplugged => self.log_act_unplugged(&part),
            What::Killed => self.log_act_killed(&part),
            What::Lost { .. } => String::new(),
            _ => return Some(self.story_with(first, world.setup(), name)),
        };
        let mut sentences: Vec<String> =
            LOSSES.into_iter().filter_map(|loss| self.lost_by_act(events, loss)).collect();
        let had_memory = matches!(world.station(first.part).machine, Machine::Worker(_));
        if sentences.is_empty() && had_memory {
            sentences.push(self.log_act_nothing_lost().to_owned());
        }
        if !head.is_empty() {
            sentences.insert(0, head);
        }
        let ended = sentences.iter().map(|sentence| self.log_sentence(sentence));
        Some(ended.collect::<Vec<_>>().join(" "))
    }

    fn lost_by_act(self, events: &[Event], loss: Loss) -> Option<String> {
        let lost = events
            .iter()
            .filter(|event| matches!(event.what, What::Lost { loss: of, .. } if of == loss));
        let orders = self.orders(lost.filter_map(|event| event.order))?;
        Some(match loss {
            Loss::Memory => self.log_act_lost_memory(&orders),
            Loss::RolledBack => self.log_act_lost_rows(&orders),
            Loss::NotOnDisk => self.log_act_lost_not_on_disk(&orders),
            _ => self.log_act_lost_dropped(&orders),
        })
    }

    /// Orders by their numbers, each once: «№ 3, № 4».
    fn orders(self, orders: impl Iterator<Item = i64>) -> Option<String> {
        let mut orders: Vec<i64> = orders.collect();
        sort(&mut orders);
        orders.dedup();
        let named: Vec<String> = orders.into_iter().map(|order| self.order(order)).collect();
        (!named.is_empty()).then(|| named.join(", "))
    }

    /// What an unpowered client leaves behind at the servers that have not noticed yet: open
    /// transactions with their locks, unacknowledged messages.
    pub fn aftermath(self, world: &World, part: PartId, name: Namer<'_>) -> Option<String> {
        if world.station(part).power != Power::Unplugged {
            return None;
        }
        let setup = world.setup();
        let time = self.seconds(setup.delays.notice_us);
        let told = setup.part_ids().filter_map(|server| match &world.station(server).machine {
            Machine::Database(state) => {
                let is_open = state.database.sessions().iter().any(|view| {
                    view.state != SessionState::Idle
                        && world.client_of(view.session.0) == Some(part)
                });
                if !is_open {
                    return None;
                }
                let tables = state.database.tables();
                let rows = tables.iter().flat_map(|table| &table.rows);
                let held = rows.filter(|row| holds(world, row, part)).filter_map(row_order);
                Some(match self.orders(held) {
                    Some(orders) => {
                        self.log_after_locks(&orders, &name(server), &name(part), &time)
                    }
                    None => self.log_after_transaction(&name(server), &name(part), &time),
                })
            }
            Machine::Queue(state) => {
                let unacked = state.broker.unacked();
                let own = unacked.filter(|(conn, ..)| world.client_of(conn.0) == Some(part));
                let orders = self.orders(own.filter_map(|(_, _, e)| order_of(&e.message.body)))?;
                Some(self.log_after_unacked(&orders, &name(server), &name(part), &time))
            }
            _ => None,
        });
        let told: Vec<String> = told.map(|sentence| self.log_sentence(&sentence)).collect();
        (!told.is_empty()).then(|| told.join(" "))
    }
}

fn holds(world: &World, row: &RowView, part: PartId) -> bool {
    let session = row.holder.as_ref().and_then(|holder| holder.session);
    session.is_some_and(|session| world.client_of(session.0) == Some(part))
}

fn row_order(row: &RowView) -> Option<i64> {
    match (&row.committed, &row.change) {
        (Some(values), _) | (None, Some(ChangeView::Inserted(values))) => order_of(values),
        _ => None,
    }
}
