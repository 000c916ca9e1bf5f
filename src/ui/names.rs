//! What parts, states, causes and verdicts are called on the page.

use crate::audit::Verdict;
use crate::view::stage::{Cause, PartBox, Power, Role, Stage};
use crate::words::Words;

/// A part's name short enough for its box.
pub(super) fn part_short(words: Words, shown: &PartBox) -> &'static str {
    match shown.role {
        Role::Mail => words.ui_mail_short(),
        role => words.role_name(role),
    }
}

/// The title of the part with this key; the key itself if there is none.
pub(super) fn by_key(words: Words, stage: &Stage, key: &str) -> String {
    let found = stage.parts.iter().find(|part| &*part.key == key);
    found.map_or_else(|| key.to_owned(), |part| stage.title(part, words))
}

/// What a part is doing: its power, and its line if it runs.
pub(super) fn state(words: Words, part: &PartBox, now_us: i64) -> String {
    match part.power {
        Power::On => match part.line {
            Some(line) => format!("{}, {}", words.state_on(), words.part_line(i64::from(line))),
            None => words.state_on().to_owned(),
        },
        Power::Unplugged => words.state_unpowered().to_owned(),
        Power::Killed => words.state_killed().to_owned(),
        Power::Restarting { at_us } => {
            words.state_restarting(&words.seconds((at_us - now_us).max(0)))
        }
    }
}

/// Why something was lost.
pub(super) fn cause(words: Words, cause: Cause) -> &'static str {
    match cause {
        Cause::Memory => words.ui_cause_memory(),
        Cause::RolledBack => words.ui_cause_rolled_back(),
        Cause::Undeliverable => words.ui_cause_undeliverable(),
        Cause::Dropped => words.ui_cause_dropped(),
        Cause::Unroutable => words.ui_cause_unroutable(),
        Cause::NotOnDisk => words.ui_cause_not_on_disk(),
        Cause::Discarded => words.ui_cause_discarded(),
    }
}

/// A verdict in words; `times` says how often a doubled effect comes.
pub(super) fn verdict(words: Words, verdict: Verdict, times: i64) -> String {
    match verdict {
        Verdict::Once => words.verdict_once(),
        Verdict::NotPlaced => words.verdict_not_placed(),
        Verdict::InFlight => words.verdict_in_flight(),
        Verdict::Lost => words.verdict_lost(),
        Verdict::Doubled => return words.verdict_doubled(times),
        Verdict::Phantom => words.verdict_phantom(),
        Verdict::OutOfOrder => words.verdict_out_of_order(),
        Verdict::Stuck => words.verdict_stuck(),
        Verdict::Inconsistent => words.verdict_inconsistent(),
        Verdict::Undecided => words.verdict_undecided(),
    }
    .to_owned()
}
