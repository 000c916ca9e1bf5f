//! A broker in the world: the machine decides, this puts its steps on the clock.

use std::sync::Arc;

use crate::datum::Datum;
use crate::script::vm::Answer;
use crate::sim::event::{Loss, Phase, What};
use crate::sim::holds::{Hold, Thing};
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
        asked: &Asked,
        request: &broker::Request,
    ) {
        let now_us = self.world.now_us();
        let Some(state) = self.queue(part) else { return };
        if let broker::Request::Publish { token, confirm: true, .. } = request {
            state.asked.insert((conn, *token), asked.clone());
        }
        let known = match request {
            broker::Request::Publish { .. } => Known::default(),
            _ => Known::unacked(&state.broker, ConnId(conn)),
        };
        let mut facts = Vec::new();
        state.broker.connect(ConnId(conn));
        state.broker.receive(ConnId(conn), request, now_us, &mut facts);
        if matches!(request, broker::Request::Subscribe { .. }) {
            let what = What::Executed { ask: asked.ask.clone(), by: asked.site.part, rows: None };
            self.note_call(part, what, asked, Phase::Effect);
        }
        self.broker_facts(part, &known, &facts, Some(asked));
        self.broker_go_on(part);
    }

    pub(super) fn broker_step(&mut self, part: PartId, step: broker::Step) {
        let Some(state) = self.queue(part) else { return };
        state.scheduled.retain(|known| *known != step);
        let mut facts = Vec::new();
        let output = state.broker.take(step, &mut facts);
        self.broker_facts(part, &Known::default(), &facts, None);
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
                self.send(part, conn, Body::Answer { asked, answer }, order);
            }
            Output::Return { token, .. } => {
                let known = self.queue(part).and_then(|state| state.asked.remove(&(conn, token)));
                let Some(asked) = known else { return };
                let order = asked.order;
                let what = What::AnswerLeft { to: client, ask: asked.ask.clone() };
                self.note_order(part, what, order);
                let message = "no queue is bound for this message".into();
                let answer = Answer::Error { message, code: "unroutable".into() };
                self.send(part, conn, Body::Answer { asked, answer }, order);
            }
            Output::Deliver { token, tag, redelivered, message, .. } => {
                let order = order_of(&message.body);
                self.note_order(part, What::Delivered { to: client, redelivered }, order);
                let subscription = token as u32;
                let body = Body::Delivery { subscription, tag, redelivered, message };
                self.send(part, conn, body, order);
            }
            Output::Closed { .. } => {
                if let Some(state) = self.queue(part) {
                    state.asked.retain(|(of, _), _| *of != conn);
                }
                self.hang_up(part, conn);
            }
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
        self.broker_watches_expiry(part);
    }

    /// Keeps one timer for the message that expires next.
    fn broker_watches_expiry(&mut self, part: PartId) {
        let now_us = self.world.now_us();
        let Some(state) = self.queue(part) else { return };
        let next_us = state.broker.next_expiry_us();
        if state.expiry.map(|(at_us, _)| at_us) == next_us {
            return;
        }
        if let Some((_, timer)) = state.expiry.take() {
            self.world.cancel(timer);
        }
        if let Some(at_us) = next_us {
            let timer = self.world.schedule(part, (at_us - now_us).max(0), Task::Expire);
            if let Some(state) = self.queue(part) {
                state.expiry = Some((at_us, timer));
            }
        }
    }

    pub(super) fn broker_expires(&mut self, part: PartId) {
        let now_us = self.world.now_us();
        let Some(state) = self.queue(part) else { return };
        state.expiry = None;
        let known = Known::all(&state.broker);
        let mut facts = Vec::new();
        state.broker.expire(now_us, &mut facts);
        self.broker_facts(part, &known, &facts, None);
        self.broker_go_on(part);
    }

    pub(super) fn broker_client_gone(&mut self, part: PartId, conn: u32, client: PartId) {
        let now_us = self.world.now_us();
        let Some(state) = self.queue(part) else { return };
        state.asked.retain(|(of, _), _| *of != conn);
        let known = Known::unacked(&state.broker, ConnId(conn));
        let mut facts = Vec::new();
        state.broker.disconnect(ConnId(conn), now_us, &mut facts);
        self.note(part, What::ClientGone { client, rolled_back: false });
        self.broker_facts(part, &known, &facts, None);
        self.broker_go_on(part);
    }

    pub(super) fn broker_crash(&mut self, part: PartId) {
        let now_us = self.world.now_us();
        let Some(state) = self.queue(part) else { return };
        state.scheduled.clear();
        state.asked.clear();
        state.expiry = None;
        let known = Known::all(&state.broker);
        let mut facts = Vec::new();
        state.broker.crash(now_us, &mut facts);
        self.broker_facts(part, &known, &facts, None);
        self.world.holds.release_all(part);
    }

    fn broker_facts(&mut self, part: PartId, known: &Known, facts: &[Fact], asked: Option<&Asked>) {
        for fact in facts {
            self.broker_counts(part, fact);
            let Some((what, order)) = self.broker_event(part, known, fact, asked) else { continue };
            match asked {
                Some(asked) => self.note_call(part, what, asked, Phase::Effect),
                None => self.note_order(part, what, order),
            }
        }
    }

    /// Whether the world is another one after this. A message that is handed out and comes back
    /// is where it was, unless its deliveries are numbered.
    fn broker_counts(&mut self, part: PartId, fact: &Fact) {
        match fact {
            Fact::Delivered { entry, conn, .. } => {
                let client = self.world.client_of(conn.0).unwrap_or(part);
                let thing = Thing::Entry(entry.0);
                self.world.holds.add(Hold { server: part, client, thing, conn: conn.0 });
                match self.queue(part).is_some_and(|state| has_limit(&state.broker, *entry)) {
                    true => self.changed(),
                    false => self.stirred(),
                }
            }
            Fact::Requeued { entry, .. } => {
                self.world.holds.release_entry(part, entry.0);
                self.stirred();
            }
            Fact::Acked { entry, .. }
            | Fact::DeadLettered { entry, .. }
            | Fact::Dropped { entry: Some(entry), .. } => {
                self.world.holds.release_entry(part, entry.0);
                self.changed();
            }
            // What was routed nowhere left the broker as it was.
            Fact::Dropped { entry: None, .. }
            | Fact::ConfirmLost { .. }
            | Fact::Closed { .. }
            | Fact::Ignored { .. } => {}
            _ => self.changed(),
        }
    }

    /// What a fact is in the log, and about which order.
    fn broker_event(
        &mut self,
        part: PartId,
        known: &Known,
        fact: &Fact,
        asked: Option<&Asked>,
    ) -> Option<(What, Option<i64>)> {
        let state = self.queue(part)?;
        let entry = |id: &EntryId| known.find(&state.broker, *id);
        Some(match fact {
            Fact::Stored { entry: id, .. } => {
                let (topic, order) = entry(id);
                (What::Stored(topic), order)
            }
            Fact::Flushed { entry: id } => {
                let (topic, order) = entry(id);
                (What::Flushed(topic), order)
            }
            Fact::Acked { entry: id, conn, automatic: false, .. } => {
                let order = entry(id).1;
                (What::Acked(self.world.client_of(conn.0).unwrap_or(part)), order)
            }
            Fact::Requeued { entry: id, .. } => {
                let (topic, order) = entry(id);
                (What::Requeued(topic), order)
            }
            Fact::Dropped { entry: id, cause, .. } => {
                let asked = asked.map(|asked| (asked.ask.object.clone(), asked.order));
                let found = id.as_ref().map(entry).or(asked);
                let (what, order) = found.unwrap_or_else(|| ("".into(), None));
                (What::Lost { what, loss: loss(*cause) }, order)
            }
            _ => return None,
        })
    }
}

/// Topic and order of entries as they were before something happened that may have removed them.
#[derive(Debug, Default)]
struct Known(Vec<(EntryId, Arc<str>, Option<i64>)>);

impl Known {
    fn of<'a>(entries: impl Iterator<Item = &'a broker::Entry>) -> Self {
        let about = |entry: &broker::Entry| {
            (entry.id, entry.message.topic.clone(), order_of(&entry.message.body))
        };
        Self(entries.map(about).collect())
    }

    fn all(broker: &QueueBroker) -> Self {
        Self::of(broker.queues().flat_map(|queue| queue.entries))
    }

    /// What the consumers of a connection hold.
    fn unacked(broker: &QueueBroker, whose: ConnId) -> Self {
        let held = broker.unacked().filter(|(conn, ..)| *conn == whose);
        Self::of(held.map(|(_, _, entry)| entry))
    }

    fn find(&self, broker: &QueueBroker, id: EntryId) -> (Arc<str>, Option<i64>) {
        let before = self.0.iter().find(|(known, ..)| *known == id);
        match (before, broker.entry(id)) {
            (Some((_, topic, order)), _) => (topic.clone(), *order),
            (None, Some(entry)) => (entry.message.topic.clone(), order_of(&entry.message.body)),
            (None, None) => ("".into(), None),
        }
    }
}

/// Whether the queue of an entry counts its deliveries.
fn has_limit(broker: &QueueBroker, id: EntryId) -> bool {
    let queue = broker.queues().find(|queue| queue.entries.iter().any(|entry| entry.id == id));
    queue.is_some_and(|queue| queue.config.limit().is_some())
}

fn loss(cause: Cause) -> Loss {
    match cause {
        Cause::Unroutable | Cause::Returned | Cause::NoExchange => Loss::Unroutable,
        Cause::Transient | Cause::NotOnDisk | Cause::QueueGone => Loss::NotOnDisk,
        Cause::Rejected | Cause::DeliveryLimit | Cause::Expired => Loss::Discarded,
    }
}
