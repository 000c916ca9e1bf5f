//! Temporary.
use crate::sim::{Machine, PartKind, Power as SimPower, World};
use crate::view::stage::*;

pub(super) fn stage(world: &World) -> Stage {
    let setup = world.setup();
    let mut parts = Vec::new();
    for id in setup.part_ids() {
        let station = world.station(id);
        let role = match &setup.part(id).kind {
            PartKind::Customers => Role::Customers,
            PartKind::Service { .. } => Role::Service,
            PartKind::Worker { .. } => {
                if &*setup.part(id).name == "relay" {
                    Role::Relay
                } else {
                    Role::Consumer
                }
            }
            PartKind::Database { .. } => Role::Database,
            PartKind::Queue { .. } => Role::Queue,
            PartKind::Mail { .. } => Role::Mail,
        };
        let _ = matches!(station.machine, Machine::Mail(_));
        parts.push(PartBox {
            key: setup.part(id).name.clone(),
            role,
            has_cord: setup.has_cord(id),
            power: match station.power {
                SimPower::On | SimPower::Starting => Power::On,
                SimPower::Unplugged => Power::Unplugged,
                SimPower::Killed => Power::Killed,
                SimPower::Crashed { until_us } => Power::Restarting { at_us: until_us },
            },
            line: None,
            memory: vec![],
            shelves: vec![],
        });
    }
    let links = (1..parts.len() as u32).map(|to| Link { from: to - 1, to, cut: false }).collect();
    let flights = world
        .in_flight()
        .map(|(m, at)| Flight {
            name: m.name.text(setup).into(),
            from: m.from.0.into(),
            to: m.to.0.into(),
            chip: Chip {
                order: m.order.map(|o| o as u32),
                copy: 1,
                text: m.body.asked().map(|a| a.ask.verb.to_string()).unwrap_or_default().into(),
                mark: Mark::Plain,
                locked_by: None,
                detail: "".into(),
            },
            kind: FlightKind::Request,
            depart_us: m.depart_us,
            arrive_us: at.unwrap_or(m.depart_us + 1_000_000),
        })
        .collect();
    Stage { parts, links, flights, graves: vec![], now_us: world.now_us() }
}
