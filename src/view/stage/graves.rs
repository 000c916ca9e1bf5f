//! The graveyard: what was lost, by part and cause.

use crate::collections::Map;

use super::build::Places;
use super::{Cause, Chip, Grave, Mark};
use crate::sim::{Event, Loss, What, World};

/// What the log says was lost, by box, then by cause.
pub(super) fn graves(world: &World, log: &[Event], places: &Places) -> Vec<Grave> {
    let _ = world;
    let mut graves: Map<(u32, Cause), Vec<Chip>> = Map::new();
    for event in log {
        let What::Lost { what, loss } = &event.what else { continue };
        let chips = graves.entry((places.of_part(event.part), cause(*loss))).or_default();
        let order = event.order.and_then(|order| u32::try_from(order).ok());
        let same = |chip: &&Chip| chip.order == order && chip.detail == *what;
        let copy = chips.iter().filter(same).count() as u32 + 1;
        let text = if order.is_some() { "".into() } else { what.clone() };
        let detail = what.clone();
        chips.push(Chip { order, copy, text, mark: Mark::Plain, locked_by: None, detail });
    }
    let grave = |((part, cause), chips)| Grave { part, cause, chips };
    graves.into_iter().map(grave).collect()
}

fn cause(loss: Loss) -> Cause {
    match loss {
        Loss::Memory => Cause::Memory,
        Loss::RolledBack => Cause::RolledBack,
        Loss::NoPower | Loss::NoConnection => Cause::Undeliverable,
        Loss::Dropped => Cause::Dropped,
        Loss::Discarded => Cause::Discarded,
        Loss::Unroutable => Cause::Unroutable,
        Loss::NotOnDisk => Cause::NotOnDisk,
    }
}
