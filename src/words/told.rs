//! The stage and the story of real scenes.

use std::fmt::Write as _;

use crate::run::{Kind, Lab, Target};
use crate::scene::catalogue::find;
use crate::sim::{Event, Limits, What};
use crate::view::stage::{self, Cause, Mark, Role, Stage};
use crate::words::{Lang, Words, log, titles};

fn lab() -> Lab {
    Lab::open(find("outbox/one-relay").unwrap().source(), 1, &[]).unwrap()
}

fn run_to(lab: &mut Lab, reached: impl Fn(&Event) -> bool) {
    while !lab.last_events().iter().any(&reached) {
        assert!(lab.step(), "the moment never comes");
    }
}

fn stage_of(lab: &Lab) -> Stage {
    stage::of(lab.scene(), lab.world(), lab.log())
}

#[test]
fn a_relay_unplugged_between_publish_and_mark_delivers_twice() {
    let mut lab = lab();
    run_to(&mut lab, |e| matches!(&e.what, What::Answered { ask, .. } if &*ask.verb == "publish"));
    let before = stage_of(&lab);
    let relay = before.parts.iter().find(|part| part.role == Role::Relay).unwrap();
    assert!(relay.line.is_some() && !relay.memory.is_empty());
    let db = before.parts.iter().find(|part| part.role == Role::Database).unwrap();
    let outbox = db.shelves.iter().find(|shelf| &*shelf.name == "outbox").unwrap();
    assert_eq!(outbox.chips[0].locked_by.as_deref(), Some("relay"));
    let part = lab.scene().setup.part_named("relay").unwrap();
    assert!(lab.act(Kind::Unplug, Target::Part("relay".into())));
    let after = stage_of(&lab);
    assert!(after.graves.iter().any(|grave| grave.cause == Cause::Memory));
    let words = Words::native(Lang::Ru);
    let names = titles::of(&lab.scene().setup, words);
    let name = |part: crate::sim::PartId| names[part.index()].clone();
    let told = words.act(lab.last_events(), lab.world(), &name).unwrap();
    assert!(told.starts_with("Поллер обесточен. Пропало из памяти: №"), "{told}");
    let left = words.aftermath(lab.world(), part, &name).unwrap();
    assert!(left.contains("PostgreSQL всё ещё держит"), "{left}");
    assert!(lab.act(Kind::Plug, Target::Part("relay".into())));
    lab.seek_rest(Limits::default());
    let rest = stage_of(&lab);
    let mailbox = rest.parts.last().unwrap();
    assert_eq!(mailbox.role, Role::Mailbox);
    assert!(mailbox.shelves[0].chips.iter().any(|chip| chip.copy == 2));
    let db = rest.parts.iter().find(|part| part.role == Role::Database).unwrap();
    let outbox = db.shelves.iter().find(|shelf| &*shelf.name == "outbox").unwrap();
    assert!(outbox.chips.iter().all(|chip| chip.mark == Mark::Done && chip.locked_by.is_none()));
}

#[test]
fn a_story_reads_in_both_languages() {
    for lang in Lang::ALL {
        let mut lab = lab();
        lab.seek_rest(Limits::default());
        let mut text = String::new();
        for entry in log::of(lab.log(), &lab.scene().setup, Words::native(lang)) {
            assert!(entry.text.ends_with('.') && !entry.text.contains(".."), "{}", entry.text);
            let _ = writeln!(text, "{:>4} {:?} {}", entry.step, entry.tone, entry.text);
        }
        expect_test::expect_file![format!(
            "{}/src/words/story.{}.txt",
            env!("CARGO_MANIFEST_DIR"),
            lang.code()
        )]
        .assert_eq(&text);
    }
}
