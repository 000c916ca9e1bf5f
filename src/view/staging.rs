//! Puts a world on the stage: what each box holds, what flies, what was lost.

mod shelves;

use std::sync::Arc;

use super::stage::{
    Cause, Chip, Flight, FlightKind, Grave, Link, Mark, PartBox, Power, Role, Stage,
};
use crate::scene::Scene;
use crate::sim::identity::order_of;
use crate::sim::part::broker;
use crate::sim::{Body, Event, Loss, Message, PartId, PartKind, Power as Supply, What, World};

/// The mailbox of the customers, which no scene declares.
const MAILBOX: &str = "mailbox";
/// Where a message is drawn to that a cut link holds: so far ahead, in microseconds.
const HELD_US: i64 = 10_000_000;

/// The stage at one moment; `events` are those up to it.
pub fn stage(scene: &Scene, world: &World, events: &[Event]) -> Stage {
    let setup = world.setup();
    let view = View { scene, world, events };
    let mut parts: Vec<PartBox> = setup.part_ids().map(|part| view.part(part)).collect();
    let mut links = view.links();
    if let Some(mail) = parts.iter().position(|part| part.role == Role::Mail) {
        links.push(Link { from: mail as u32, to: parts.len() as u32, cut: false });
        parts.push(view.mailbox());
    }
    let flights = world.in_flight().map(|(message, at)| view.flight(message, at));
    Stage {
        flights: flights.collect(),
        graves: view.graves(),
        parts,
        links,
        now_us: world.now_us(),
    }
}

struct View<'a> {
    scene: &'a Scene,
    world: &'a World,
    events: &'a [Event],
}

impl View<'_> {
    fn part(&self, part: PartId) -> PartBox {
        let setup = self.world.setup();
        PartBox {
            key: setup.part(part).name.clone(),
            role: self.role(part),
            has_cord: setup.has_cord(part),
            power: power(self.world.station(part).power),
            line: self.line(part),
            memory: self.memory(part),
            shelves: self.shelves(part),
        }
    }

    /// What a part is; of programs, by the calls they make.
    fn role(&self, part: PartId) -> Role {
        match &self.world.setup().part(part).kind {
            PartKind::Customers => Role::Customers,
            PartKind::Service { .. } => Role::Service,
            PartKind::Database { .. } => Role::Database,
            PartKind::Queue { .. } => Role::Queue,
            PartKind::Mail { .. } => Role::Mail,
            PartKind::Worker { .. } if self.calls(part, ".subscribe(") => Role::Consumer,
            PartKind::Worker { .. } if self.calls(part, ".publish(") => Role::Relay,
            PartKind::Worker { .. } => Role::Worker,
        }
    }

    fn calls(&self, part: PartId, call: &str) -> bool {
        let Some(program) = self.scene.programs.iter().find(|program| program.part == part) else {
            return false;
        };
        let lines = self.scene.source.lines().zip(1u32..);
        let mut own = lines.filter(|(_, line)| (program.first..=program.last).contains(line));
        own.any(|(text, _)| text.contains(call))
    }

    /// The line of the newest call that waits.
    fn line(&self, part: PartId) -> Option<u32> {
        let process = self.world.station(part).process()?;
        let (_, at) = process.vm.waits_at().last()?;
        Some(self.world.setup().lines.line(at))
    }

    /// The orders that a program has in hand.
    fn memory(&self, part: PartId) -> Vec<Chip> {
        let Some(process) = self.world.station(part).process() else { return Vec::new() };
        let known = process.vm.memory();
        let mut orders: Vec<i64> = known.iter().filter_map(order_of).collect();
        orders.extend(self.in_hand(part));
        orders.sort_unstable();
        orders.dedup();
        orders.into_iter().map(|order| chip(Some(order), 1, Mark::Plain)).collect()
    }

    /// Requests and deliveries that a handler began and did not finish.
    fn in_hand(&self, part: PartId) -> Vec<i64> {
        let mut orders = Vec::new();
        for event in self.events.iter().filter(|event| event.part == part) {
            let Some(order) = event.order else {
                if matches!(event.what, What::Unplugged | What::Killed | What::Crashed { .. }) {
                    orders.clear();
                }
                continue;
            };
            match event.what {
                What::OrderArrived => orders.push(order),
                What::OrderAnswered(_) => orders.retain(|one| *one != order),
                _ => {}
            }
        }
        orders
    }

    fn links(&self) -> Vec<Link> {
        let uses = self
            .scene
            .programs
            .iter()
            .flat_map(|program| program.uses.iter().map(|used| (program.part, *used)));
        let services =
            self.world.setup().part_ids().filter(|part| {
                matches!(self.world.setup().part(*part).kind, PartKind::Service { .. })
            });
        let orders = services.map(|service| (PartId::CUSTOMERS, service));
        let links = orders.chain(uses).map(|(from, to)| {
            let cut = self.world.cuts().any(|cut| cut == (from.min(to), from.max(to)));
            Link { from: from.0.into(), to: to.0.into(), cut }
        });
        links.collect()
    }

    fn mailbox(&self) -> PartBox {
        PartBox {
            key: MAILBOX.into(),
            role: Role::Mailbox,
            has_cord: false,
            power: Power::On,
            line: None,
            memory: Vec::new(),
            shelves: vec![self.letters()],
        }
    }

    fn flight(&self, message: &Message, at: Option<i64>) -> Flight {
        let kind = Self::kind(message);
        let name = message.name.text(self.world.setup());
        let text: Arc<str> = match message.body.asked() {
            Some(asked) => asked.ask.verb.clone(),
            None => "".into(),
        };
        let copy = self.copy(message, kind);
        Flight {
            name: name.into(),
            from: message.from.0.into(),
            to: message.to.0.into(),
            chip: Chip { text, ..chip(message.order, copy, Mark::Plain) },
            kind,
            depart_us: message.depart_us,
            arrive_us: at.unwrap_or(message.depart_us + HELD_US),
        }
    }

    fn kind(message: &Message) -> FlightKind {
        match &message.body {
            Body::Order { .. } | Body::Statement { .. } | Body::Letter { .. } => {
                FlightKind::Request
            }
            Body::Answer { asked, .. } if &*asked.ask.verb == "publish" => FlightKind::Confirm,
            Body::OrderAnswer { .. } | Body::Answer { .. } => FlightKind::Answer,
            Body::ToBroker { request: broker::Request::Publish { .. }, .. } => FlightKind::Publish,
            Body::ToBroker { request: broker::Request::Ack { .. }, .. } => FlightKind::Ack,
            Body::ToBroker { .. } => FlightKind::Request,
            Body::Delivery { .. } => FlightKind::Delivery,
            Body::Reset => FlightKind::Reset,
        }
    }

    /// Which copy of its order's event or letter a message is.
    fn copy(&self, message: &Message, kind: FlightKind) -> u32 {
        let Some(order) = message.order else { return 1 };
        match (&message.body, kind) {
            (Body::Letter { .. }, _) => self.letters_of(order) + 1,
            (_, FlightKind::Publish) => self.stored(order) + 1,
            (Body::Delivery { message, .. }, _) => self.copy_of(message.origin).unwrap_or(1),
            _ => 1,
        }
    }

    fn graves(&self) -> Vec<Grave> {
        let mut graves: Vec<Grave> = Vec::new();
        for event in self.events {
            let (What::Lost { loss, .. }, Some(_)) = (&event.what, event.order) else { continue };
            let (part, cause) = (u32::from(event.part.0), cause(*loss));
            let chip = chip(event.order, 1, Mark::Plain);
            match graves.iter_mut().find(|grave| grave.part == part && grave.cause == cause) {
                Some(grave) => grave.chips.push(chip),
                None => graves.push(Grave { part, cause, chips: vec![chip] }),
            }
        }
        graves
    }
}

fn chip(order: Option<i64>, copy: u32, mark: Mark) -> Chip {
    Chip {
        order: order.and_then(|order| u32::try_from(order).ok()),
        copy,
        text: "".into(),
        mark,
        locked_by: None,
        detail: "".into(),
    }
}

fn power(supply: Supply) -> Power {
    match supply {
        Supply::On | Supply::Starting => Power::On,
        Supply::Unplugged => Power::Unplugged,
        Supply::Killed => Power::Killed,
        Supply::Crashed { until_us } => Power::Restarting { at_us: until_us },
    }
}

fn cause(loss: Loss) -> Cause {
    match loss {
        Loss::Memory => Cause::Memory,
        Loss::RolledBack => Cause::RolledBack,
        Loss::NoPower | Loss::NoConnection => Cause::Undeliverable,
        Loss::Dropped | Loss::Discarded => Cause::Dropped,
        Loss::Unroutable => Cause::Unroutable,
        Loss::NotOnDisk => Cause::NotOnDisk,
    }
}

#[cfg(test)]
mod tests;
