//! Puts the stage together.

use super::flights::flights;
use super::graves::graves;
use super::role::{line_of, role_of};
use super::shelves::{letters, memory, shelves};
use super::{Link, PartBox, Power, Role, Stage};
use crate::scene::Scene;
use crate::sim::{Event, PartId, PartKind, Power as Supply, Setup, World};

/// The key of the customers' mailbox, which is no part of the scene.
const MAILBOX: &str = "mailbox";

/// The stage at one moment; `log` is what has happened up to it.
pub fn of(scene: &Scene, world: &World, log: &[Event]) -> Stage {
    let places = Places::of(world.setup());
    let mut stage = Stage {
        parts: world.setup().part_ids().map(|part| part_box(world, part, log)).collect(),
        links: links(scene, world, &places),
        flights: flights(world, log, &places),
        graves: graves(world, log, &places),
        now_us: world.now_us(),
    };
    if let Some(mailbox) = places.mailbox {
        stage.parts.insert(mailbox as usize, mailbox_box(world));
    }
    stage
}

/// Where each part stands among the boxes.
pub(super) struct Places {
    /// The place of the mailbox, right after the last mail service.
    pub(super) mailbox: Option<u32>,
}

impl Places {
    fn of(setup: &Setup) -> Self {
        let is_mail = |part: &PartId| matches!(setup.part(*part).kind, PartKind::Mail { .. });
        let last = setup.part_ids().filter(is_mail).last();
        Self { mailbox: last.map(|part| u32::from(part.0) + 1) }
    }

    /// The index of a part's box.
    pub(super) fn of_part(&self, part: PartId) -> u32 {
        let index = u32::from(part.0);
        index + u32::from(self.mailbox.is_some_and(|mailbox| mailbox <= index))
    }
}

fn part_box(world: &World, part: PartId, log: &[Event]) -> PartBox {
    let setup = world.setup();
    let station = world.station(part);
    PartBox {
        key: setup.part(part).name.clone(),
        role: role_of(setup, part),
        has_cord: setup.has_cord(part),
        power: match station.power {
            Supply::On | Supply::Starting => Power::On,
            Supply::Unplugged => Power::Unplugged,
            Supply::Killed => Power::Killed,
            Supply::Crashed { until_us } => Power::Restarting { at_us: until_us },
        },
        line: line_of(world, part),
        memory: memory(world, part),
        shelves: shelves(world, part, log),
    }
}

fn mailbox_box(world: &World) -> PartBox {
    PartBox {
        key: MAILBOX.into(),
        role: Role::Mailbox,
        has_cord: false,
        power: Power::On,
        line: None,
        memory: Vec::new(),
        shelves: vec![letters(world)],
    }
}

/// Customers talk to the services, programs to the parts that they name, mail services to the
/// mailbox.
fn links(scene: &Scene, world: &World, places: &Places) -> Vec<Link> {
    let setup = world.setup();
    let services = setup
        .part_ids()
        .filter(|part| matches!(setup.part(*part).kind, PartKind::Service { .. }))
        .map(|part| (PartId::CUSTOMERS, part));
    let uses = scene.programs.iter().flat_map(|program| {
        program.uses.iter().map(|used| (program.part, *used)).collect::<Vec<_>>()
    });
    let mut links: Vec<Link> = Vec::new();
    for (from, to) in services.chain(uses) {
        let pair = (from.min(to), from.max(to));
        let cut = world.cuts().any(|known| known == pair);
        let link = Link { from: places.of_part(from), to: places.of_part(to), cut };
        if !links.contains(&link) {
            links.push(link);
        }
    }
    let mails =
        setup.part_ids().filter(|part| matches!(setup.part(*part).kind, PartKind::Mail { .. }));
    if let Some(mailbox) = places.mailbox {
        let link = |part| Link { from: places.of_part(part), to: mailbox, cut: false };
        links.extend(mails.map(link));
    }
    links
}
