//! A broker in the world: the machine decides, this puts its steps on the clock.

use crate::datum::Datum;
use crate::script::vm::Answer;
use crate::sim::event::{Loss, Phase, What};
use crate::sim::identity::order_of;
use crate::sim::message::{Asked, Body};
use crate::sim::part::broker::{self, Cause, ConnId, EntryId, Fact, Output, QueueBroker};
use crate::sim::setup::PartId;
use crate::sim::station::{Machine, QueueState};
use crate::sim::world::{Step, Task};

/// Microseconds between two things that a broker does by itself, except writing to disk.
const BROKER_STEP_US: i64 = 1_000;

impl Step<'_> {
    fn queue(&mut self, part: PartId) -> Option<&mut QueueState> {
        match &mut self.world.station_mut(part).machine {
            Machine::Queue(state) => Some(state),
            _ => None,
        }
    }

    pub(super) fn broker_receives(
        &mut self,
        part: PartId,
        conn: u32,
        asked: Asked,
        request: &broker::Request,
    ) {
        let now_us = self.world.now_us();
        let Some(state) = self.queue(part) else { return };
        // What an acknowledgement is about is known only before it is carried out.
        let before = state.broker.clone();
        if let broker::Request::Publish { token, .. } = request {
            state.asked.insert((conn, *token), asked.clone());
        }
        let mut facts = Vec::new();
        state.broker.connect(ConnId(conn));
        state.broker.receive(ConnId(conn), request, now_us, &mut facts);
        if matches!(request, broker::Request::Subscribe { .. }) {
            let what = What::Executed { ask: asked.ask.clone(), by: asked.site.part, rows: None };
            self.note_call(part, what, &asked, Phase::Effect);
        }
        self.broker_facts(part, &before, &facts, Some(&asked));
        self.broker_go_on(part);
    }

    pub(super) fn broker_step(&mut self, part: PartId, step: broker::Step) {
        let Some(state) = self.queue(part) else { return };
        state.scheduled.retain(|known| *known != step);
        let before = state.broker.clone();
        let mut facts = Vec::new();
        let output = state.broker.take(step, &mut facts);
        self.broker_facts(part, &before, &facts, None);
        if let Some(output) = output {
            self.broker_sends(part, output);
        }
        self.broker_go_on(part);
    }

    fn broker_sends(&mut self, part: PartId, output: Output) {
        let conn = output.conn().0;
        let Some(client) = self.world.client_of(conn) else { return };
        match output {
            Output::Confirm { token, .. } => {
                let known = self.queue(part).and_then(|state| state.asked.remove(&(conn, token)));
                let Some(asked) = known else { return };
                self.note_order(part, What::Confirmed(client), asked.order);
                let order = asked.order;
                let answer = Answer::Value(Datum::Null);
                self.send(part, conn, Body::Answer { asked, answer }, order, 0);
            }
            Output::Return { token, .. } => {
                let known = self.queue(part).and_then(|state| state.asked.remove(&(conn, token)));
                let Some(asked) = known else { return };
                let order = asked.order;
                let what = What::AnswerLeft { to: client, ask: asked.ask.clone() };
                self.note_order(part, what, order);
                let message = "no queue is bound for this message".into();
                let answer = Answer::Error { message, code: "unroutable".into() };
                self.send(part, conn, Body::Answer { asked, answer }, order, 0);
            }
            Output::Deliver { token, tag, redelivered, message, .. } => {
                let order = order_of(&message.body);
                self.note_order(part, What::Delivered { to: client, redelivered }, order);
                let subscription = token as u32;
                let body = Body::Delivery { subscription, tag, redelivered, message };
                self.send(part, conn, body, order, 0);
            }
            Output::Closed { .. } => self.hang_up(part, conn),
            Output::Cancelled { .. } | Output::Declared { .. } => {}
        }
    }

    /// Puts what the broker can do next on the clock, each thing once.
    pub(super) fn broker_go_on(&mut self, part: PartId) {
        let flush_us = self.world.setup().delays.flush_us;
        let Some(state) = self.queue(part) else { return };
        let pending = state.broker.pending();
        let new: Vec<_> = pending.into_iter().filter(|s| !state.scheduled.contains(s)).collect();
        state.scheduled.extend(new.iter().copied());
        for step in new {
            let after_us = match step {
                broker::Step::Flush => flush_us,
                _ => BROKER_STEP_US,
            };
            self.world.schedule(part, after_us, Task::Broker(step));
        }
    }

    pub(super) fn broker_client_gone(&mut self, part: PartId, conn: u32, client: PartId) {
        let now_us = self.world.now_us();
        let Some(state) = self.queue(part) else { return };
        state.asked.retain(|(of, _), _| *of != conn);
        let before = state.broker.clone();
        let mut facts = Vec::new();
        state.broker.disconnect(ConnId(conn), now_us, &mut facts);
        self.changed();
        self.note(part, What::ClientGone { client, rolled_back: false });
        self.broker_facts(part, &before, &facts, None);
        self.broker_go_on(part);
    }

    pub(super) fn broker_crash(&mut self, part: PartId) {
        let now_us = self.world.now_us();
        let Some(state) = self.queue(part) else { return };
        state.scheduled.clear();
        state.asked.clear();
        let before = state.broker.clone();
        let mut facts = Vec::new();
        state.broker.crash(now_us, &mut facts);
        self.broker_facts(part, &before, &facts, None);
    }

    fn broker_facts(
        &mut self,
        part: PartId,
        before: &QueueBroker,
        facts: &[Fact],
        asked: Option<&Asked>,
    ) {
        for fact in facts {
            self.changed();
            self.broker_fact(part, before, fact, asked);
        }
    }

    fn broker_fact(
        &mut self,
        part: PartId,
        before: &QueueBroker,
        fact: &Fact,
        asked: Option<&Asked>,
    ) {
        let (what, order) = match fact {
            Fact::Stored { entry, .. } => {
                let (queue, order) = self.entry(part, *entry, before);
                (What::Stored(queue), order)
            }
            Fact::Flushed { entry } => {
                let (queue, order) = self.entry(part, *entry, before);
                (What::Flushed(queue), order)
            }
            Fact::Acked { entry, conn, automatic: false, .. } => {
                let (_, order) = self.entry(part, *entry, before);
                let by = self.world.client_of(conn.0).unwrap_or(part);
                (What::Acked(by), order)
            }
            Fact::Requeued { entry, .. } => {
                let (queue, order) = self.entry(part, *entry, before);
                (What::Requeued(queue), order)
            }
            Fact::Dropped { entry, cause, .. } => {
                let known = entry.map(|entry| self.entry(part, entry, before));
                let asked = asked.map(|asked| (asked.ask.object.clone(), asked.order));
                let (what, order) = known.or(asked).unwrap_or_else(|| ("".into(), None));
                (What::Lost { what, loss: loss(*cause) }, order)
            }
            _ => return,
        };
        match asked {
            Some(asked) => self.note_call(part, what, asked, Phase::Effect),
            None => self.note_order(part, what, order),
        }
    }

    /// The queue and the order of an entry, now or before it went.
    fn entry(
        &mut self,
        part: PartId,
        id: EntryId,
        before: &QueueBroker,
    ) -> (std::sync::Arc<str>, Option<i64>) {
        let now = self.queue(part).and_then(|state| state.broker.entry(id));
        now.or_else(|| before.entry(id)).map_or_else(
            || ("".into(), None),
            |entry| (entry.message.topic.clone(), order_of(&entry.message.body)),
        )
    }
}

fn loss(cause: Cause) -> Loss {
    match cause {
        Cause::Unroutable | Cause::Returned | Cause::NoExchange => Loss::Unroutable,
        Cause::Transient | Cause::NotOnDisk | Cause::QueueGone => Loss::NotOnDisk,
        Cause::Rejected | Cause::DeliveryLimit | Cause::Expired => Loss::Discarded,
    }
}
