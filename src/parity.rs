//! Runs of all built-in scenes under faults, as text: the same on every machine, whatever the
//! width of its words. `cargo xtask test` compares what this gives natively and in WASM.

use std::fmt::Write as _;
use std::ops::Range;

use crate::audit::{Moment, Verdict, judge, tally};
use crate::scene::{Scene, catalogue};
use crate::sim::{Digest, Event, Fault, Limits, PartId, World, fingerprint};

/// Faults in one run.
const FAULTS: u64 = 4;
/// A run is at most so many steps away from its next fault.
const STRIDE: u64 = 30;

/// One line for each built-in scene and seed: steps, the digest of all events, the fingerprint of
/// the world at rest, and the verdicts. The faults of a run follow from its seed.
pub fn digests(seeds: Range<u64>) -> String {
    let mut text = String::new();
    for built_in in catalogue::ALL {
        // A scene that cannot be read would stand out as a single line.
        let Ok(scene) = Scene::open(built_in.source()) else {
            text.push_str("unreadable\n");
            continue;
        };
        for seed in seeds.clone() {
            // Writing to a string cannot fail.
            let _done = writeln!(text, "{} {seed} {}", built_in.id, run(&scene, seed));
        }
    }
    text
}

fn run(scene: &Scene, seed: u64) -> String {
    let mut world = World::new(scene.setup(seed));
    let mut events = Vec::new();
    for nth in 0..FAULTS {
        for _ in 0..draw(seed, nth, Draw::Gap) % STRIDE {
            world.step(&mut events);
        }
        // Some faults make no sense at their moment: a second cord out of one part. That the
        // same ones do on both sides shows in the events.
        let _done = world.apply(fault(&world, seed, nth), &mut events);
    }
    let at_rest = world.settle(Limits::default(), &mut events);
    let moment = if at_rest { Moment::Rest } else { Moment::Limit };
    let counts = tally(&judge(scene, &world, moment));
    let named = Verdict::ALL.iter().zip(counts).filter(|(_, count)| *count > 0);
    let verdicts: Vec<String> =
        named.map(|(verdict, count)| format!("{}={count}", verdict.id())).collect();
    let (steps, state) = (world.steps(), fingerprint(&world));
    format!("{steps} {} {state:016x} {}", digest(&events), verdicts.join(" "))
}

fn digest(events: &[Event]) -> String {
    let mut digest = Digest::default();
    for event in events {
        digest.add(event);
    }
    digest.text()
}

/// What a number is drawn for.
#[derive(Clone, Copy, Hash)]
enum Draw {
    Gap,
    Kind,
    Part,
    Peer,
    Message,
}

/// A number that follows from the seed and from what it is for.
fn draw(seed: u64, nth: u64, what: Draw) -> u64 {
    fingerprint(&(seed, nth, what))
}

fn fault(world: &World, seed: u64, nth: u64) -> Fault {
    let cords: Vec<PartId> = {
        let setup = world.setup();
        setup.part_ids().filter(|part| setup.has_cord(*part)).collect()
    };
    let pick = |what| {
        let at = draw(seed, nth, what) % cords.len().max(1) as u64;
        cords.get(at as usize).copied().unwrap_or(PartId::CUSTOMERS)
    };
    let part = pick(Draw::Part);
    let flying: Vec<_> = world.in_flight().map(|(message, _)| message.name).collect();
    let at = draw(seed, nth, Draw::Message) % flying.len().max(1) as u64;
    match (draw(seed, nth, Draw::Kind) % 6, flying.get(at as usize)) {
        (0, _) => Fault::Kill(part),
        (1, _) => Fault::Cut(part, pick(Draw::Peer)),
        (2, _) => Fault::Refuse(part),
        (3, Some(message)) => Fault::Drop(*message),
        (4, Some(message)) => Fault::Delay(*message, 1_500_000),
        _ => Fault::Unplug(part),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_line_is_the_same_again_and_lines_differ() {
        let lines = digests(0..5);
        assert_eq!(lines, digests(0..5));
        assert_eq!(lines.lines().count(), 5 * catalogue::ALL.len());
        let runs: std::collections::BTreeSet<_> =
            lines.lines().map(|line| (line.split(' ').next(), line.split(' ').nth(3))).collect();
        assert_eq!(
            runs.len(),
            5 * catalogue::ALL.len(),
            "each run of a scene is another:\n{lines}"
        );
        assert!(!lines.contains("undecided"), "{lines}");
    }
}
