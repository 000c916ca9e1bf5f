//! Faults other than a cord: links, messages in flight, a refused COMMIT. Folded until wanted.

use yew::prelude::*;

use super::identity;
use super::lab::{Act, Moment};
use super::page::Did;
use super::shared::Shared;
use crate::run::Kind;
use crate::view::stage::{Flight, Link, Role};
use crate::words::Words;

/// Properties of [`Faults`].
#[derive(Clone, PartialEq, Properties)]
pub(super) struct FaultsProps {
    /// In which language.
    pub(super) words: Words,
    /// What to show.
    pub(super) moment: Shared<Moment>,
    /// Tells what the learner did.
    pub(super) did: Callback<Did>,
}

/// The faults.
#[component]
pub(super) fn Faults(props: &FaultsProps) -> Html {
    let FaultsProps { words, moment, .. } = props;
    let stage = &moment.stage;
    let databases = stage.parts.iter().filter(|part| part.role == Role::Database);
    let refusals = databases.map(|part| {
        let name = stage.title(part, *words);
        let refuse = Some(Act::part(Kind::Refuse, &part.key));
        html! {
            <li class="ptp-fault">
                <span>{ name }</span>
                { button(props, refuse, words.act_refuse_commit()) }
            </li>
        }
    });
    let links = stage.links.iter().filter_map(|one| link(props, *one));
    let flights = stage.flights.iter().filter_map(|one| flight(props, one));
    html! {
        <details class="ptp-faults">
            <summary>{ words.ui_faults() }</summary>
            <div class="ptp-fault-groups">
                <div>
                    <h3>{ words.ui_faults_links() }</h3>
                    <ul>{ for links }</ul>
                </div>
                <div>
                    <h3>{ words.ui_faults_flights() }</h3>
                    if stage.flights.is_empty() {
                        <p class="ptp-muted">{ words.ui_faults_none() }</p>
                    }
                    <ul>{ for flights }{ for refusals }</ul>
                </div>
            </div>
        </details>
    }
}

fn ends(props: &FaultsProps, from: u32, to: u32) -> Option<(String, String)> {
    let stage = &props.moment.stage;
    let name = |index: u32| {
        let part = stage.parts.get(index as usize)?;
        Some(stage.title(part, props.words))
    };
    Some((name(from)?, name(to)?))
}

fn link(props: &FaultsProps, link: Link) -> Option<Html> {
    let (from, to) = ends(props, link.from, link.to)?;
    let key = |index: u32| props.moment.stage.parts.get(index as usize).map(|part| &part.key);
    let (kind, word) = if link.cut {
        (Kind::Mend, props.words.ui_mend())
    } else {
        (Kind::Cut, props.words.ui_cut())
    };
    Some(html! {
        <li class="ptp-fault">
            <span>{ format!("{from} — {to}") }</span>
            { button(props, Some(Act::link(kind, key(link.from)?, key(link.to)?)), word) }
        </li>
    })
}

fn flight(props: &FaultsProps, flight: &Flight) -> Option<Html> {
    let (from, to) = ends(props, flight.from, flight.to)?;
    let words = props.words;
    let what = match flight.chip.order {
        Some(order) => identity::badge(words, order, flight.chip.copy),
        None => html! { <code>{ &*flight.chip.text }</code> },
    };
    Some(html! {
        <li class="ptp-fault">
            <span>{ what }{ format!(" {from} → {to}") }</span>
            { button(props, Act::message(Kind::Delay, &flight.name), words.ui_delay()) }
            { button(props, Act::message(Kind::Drop, &flight.name), words.ui_drop()) }
        </li>
    })
}

/// A button that acts; none if there is no such act.
fn button(props: &FaultsProps, act: Option<Act>, word: &'static str) -> Html {
    let Some(act) = act else { return Html::default() };
    let did = props.did.clone();
    let onclick = Callback::from(move |_: MouseEvent| did.emit(Did::Acted(act.clone())));
    html! { <button type="button" class="ptp-button ptp-small" {onclick}>{ word }</button> }
}
