//! `plug map`: every crash of a run.
#![expect(clippy::print_stdout, reason = "a command line prints")]

use std::sync::Arc;

use pull_the_plug::audit::Verdict;
use pull_the_plug::explore::map::Mapper;
use pull_the_plug::explore::{CrashMap, MapOptions};
use pull_the_plug::sim::{Setup, World};
use serde_json::{Map as Object, Value, json};

use super::Ended;
use super::arguments::Map;
use super::{check, json};

pub(crate) fn map(options: &Map) -> Ended {
    let Some(scene) = check::open(&options.file, options.output) else { return Ended::Invalid };
    let setup = scene.setup(options.seed);
    let map_options = MapOptions {
        fault: options.fault,
        restart_us: i64::from(options.restart_ms) * 1000,
        ..MapOptions::default()
    };
    let world = World::new(setup.clone());
    let map = Mapper::new(Arc::new(scene), world, map_options).finish();
    if options.output.json {
        println!("{}", as_json(&map, &setup));
    } else {
        as_text(&map, &setup);
    }
    let limit = map.totals()[Verdict::Undecided as usize] > 0;
    if limit { Ended::Limit } else { Ended::Ran }
}

fn as_json(map: &CrashMap, setup: &Setup) -> Value {
    let cells = map.cells.iter().map(|cell| {
        let verdicts = Verdict::ALL.iter().zip(cell.counts).filter(|(_, count)| *count > 0);
        let verdicts = verdicts.map(|(verdict, count)| (verdict.id().to_owned(), json!(count)));
        json!({
            "part": setup.part(cell.part).name.as_ref(),
            "step": cell.step,
            "line": cell.line,
            "verdicts": verdicts.collect::<Object<_, _>>(),
        })
    });
    json!({
        "steps": map.steps,
        "cells": cells.collect::<Vec<_>>(),
        "totals": json::counts(&map.totals()),
    })
}

fn as_text(map: &CrashMap, setup: &Setup) {
    for part in setup.part_ids().filter(|part| setup.has_cord(*part)) {
        let row: String = (1..=map.steps)
            .map(|step| {
                let cell = map.cells.iter().find(|cell| cell.part == part && cell.step == step);
                cell.map_or(' ', |cell| sign(cell.worst()))
            })
            .collect();
        println!("{:>12} {row}", setup.part(part).name);
    }
    println!();
    for (verdict, total) in Verdict::ALL.iter().zip(map.totals()) {
        if total > 0 {
            println!("{:>14} {} {total}", verdict.id(), sign(*verdict));
        }
    }
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
