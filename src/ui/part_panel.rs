//! The chosen part: its program or its contents, and what can be done to it.

use std::sync::Arc;

use yew::prelude::*;

use super::code::Code;
use super::lab::{Act, Moment, Program};
use super::page::Did;
use super::shared::Shared;
use super::{identity, names};
use crate::run::Kind;
use crate::view::stage::{Chip, Mark, PartBox, Power};
use crate::words::Words;

/// Properties of [`PartPanel`].
#[derive(Clone, PartialEq, Properties)]
pub(super) struct PartPanelProps {
    /// In which language.
    pub(super) words: Words,
    /// What to show.
    pub(super) moment: Shared<Moment>,
    /// All programs of the scene.
    pub(super) programs: Shared<Vec<Program>>,
    /// The chosen part.
    pub(super) chosen: u32,
    /// Tells what the learner did.
    pub(super) did: Callback<Did>,
}

/// The chosen part.
#[component]
pub(super) fn PartPanel(props: &PartPanelProps) -> Html {
    let PartPanelProps { words, moment, programs, chosen, .. } = props;
    let stage = &moment.stage;
    let Some(part) = stage.parts.get(*chosen as usize) else { return Html::default() };
    let program = programs.iter().position(|program| program.part == part.key);
    let body = match program {
        Some(index) => html! {
            <Code words={*words} programs={programs.clone()} {index} line={part.line} />
        },
        None => inside(*words, part),
    };
    html! {
        <section class="ptp-card ptp-panel" aria-labelledby="ptp-panel-title">
            <div class="ptp-panel-head">
                <h2 class="ptp-card-title" id="ptp-panel-title">
                    { stage.title(part, *words) }
                </h2>
                <p class="ptp-muted">{ names::state(*words, part, stage.now_us) }</p>
            </div>
            { tabs(props) }
            { body }
            { acts(props, part) }
        </section>
    }
}

/// One button for each part with a program.
fn tabs(props: &PartPanelProps) -> Html {
    let PartPanelProps { words, moment, programs, chosen, did } = props;
    let stage = &moment.stage;
    let tabs = stage.parts.iter().zip(0u32..).filter_map(|(part, index)| {
        programs.iter().find(|program| program.part == part.key)?;
        let did = did.clone();
        let onclick = Callback::from(move |_: MouseEvent| did.emit(Did::ChosePart(index)));
        let on = index == *chosen;
        Some(html! {
            <button type="button" class="ptp-tab" aria-pressed={on.to_string()} {onclick}>
                { stage.title(part, *words) }
            </button>
        })
    });
    html! { <div class="ptp-tabs" role="group" aria-label={words.page_code()}>{ for tabs }</div> }
}

fn acts(props: &PartPanelProps, part: &PartBox) -> Html {
    if !part.has_cord {
        return Html::default();
    }
    let words = props.words;
    let press = |kind: Kind| {
        let (did, key) = (props.did.clone(), Arc::clone(&part.key));
        Callback::from(move |_: MouseEvent| did.emit(Did::Acted(Act::part(kind, &key))))
    };
    let button = |kind: Kind, word: &'static str| {
        html! { <button type="button" class="ptp-button" onclick={press(kind)}>{ word }</button> }
    };
    let out = part.power == Power::Unplugged;
    let cord = if out { Kind::Plug } else { Kind::Unplug };
    let word = if out { words.act_plug_in_short() } else { words.act_unplug_short() };
    html! {
        <div class="ptp-acts">
            { button(cord, word) }
            if part.power == Power::On { { button(Kind::Kill, words.ui_kill()) } }
            if part.power == Power::Killed { { button(Kind::Restart, words.ui_restart()) } }
        </div>
    }
}

/// What a part without a program keeps, row by row.
fn inside(words: Words, part: &PartBox) -> Html {
    let shelves = part.shelves.iter().map(|shelf| {
        let rows = shelf.chips.iter().map(|chip| row(words, chip));
        html! {
            <>
                <h3 class="ptp-shelf-name">{ &*shelf.name }</h3>
                if shelf.chips.is_empty() {
                    <p class="ptp-muted">{ words.ui_inside_empty() }</p>
                } else {
                    <ul class="ptp-rows">{ for rows }</ul>
                }
            </>
        }
    });
    html! {
        <div class="ptp-inside" tabindex="0" role="group" aria-labelledby="ptp-panel-title">
            <p class="ptp-muted">{ words.ui_no_program() }</p>
            { for shelves }
        </div>
    }
}

fn row(words: Words, chip: &Chip) -> Html {
    let state = match chip.mark {
        Mark::Uncommitted | Mark::Changing | Mark::Deleting => Some(words.part_uncommitted()),
        Mark::Redelivered => Some(words.ui_redelivered()),
        Mark::Unacked => Some(words.ui_unacked()),
        Mark::Plain | Mark::Done => None,
    };
    let lock = chip.locked_by.as_ref().map(|holder| words.part_locked_by(holder));
    let detail = if chip.detail.is_empty() { &*chip.text } else { &*chip.detail };
    html! {
        <li class="ptp-kept">
            { chip.order.map(|order| identity::badge(words, order, chip.copy)) }
            <span class="ptp-detail">{ detail }</span>
            { state.map(|state| html! { <span class="ptp-tag">{ state }</span> }) }
            { lock.map(|lock| html! { <span class="ptp-tag">{ lock }</span> }) }
        </li>
    }
}
