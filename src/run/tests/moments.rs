//! Naming moments: steps, stretches of time, places in the life of a call, named moments.

use std::sync::Arc;

use super::bench::{LETTERS, PLACE, SHOP, run, scene, shop};
use crate::run::Finished;
use crate::scene::Scene;
use crate::sim::{Phase, What};

fn line(scene: &Arc<Scene>, text: &str) -> usize {
    1 + scene.source.lines().position(|line| line.contains(text)).unwrap_or(0)
}

fn pulled(finished: &Finished) -> (u64, i64) {
    let found = finished.events.iter().find(|event| event.what == What::Unplugged);
    found.map_or((0, 0), |event| (event.step, event.time_us))
}

/// The step in which a call of this line comes to this phase.
fn step_of(finished: &Finished, line: usize, phase: Phase) -> u64 {
    let at = |event: &&crate::sim::Event| {
        event.call.is_some_and(|(site, of)| site.line as usize == line && of == phase)
    };
    finished.events.iter().find(at).map_or(0, |event| event.step)
}

#[test]
fn an_action_at_a_step_happens_before_it() {
    assert_eq!(pulled(&run(&shop(), "unplug:db@9")).0, 9);
}

#[test]
fn a_stretch_of_time_counts_from_the_action_before() {
    let finished = run(&shop(), "unplug:db@9,plug:db@+1500");
    let plugged = finished.events.iter().find(|event| event.what == What::Plugged);
    assert_eq!(plugged.map(|event| event.time_us), Some(pulled(&finished).1 + 1_500_000));
}

#[test]
fn before_a_call_is_before_the_step_in_which_it_leaves() {
    let scene = shop();
    let publish = line(&scene, "broker.publish");
    let leaves = step_of(&run(&scene, ""), publish, Phase::Leaves);
    let finished = run(&scene, &format!("unplug:shop@shop.{publish}:before"));
    assert_eq!(pulled(&finished).0, leaves);
    assert_eq!(step_of(&finished, publish, Phase::Leaves), 0);
}

#[test]
fn an_effect_and_an_answer_are_after_their_steps() {
    let scene = shop();
    let publish = line(&scene, "broker.publish");
    for (word, phase) in [("effect", Phase::Effect), ("answer", Phase::Answer)] {
        let step = step_of(&run(&scene, ""), publish, phase);
        let finished = run(&scene, &format!("unplug:broker@shop.{publish}:{word}"));
        assert_eq!(pulled(&finished).0, step + 1, "{word}");
    }
}

#[test]
fn a_named_moment_can_be_told_by_its_number() {
    let scene = scene(SHOP, 3, &[PLACE, LETTERS]);
    let published = line(&scene, "moment: published");
    let undisturbed = run(&scene, "");
    let effects = undisturbed.events.iter().filter(|event| {
        event
            .call
            .is_some_and(|(site, phase)| site.line as usize == published && phase == Phase::Effect)
    });
    let second = effects.map(|event| event.step).nth(1).unwrap_or(0);
    assert_eq!(pulled(&run(&scene, "unplug:broker@published#2")).0, second + 1);
}

#[test]
fn an_action_whose_moment_never_comes_is_done_at_rest() {
    let finished = run(&shop(), "unplug:db@published#7");
    let (step, _) = pulled(&finished);
    assert!(step > 1 && finished.missed.is_empty());
    let late = run(&shop(), "unplug:db@99999");
    assert_eq!(pulled(&late).0, step);
}

#[test]
fn the_next_event_can_be_chosen() {
    let scene = scene(SHOP, 2, &[PLACE, LETTERS]);
    let finished = run(&scene, "next:customers.2@1");
    assert_eq!(finished.missed, []);
    let first = finished.events.first();
    assert!(first.is_some_and(|event| event.what == What::Ordered && event.step == 1));
}

#[test]
fn what_makes_no_sense_is_told_and_the_rest_is_done() {
    let finished = run(&shop(), "plug:db@3,unplug:db@9");
    assert_eq!(finished.missed.iter().map(|missed| missed.index).collect::<Vec<_>>(), [0]);
    assert_eq!(pulled(&finished).0, 9);
}

#[test]
fn a_moment_is_counted_over_the_whole_run_whatever_was_done_before() {
    let scene = scene(SHOP, 3, &[PLACE, LETTERS]);
    let alone = pulled(&run(&scene, "unplug:broker@published#2"));
    let after_another = pulled(&run(&scene, "plug:shop@published#1,unplug:broker@published#2"));
    assert_eq!(after_another.0, alone.0);
}
