//! The event log: what happened, step by step; a line leads back to its step.

use yew::prelude::*;

use super::identity;
use super::lab::Moment;
use super::page::Did;
use super::shared::Shared;
use crate::words::Words;
use crate::words::log::{Entry, Tone};

/// Lines that are kept on the page; older ones are reached by stepping back.
const LINES_MAX: usize = 200;

/// Properties of [`Log`].
#[derive(Clone, PartialEq, Properties)]
pub(super) struct LogProps {
    /// In which language.
    pub(super) words: Words,
    /// What to show.
    pub(super) moment: Shared<Moment>,
    /// Whether the narrow page shows it.
    pub(super) shown: bool,
    /// Tells what the learner did.
    pub(super) did: Callback<Did>,
}

/// The event log, its newest line in view.
#[component]
pub(super) fn Log(props: &LogProps) -> Html {
    let LogProps { words, moment, shown, did } = props;
    let list = use_node_ref();
    {
        let list = list.clone();
        use_effect_with((moment.clone(), *shown), move |_| {
            if let Some(element) = list.cast::<web_sys::Element>() {
                element.set_scroll_top(element.scroll_height());
            }
        });
    }
    let onclick = {
        let did = did.clone();
        Callback::from(move |input: MouseEvent| {
            let target = input.target_dyn_into::<web_sys::Element>();
            let row = target.and_then(|target| target.closest("[data-step]").ok().flatten());
            let step = row.and_then(|row| row.get_attribute("data-step"));
            if let Some(step) = step.and_then(|step| step.parse().ok()) {
                did.emit(Did::SoughtStep(step));
            }
        })
    };
    let skipped = moment.log.len().saturating_sub(LINES_MAX);
    let rows = moment.log.iter().skip(skipped).map(|entry| row(*words, entry, moment.cursor));
    html! {
        <section class="ptp-card ptp-log" aria-labelledby="ptp-log-title">
            <h2 class="ptp-card-title" id="ptp-log-title">{ words.page_log() }</h2>
            if moment.log.is_empty() {
                <p class="ptp-muted ptp-pad">{ words.page_log_empty() }</p>
            } else {
                <ol
                    class="ptp-log-list"
                    ref={list}
                    tabindex="0"
                    aria-labelledby="ptp-log-title"
                    {onclick}
                >
                    { for rows }
                </ol>
            }
        </section>
    }
}

fn row(words: Words, entry: &Entry, cursor: u64) -> Html {
    let tone = match entry.tone {
        Tone::Minor => "ptp-event ptp-minor",
        Tone::Plain => "ptp-event",
        Tone::Good => "ptp-event ptp-good",
        Tone::Bad => "ptp-event ptp-bad",
        Tone::Act => "ptp-event ptp-act",
    };
    // A sentence that names its order needs no badge for it.
    let named = |order: &i64| entry.text.contains(&words.order(*order));
    let badge = entry.order.filter(|order| !named(order));
    let now = (entry.step >= cursor).then_some("step");
    html! {
        <li class={tone} aria-current={now}>
            <button
                type="button"
                class="ptp-step"
                data-step={entry.step.to_string()}
                aria-label={words.ui_goto_step(entry.step as i64)}
            >
                { entry.step }
            </button>
            <span class="ptp-sentence">
                { &entry.text }
                { " " }
                { badge.map(|order| identity::badge(words, order as u32, 1)) }
            </span>
        </li>
    }
}
