//! Crash maps: which cells there are, and that each is the run it stands for.

use std::collections::BTreeSet;
use std::sync::Arc;

use super::map::{MapOptions, Mapper};
use super::{CrashMap, FaultKind};
use crate::audit::{Verdict, tally};
use crate::run::{action, finish};
use crate::scene::{Scene, catalogue};
use crate::sim::{Limits, World};

fn scene(id: &str) -> Arc<Scene> {
    let source = catalogue::find(id).map_or("", |scene| scene.source());
    match Scene::open(source) {
        Ok(scene) => Arc::new(scene),
        Err(errors) => unreachable!("{errors:?}"),
    }
}

fn map(scene: &Arc<Scene>, fault: FaultKind) -> CrashMap {
    let options = MapOptions { fault, ..MapOptions::default() };
    Mapper::new(scene.clone(), World::new(scene.setup(0)), options).finish()
}

#[test]
fn there_is_a_cell_for_each_part_at_each_step_at_which_it_is_up() {
    let scene = scene("dual-write/commit-then-send");
    let map = map(&scene, FaultKind::Unplug);
    let mut expected = BTreeSet::new();
    let mut world = World::new(scene.setup(0));
    while !world.is_at_rest() {
        let up = world.setup().part_ids().filter(|part| world.station(*part).is_up());
        let corded = up.filter(|part| world.setup().has_cord(*part));
        expected.extend(corded.map(|part| (world.steps() + 1, part)));
        if !world.step(&mut Vec::new()) {
            break;
        }
    }
    let cells: BTreeSet<_> = map.cells.iter().map(|cell| (cell.step, cell.part)).collect();
    assert_eq!(cells, expected);
    assert_eq!(map.cells.len(), expected.len());
    assert_eq!(map.steps, world.steps());
}

#[test]
fn a_cell_is_what_the_run_with_its_actions_comes_to() {
    let scene = scene("outbox/one-relay");
    for (fault, words) in
        [(FaultKind::Unplug, ["unplug", "plug"]), (FaultKind::Kill, ["kill", "restart"])]
    {
        for cell in map(&scene, fault).cells.iter().step_by(37) {
            let part = &scene.setup.part(cell.part).name;
            let actions = format!("{}:{part}@{},{}:{part}@+1000", words[0], cell.step, words[1]);
            let (actions, _) = action::parse_list(&actions);
            let run = finish(&scene, 0, &actions, Limits::default());
            assert_eq!(run.map(|run| tally(&run.accounts)), Ok(cell.counts), "{actions:?}");
        }
    }
}

#[test]
fn the_outbox_loses_nothing_and_may_double() {
    let totals = map(&scene("outbox/one-relay"), FaultKind::Unplug).totals();
    assert_eq!(totals[Verdict::Lost as usize], 0);
    assert!(totals[Verdict::Doubled as usize] > 0);
}

#[test]
fn two_writes_lose_letters_in_one_order_and_send_phantoms_in_the_other() {
    let totals = |id| map(&scene(id), FaultKind::Unplug).totals();
    let first = totals("dual-write/commit-then-send");
    assert!(first[Verdict::Lost as usize] > 0 && first[Verdict::Phantom as usize] == 0);
    let second = totals("dual-write/send-then-commit");
    assert!(second[Verdict::Phantom as usize] > 0 && second[Verdict::Lost as usize] == 0);
}

#[test]
fn an_inbox_in_one_transaction_is_always_once() {
    for fault in [FaultKind::Unplug, FaultKind::Kill] {
        let totals = map(&scene("inbox/one-transaction"), fault).totals();
        let wrong: u32 = totals.iter().sum::<u32>()
            - totals[Verdict::Once as usize]
            - totals[Verdict::NotPlaced as usize];
        assert_eq!(wrong, 0);
    }
}

#[test]
fn the_line_of_a_cell_is_the_open_call_and_not_the_subscription() {
    let scene = scene("outbox/one-relay");
    let line = |text: &str| {
        scene.source.lines().position(|line| line.contains(text)).map(|n| n as u32 + 1)
    };
    let letters = scene.setup.part_named("letters");
    let map = map(&scene, FaultKind::Unplug);
    let cells = map.cells.iter().filter(|cell| Some(cell.part) == letters);
    let lines: BTreeSet<_> = cells.map(|cell| cell.line).collect();
    assert_eq!(lines, BTreeSet::from([line("broker.subscribe"), line("mailer.send")]));
}
