//! What each order was owed and got, and the forecast of its verdict.

use yew::prelude::*;

use super::icon::icon;
use super::lab::{Line, Moment};
use super::shared::Shared;
use super::{identity, names};
use crate::audit::Verdict;
use crate::words::Words;

/// Properties of [`Ledger`].
#[derive(Clone, PartialEq, Properties)]
pub(super) struct LedgerProps {
    /// In which language.
    pub(super) words: Words,
    /// What to show.
    pub(super) moment: Shared<Moment>,
}

/// The ledger.
#[component]
pub(super) fn Ledger(props: &LedgerProps) -> Html {
    let LedgerProps { words, moment } = props;
    let lines = moment.ledger.iter().map(|one| line(*words, one));
    // It scrolls sideways where it is narrow, and so has to take the focus.
    html! {
        <section class="ptp-ledger" aria-label={words.ledger()} tabindex="0">
            <h2 class="ptp-row-title" title={words.forecast_hint()}>{ words.forecast() }</h2>
            if moment.ledger.is_empty() {
                <p class="ptp-muted">{ words.ledger_empty() }</p>
            } else {
                <ul class="ptp-verdicts">{ for lines }</ul>
            }
        </section>
    }
}

fn line(words: Words, line: &Line) -> Html {
    let count = i64::from;
    html! {
        <li class={classes!("ptp-verdict", tone(line.verdict))} key={line.order}>
            <p class="ptp-verdict-head">
                { identity::badge(words, line.order, 1) }
                <span class="ptp-verdict-name">
                    { icon(sign(line.verdict)) }
                    { names::verdict(words, line.verdict, line.times) }
                </span>
            </p>
            <p class="ptp-owed">
                { words.ledger_owed(&count(line.owed).to_string()) }
                { " · " }
                { words.ledger_got(&count(line.got).to_string()) }
            </p>
        </li>
    }
}

/// The class of a verdict's colour and frame.
fn tone(verdict: Verdict) -> &'static str {
    match verdict {
        Verdict::Once | Verdict::NotPlaced => "ptp-good",
        Verdict::InFlight | Verdict::Undecided => "ptp-open",
        Verdict::Lost | Verdict::Stuck => "ptp-bad",
        Verdict::Doubled | Verdict::OutOfOrder => "ptp-twice",
        Verdict::Phantom | Verdict::Inconsistent => "ptp-ghost",
    }
}

/// The outline of a verdict's sign: each kind has its own, so that colour says nothing alone.
fn sign(verdict: Verdict) -> &'static str {
    match verdict {
        Verdict::Once => "M2.5 8.5l4 4 7-9",
        Verdict::NotPlaced => "M3 8h10",
        Verdict::InFlight => "M2 8h11M9 4l4 4-4 4",
        Verdict::Lost => "M8 2a6 6 0 1 0 .1 0zM3.8 12.2l8.4-8.4",
        Verdict::Doubled => "M2 4h8v8h-8zM6 4v-2h8v8h-4",
        Verdict::Phantom => "M3 14v-7a5 5 0 0 1 10 0v7l-2.5-2-2.5 2-2.5-2z",
        Verdict::OutOfOrder => "M2 5h11l-3-3M14 11h-11l3 3",
        Verdict::Stuck => "M5 3v10M11 3v10",
        Verdict::Inconsistent => "M3 6h10M3 10h10M11 3l-6 10",
        Verdict::Undecided => "M5.5 5.5a2.5 2.5 0 1 1 3.4 2.4c-.6.3-.9.7-.9 1.6M8 12.5v.5",
    }
}
