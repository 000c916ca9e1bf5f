//! `plug map`: every crash of a run.

use std::fmt::Write as _;
use std::sync::Arc;

use pull_the_plug::audit::Verdict;
use pull_the_plug::explore::map::Mapper;
use pull_the_plug::explore::{CrashMap, MapOptions};
use pull_the_plug::run::finish;
use pull_the_plug::scene::Scene;
use pull_the_plug::sim::{Setup, World};
use serde_json::{Value, json};

use super::arguments::Map;
use super::report::{Ended, Report};
use super::{check, json};

pub(crate) fn map(options: &Map) -> Report {
    let scene = match check::open(&options.file, options.output) {
        Ok(scene) => Arc::new(scene),
        Err(report) => return report,
    };
    let setup = scene.setup(options.seed);
    let (map, rests) = make(&scene, options, &setup);
    let limit = !rests || map.totals()[Verdict::Undecided as usize] > 0;
    let out = if options.output.json { as_json(&map, &setup) } else { as_text(&map, &setup) };
    let err = match rests {
        true => String::new(),
        false => "plug: the run without failures reached a limit, so nothing was mapped\n".into(),
    };
    Report { out, err, ended: if limit { Ended::Limit } else { Ended::Ran } }
}

/// The map, and whether the undisturbed run comes to rest. If it does not, no cell would, and
/// each would take as long to find that out, so the map stays empty.
fn make(scene: &Arc<Scene>, options: &Map, setup: &Arc<Setup>) -> (CrashMap, bool) {
    let map_options = MapOptions {
        fault: options.fault,
        restart_us: i64::from(options.restart_ms) * 1000,
        ..MapOptions::default()
    };
    match finish(scene, options.seed, &[], map_options.limits) {
        Ok(run) if !run.at_rest => (CrashMap { steps: run.steps, cells: Vec::new() }, false),
        _ => {
            let world = World::new(setup.clone());
            (Mapper::new(scene.clone(), world, map_options).finish(), true)
        }
    }
}

fn as_json(map: &CrashMap, setup: &Setup) -> String {
    let cells = map.cells.iter().map(|cell| {
        json!({
            "part": setup.part(cell.part).name.as_ref(),
            "step": cell.step,
            "line": cell.line,
            "verdicts": json::counts(&cell.counts),
        })
    });
    let map = json!({
        "steps": map.steps,
        "cells": cells.collect::<Vec<Value>>(),
        "totals": json::counts(&map.totals()),
    });
    format!("{map}\n")
}

fn as_text(map: &CrashMap, setup: &Setup) -> String {
    let mut text = String::new();
    for part in setup.part_ids().filter(|part| setup.has_cord(*part)) {
        let mut row = String::new();
        for cell in map.cells.iter().filter(|cell| cell.part == part) {
            let missing = cell.step.saturating_sub(1 + row.len() as u64);
            row.extend((0..missing).map(|_| ' '));
            row.push(sign(cell.worst()));
        }
        // Writing to a string cannot fail.
        let _done = writeln!(text, "{:>12} {row}", setup.part(part).name);
    }
    text.push('\n');
    for (verdict, total) in Verdict::ALL.iter().zip(map.totals()) {
        if total > 0 {
            let _done = writeln!(text, "{:>14} {} {total}", verdict.id(), sign(*verdict));
        }
    }
    text
}

fn sign(verdict: Verdict) -> char {
    match verdict {
        Verdict::Once => '.',
        Verdict::NotPlaced => '-',
        Verdict::InFlight => '~',
        Verdict::Lost => '0',
        Verdict::Doubled => '2',
        Verdict::Phantom => '?',
        Verdict::OutOfOrder => '<',
        Verdict::Stuck => '#',
        Verdict::Inconsistent => '!',
        Verdict::Undecided => 'u',
    }
}
