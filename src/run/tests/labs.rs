//! Moving about in a run: any way to a step leads to the same state.

use std::sync::Arc;

use super::bench::{LETTERS, PLACE, SHOP, scene, shop};
use crate::run::{Kind, Lab, Target, action};
use crate::scene::Scene;
use crate::sim::Limits;

fn lab(scene: &Arc<Scene>, actions: &str) -> Lab {
    Lab::of(scene.clone(), 0, &action::parse_list(actions).0)
}

fn part(name: &str) -> Target {
    Target::Part(name.into())
}

#[test]
fn seeking_equals_replaying_from_the_start() {
    let scene = scene(SHOP, 3, &[PLACE, LETTERS]);
    let actions = "unplug:broker@published#2,plug:broker@+700,kill:letters@sent#2";
    let mut moving = lab(&scene, actions);
    moving.seek_rest(Limits::default());
    let end = moving.played();
    for step in [end, 3, end / 2, 70, end - 1, 0, 64] {
        moving.seek(step);
        let mut fresh = lab(&scene, actions);
        fresh.seek(step);
        assert_eq!(moving.world(), fresh.world(), "step {step}");
        assert_eq!(moving.log(), fresh.log(), "step {step}");
        assert_eq!(moving.next_at_us(), fresh.next_at_us(), "step {step}");
    }
}

#[test]
fn back_and_forth_is_the_same_place() {
    let mut lab = lab(&shop(), "unplug:letters@sent,plug:letters@+100");
    let mut states = vec![lab.world().clone()];
    while lab.step() {
        states.push(lab.world().clone());
    }
    for state in states.iter().rev().skip(1) {
        assert!(lab.back());
        assert_eq!(lab.world(), state);
    }
    assert!(!lab.back());
    for state in states.iter().skip(1) {
        assert!(lab.step());
        assert_eq!(lab.world(), state);
    }
    assert!(!lab.step() && lab.is_at_rest());
}

#[test]
fn acting_in_the_past_forks_and_keeps_the_old_branch() {
    let mut lab = lab(&shop(), "");
    lab.seek(20);
    assert!(lab.act(Kind::Unplug, part("letters")));
    lab.seek_rest(Limits::default());
    let old = lab.world().clone();
    lab.seek(10);
    assert!(lab.act(Kind::Unplug, part("shop")));
    assert_eq!(lab.forks().len(), 1);
    assert_eq!(action::list_text(&lab.forks()[0].actions), "unplug:letters@21");
    assert_eq!(lab.forks()[0].left_at, 10);
    assert!(lab.return_to(0));
    assert_eq!(lab.cursor(), 10);
    assert_eq!(action::list_text(&lab.forks()[0].actions), "unplug:shop@11");
    lab.seek_rest(Limits::default());
    assert_eq!(lab.world(), &old);
}

#[test]
fn an_act_that_makes_no_sense_changes_nothing() {
    let mut lab = lab(&shop(), "");
    lab.seek(12);
    let before = (lab.world().clone(), lab.actions().len());
    assert!(!lab.act(Kind::Plug, part("shop")));
    assert_eq!((lab.world().clone(), lab.actions().len()), before);
}

#[test]
fn what_was_acted_is_found_again_in_a_replay() {
    let scene = scene(SHOP, 3, &[PLACE, LETTERS]);
    let mut acting = lab(&scene, "");
    acting.seek(30);
    assert!(acting.act(Kind::Kill, part("letters")));
    acting.seek(40);
    assert!(acting.act(Kind::Restart, part("letters")));
    acting.seek_rest(Limits::default());
    let mut replay = lab(&scene, &action::list_text(acting.actions()));
    replay.seek_rest(Limits::default());
    assert_eq!(acting.log(), replay.log());
    assert_eq!(acting.world(), replay.world());
}

#[test]
fn a_snapshot_taken_while_a_moment_is_awaited_keeps_its_count() {
    let scene = scene(SHOP, 6, &[PLACE, LETTERS]);
    let mut acting = lab(&scene, "unplug:mailer@sent#6,plug:mailer@+100");
    acting.seek_rest(Limits::default());
    let late = acting.played() - 3;
    acting.seek(late);
    assert!(acting.act(Kind::Kill, part("shop")));
    acting.seek(late - 1);
    acting.seek(late + 1);
    let mut replay = lab(&scene, &action::list_text(acting.actions()));
    replay.seek(acting.cursor());
    assert_eq!(acting.world(), replay.world());
}

#[test]
fn the_forecast_flips_with_an_action_and_not_between_actions() {
    let mut lab = lab(&shop(), "kill:letters@sent");
    let fine = lab.forecast();
    let mut after = Vec::new();
    while lab.step() {
        after.push(lab.forecast());
    }
    let changes = after.windows(2).filter(|pair| pair[0] != pair[1]).count();
    assert_eq!(changes, 1);
    assert_eq!(after.first(), Some(&fine));
    assert_ne!(after.last(), Some(&fine));
    lab.seek(4);
    assert_eq!(lab.forecast(), fine);
}

#[test]
fn a_long_run_is_searched_and_not_replayed() {
    let restless = "
async function extra({ sleep }) {
  let round = 0;
  while (true) {
    round += 1;
    await sleep(1);
  }
}";
    let parts = [SHOP, "\n    extra: worker({ program: extra }),"].concat();
    let scene = scene(&parts, 1, &[PLACE, LETTERS, restless]);
    let mut lab = lab(&scene, "");
    lab.seek(10_000);
    let replayed = |lab: &Lab, step: u64| lab.replayed_for(step);
    assert!(replayed(&lab, 9_999) * 50 < 10_000);
    assert!(replayed(&lab, 4_321) * 50 < 10_000);
}
