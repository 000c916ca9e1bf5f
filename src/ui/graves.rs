//! What is gone, counted by cause.

use yew::prelude::*;

use super::icon::icon;
use super::lab::Moment;
use super::shared::Shared;
use super::{identity, names};
use crate::view::stage::{Chip, Grave};
use crate::words::Words;

/// Chips that one cause names; the rest is in its number.
const NAMED_MAX: usize = 4;

/// Properties of [`Graves`].
#[derive(Clone, PartialEq, Properties)]
pub(super) struct GravesProps {
    /// In which language.
    pub(super) words: Words,
    /// What to show.
    pub(super) moment: Shared<Moment>,
}

/// The graveyard.
#[component]
pub(super) fn Graves(props: &GravesProps) -> Html {
    let GravesProps { words, moment } = props;
    let graves = moment.stage.graves.iter().filter(|grave| !grave.chips.is_empty());
    let piles: Vec<Html> = graves.map(|grave| pile(*words, moment, grave)).collect();
    if piles.is_empty() {
        return Html::default();
    }
    html! {
        <section class="ptp-graves" aria-label={words.ui_lost()}>
            <h2 class="ptp-row-title">
                { icon("M3.5 14v-7.5a4.5 4.5 0 0 1 9 0v7.5M1.5 14h13M8 5v4M6.3 6.6h3.4") }
                { words.ui_lost() }
            </h2>
            <ul class="ptp-piles">{ for piles }</ul>
        </section>
    }
}

fn pile(words: Words, moment: &Moment, grave: &Grave) -> Html {
    let part = moment.stage.parts.get(grave.part as usize);
    let place = part.map(|part| moment.stage.title(part, words)).unwrap_or_default();
    let named = grave.chips.iter().rev().filter(|chip| chip.order.is_some()).take(NAMED_MAX);
    html! {
        <li class="ptp-pile">
            { place }{ ", " }{ names::cause(words, grave.cause) }
            <b class="ptp-count">{ "×" }{ grave.chips.len() }</b>
            { for named.map(|chip| name(words, chip)) }
        </li>
    }
}

fn name(words: Words, chip: &Chip) -> Html {
    chip.order.map_or_else(Html::default, |order| identity::badge(words, order, chip.copy))
}
