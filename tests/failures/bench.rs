//! Runs scenes given as text, and says what their audits found.

use std::collections::{BTreeMap, BTreeSet};
use std::io::Write as _;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use pull_the_plug::audit::{Verdict, tally};
use pull_the_plug::explore::map::Mapper;
use pull_the_plug::explore::{FaultKind, MapOptions};
use pull_the_plug::run::{Finished, action, finish};
use pull_the_plug::scene::Scene;
use pull_the_plug::sim::{Limits, World};

/// A failure and its measure: two texts that differ in a few words, and what goes wrong.
pub(crate) struct Case<'a> {
    /// The scene with the mistake.
    pub(crate) faulty: &'a str,
    /// The scene with the measure.
    pub(crate) sound: &'a str,
    /// What happens to both: actions in which `<text>` stands for the number of the first line
    /// that holds the text. Empty if the scene itself brings it about.
    pub(crate) trigger: &'a str,
    /// The verdicts, besides good ones, that orders of the faulty scene get.
    pub(crate) shows: &'a [Verdict],
    /// What some single crash can still do to the sound scene, and the measure does not claim to
    /// remove. Never what the mistake shows.
    pub(crate) leaves: &'a [Verdict],
}

impl Case<'_> {
    /// The faulty scene shows the outcome; the sound one does not, nor after any crash.
    pub(crate) fn check(&self) {
        assert_eq!(wrong(self.faulty, self.trigger), self.shows, "with the fault");
        self.check_measure();
    }

    /// Only what the measure does.
    pub(crate) fn check_measure(&self) {
        assert_eq!(wrong(self.sound, self.trigger), [], "with the measure");
        assert!(self.shows.iter().all(|shown| !self.leaves.contains(shown)), "{:?}", self.leaves);
        assert_eq!(wrong_after_a_crash(self.sound), self.leaves, "after some crash");
    }
}

/// A text with some words changed. Each must be there, exactly once.
pub(crate) fn edit(text: &str, changes: &[(&str, &str)]) -> String {
    let mut text = text.to_owned();
    for (old, new) in changes {
        assert_eq!(text.matches(old).count(), 1, "{old}\nin\n{text}");
        text = text.replace(old, new);
    }
    text
}

/// Reads a scene.
pub(crate) fn open(text: &str) -> Arc<Scene> {
    match Scene::open(text) {
        Ok(scene) => Arc::new(scene),
        Err(errors) => unreachable!("{errors:#?}\n{text}"),
    }
}

/// Runs a scene with actions to rest.
pub(crate) fn run(text: &str, actions: &str) -> Finished {
    let (actions, errors) = action::parse_list(&with_lines(text, actions));
    assert_eq!(errors, []);
    let finished = finish(&open(text), 0, &actions, Limits::default());
    let finished = finished.expect("the scene has all that the actions name");
    assert_eq!(finished.missed, []);
    finished
}

/// Puts the number of the line that holds a text in the place of `<text>`.
fn with_lines(text: &str, actions: &str) -> String {
    let mut pieces = actions.split(['<', '>']);
    let mut written = pieces.next().unwrap_or_default().to_owned();
    while let (Some(wanted), Some(rest)) = (pieces.next(), pieces.next()) {
        let line = text.lines().position(|line| line.contains(wanted)).expect(wanted);
        written.push_str(&format!("{}{rest}", line + 1));
    }
    written
}

/// The verdict on each order.
pub(crate) fn verdicts(finished: &Finished) -> Vec<Verdict> {
    finished.accounts.iter().map(|account| account.verdict).collect()
}

/// The bad verdicts of a run, each once.
pub(crate) fn wrong(text: &str, actions: &str) -> Vec<Verdict> {
    bad(tally(&run(text, actions).accounts))
}

/// The bad verdicts that some single crash of a part can bring about, by cord or by process.
/// Many cases end in the same sound scene, so each map is made once.
pub(crate) fn wrong_after_a_crash(text: &str) -> Vec<Verdict> {
    static MAPPED: Mutex<BTreeMap<String, Arc<OnceLock<Vec<Verdict>>>>> =
        Mutex::new(BTreeMap::new());
    let mut mapped = MAPPED.lock().unwrap_or_else(PoisonError::into_inner);
    let known = mapped.entry(text.to_owned()).or_default().clone();
    drop(mapped);
    known.get_or_init(|| map(text)).clone()
}

fn map(text: &str) -> Vec<Verdict> {
    let scene = open(text);
    let mut found = BTreeSet::new();
    for fault in [FaultKind::Unplug, FaultKind::Kill] {
        let options = MapOptions { fault, ..MapOptions::default() };
        let map = Mapper::new(scene.clone(), World::new(scene.setup(0)), options).finish();
        assert!(!map.cells.is_empty());
        found.extend(bad(map.totals()));
    }
    found.into_iter().collect()
}

fn bad(counts: [u32; Verdict::ALL.len()]) -> Vec<Verdict> {
    let counted = Verdict::ALL.into_iter().zip(counts);
    counted
        .filter(|(verdict, n)| *n > 0 && !verdict.is_fine())
        .map(|(verdict, _)| verdict)
        .collect()
}

/// Prints a text that a reader of the tests may want to see.
pub(crate) fn say(text: &str) {
    writeln!(std::io::stdout(), "\n{text}").expect("standard output takes a text");
}
