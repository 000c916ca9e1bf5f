//! The log as the page lists it.

use crate::sim::{Event, Setup, What};
use crate::words::Words;
use crate::words::titles;

/// What an entry means to a reader, the lightest first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Tone {
    /// Answers, sleeps, BEGIN: may be dimmed or folded.
    Minor,
    /// What moves an order on.
    Plain,
    /// Something is now safe, or delivered.
    Good,
    /// Losses, refusals, duplicates.
    Bad,
    /// What was done to the world from outside.
    Act,
}

/// One entry.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry {
    /// The step, from 1.
    pub step: u64,
    /// Virtual time in microseconds.
    pub time_us: i64,
    /// What it means.
    pub tone: Tone,
    /// The order that it is about.
    pub order: Option<i64>,
    /// The sentence.
    pub text: String,
}

/// The entries of a log, oldest first.
pub fn of(log: &[Event], setup: &Setup, words: Words) -> Vec<Entry> {
    let titles = titles::of(setup, words);
    let name = |part: crate::sim::PartId| titles.get(part.index()).cloned().unwrap_or_default();
    let entry = |event: &Event| Entry {
        step: event.step,
        time_us: event.time_us,
        tone: tone(&event.what),
        order: event.order,
        text: words.story_with(event, setup, &name),
    };
    log.iter().map(entry).collect()
}

/// What an event means.
pub fn tone(what: &What) -> Tone {
    match what {
        What::AnswerLeft { .. }
        | What::Answered { code: None, .. }
        | What::Called { .. }
        | What::Sleeps(_)
        | What::Woke
        | What::Flushed(_)
        | What::Confirmed(_)
        | What::Skipped { .. }
        | What::Delivered { redelivered: false, .. } => Tone::Minor,
        What::Executed { ask, .. } => match &*ask.verb {
            "BEGIN" | "SELECT" | "subscribe" => Tone::Minor,
            "COMMIT" => Tone::Good,
            _ => Tone::Plain,
        },
        What::LetterSent { .. } | What::CustomerTold(true) => Tone::Good,
        What::Crashed { .. }
        | What::Lost { .. }
        | What::Refused { .. }
        | What::TimedOut { .. }
        | What::ClientGone { .. }
        | What::Disconnected(_)
        | What::Requeued(_)
        | What::Received { redelivered: true }
        | What::Delivered { redelivered: true, .. }
        | What::OrderAnswered(false)
        | What::CustomerTold(false)
        | What::CustomerUnsure
        | What::Answered { code: Some(_), .. } => Tone::Bad,
        What::Unplugged
        | What::Plugged
        | What::Killed
        | What::Restarted
        | What::Cut(_)
        | What::Mended(_)
        | What::Delayed { .. }
        | What::RefusalArmed => Tone::Act,
        _ => Tone::Plain,
    }
}
