//! The log as the page lists it.

use crate::sim::{Event, Setup, What};
use crate::view::titles;
use crate::words::Words;

/// How much an entry matters to a reader.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Weight {
    /// Answers, sleeps, BEGIN: may be dimmed or folded.
    Minor,
    /// What moves an order on.
    Plain,
    /// Faults, losses, refusals, duplicates.
    Major,
}

/// One entry.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry {
    /// The step, from 1.
    pub step: u64,
    /// Virtual time in microseconds.
    pub time_us: i64,
    /// How much it matters.
    pub weight: Weight,
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
        weight: weight(&event.what),
        order: event.order,
        text: words.story_with(event, setup, &name),
    };
    log.iter().map(entry).collect()
}

/// How much an event matters.
pub fn weight(what: &What) -> Weight {
    match what {
        What::AnswerLeft { .. }
        | What::Answered { code: None, .. }
        | What::Called { .. }
        | What::Sleeps(_)
        | What::Woke
        | What::Flushed(_)
        | What::Confirmed(_)
        | What::Skipped { .. }
        | What::Delivered { redelivered: false, .. } => Weight::Minor,
        What::Executed { ask, .. } if matches!(&*ask.verb, "BEGIN" | "SELECT" | "subscribe") => {
            Weight::Minor
        }
        What::Unplugged
        | What::Plugged
        | What::Killed
        | What::Restarted
        | What::Crashed { .. }
        | What::Lost { .. }
        | What::Refused { .. }
        | What::TimedOut { .. }
        | What::ClientGone { .. }
        | What::Requeued(_)
        | What::Received { redelivered: true }
        | What::Delivered { redelivered: true, .. }
        | What::Cut(_)
        | What::Mended(_)
        | What::Delayed { .. }
        | What::RefusalArmed
        | What::OrderAnswered(false)
        | What::CustomerTold(false)
        | What::CustomerUnsure
        | What::Answered { .. } => Weight::Major,
        _ => Weight::Plain,
    }
}
