//! Real runs put on the stage.

use super::*;
use crate::run::{Lab, Target};
use crate::scene::catalogue;

fn lab(id: &str) -> Lab {
    Lab::open(catalogue::find(id).unwrap().source, 0, &[]).unwrap()
}

fn now(lab: &Lab) -> Stage {
    stage(lab.scene(), lab.world(), lab.log())
}

#[test]
fn every_built_in_scene_plays_on_the_stage_with_links_to_parts_that_exist() {
    for scene in catalogue::ALL {
        let mut lab = lab(scene.id);
        while lab.cursor() < 400 && lab.step() {
            let stage = now(&lab);
            let count = stage.parts.len() as u32;
            assert!(stage.links.iter().all(|link| link.from < count && link.to < count));
            assert!(stage.flights.iter().all(|flight| flight.depart_us <= flight.arrive_us));
        }
        let stage = now(&lab);
        let letters: usize = stage
            .parts
            .iter()
            .filter(|part| part.role == Role::Mailbox)
            .map(|part| part.shelves[0].chips.len())
            .sum();
        assert!(letters > 0 || !stage.parts.iter().any(|part| part.role == Role::Mailbox));
    }
}

#[test]
fn an_unplugged_service_loses_its_memory_and_says_so() {
    let mut lab = lab("dual-write/commit-then-send");
    let busy = |lab: &Lab| now(lab).parts[1].memory.len();
    while busy(&lab) == 0 && lab.step() {}
    assert!(busy(&lab) > 0);
    assert!(lab.act(crate::run::Kind::Unplug, Target::Part("shop".into())));
    let stage = now(&lab);
    assert_eq!(stage.parts[1].power, Power::Unplugged);
    assert!(stage.parts[1].memory.is_empty());
    assert!(stage.graves.iter().any(|grave| grave.cause == Cause::Memory && grave.part == 1));
}
