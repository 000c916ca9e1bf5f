//! The buttons on the stage: one over each box, one over each socket.

use std::sync::Arc;

use yew::prelude::*;

use crate::run::Kind;
use crate::ui::browser::use_place;
use crate::ui::lab::Act;
use crate::ui::page::Did;
use crate::view::layout::{Cord, Point, Rect, Shape};
use crate::view::stage::Power;
use crate::words::Words;

#[derive(Clone, PartialEq, Properties)]
pub(super) struct BoxButtonProps {
    pub(super) rect: Rect,
    pub(super) index: u32,
    pub(super) chosen: bool,
    pub(super) label: String,
    pub(super) did: Callback<Did>,
}

/// Chooses a part.
#[component]
pub(super) fn BoxButton(props: &BoxButtonProps) -> Html {
    let node = use_node_ref();
    use_place(&node, props.rect);
    let onclick = {
        let (did, index) = (props.did.clone(), props.index);
        Callback::from(move |_: MouseEvent| did.emit(Did::ChosePart(index)))
    };
    html! {
        <button
            ref={node}
            type="button"
            class="ptp-pick"
            aria-pressed={props.chosen.to_string()}
            aria-label={props.label.clone()}
            {onclick}
        />
    }
}

#[derive(Clone, PartialEq, Properties)]
pub(super) struct CordButtonProps {
    pub(super) cord: Cord,
    pub(super) shape: Shape,
    pub(super) power: Power,
    pub(super) part: Arc<str>,
    pub(super) name: String,
    pub(super) words: Words,
    pub(super) did: Callback<Did>,
}

/// Pulls a cord, or puts the plug back.
#[component]
pub(super) fn CordButton(props: &CordButtonProps) -> Html {
    let node = use_node_ref();
    let CordButtonProps { cord, words, .. } = props;
    use_place(&node, cord.button);
    let out = props.power == Power::Unplugged;
    let onclick = {
        let (did, part) = (props.did.clone(), Arc::clone(&props.part));
        let kind = if out { Kind::Plug } else { Kind::Unplug };
        Callback::from(move |_: MouseEvent| did.emit(Did::Acted(Act::part(kind, &part))))
    };
    let (label, short) = if out {
        (words.act_plug_in(&props.name), words.act_plug_in_short())
    } else {
        (words.act_unplug(&props.name), words.act_unplug_short())
    };
    let class = classes!(
        "ptp-cord",
        out.then_some("ptp-out"),
        if props.shape == Shape::Wide { "ptp-down" } else { "ptp-side" }
    );
    html! {
        <button ref={node} type="button" {class} aria-label={label} {onclick}>
            { socket(cord, props.shape, out) }
            <span class="ptp-cord-word">{ short }</span>
        </button>
    }
}

/// Socket and plug, drawn inside the button so that the plug answers to the pointer.
fn socket(cord: &Cord, shape: Shape, out: bool) -> Html {
    let at = |point: Point| (point.x - cord.button.x, point.y - cord.button.y);
    let (x, y) = at(cord.socket);
    let (end_x, end_y) = at(cord.hanging.0[3]);
    let turn = match (shape, out) {
        (Shape::Wide, true) => -32,
        (Shape::Wide, false) => 0,
        (Shape::Tall, true) => -35,
        (Shape::Tall, false) => -90,
    };
    let place = match (shape, out) {
        (_, true) => format!("translate({end_x} {end_y}) rotate({turn})"),
        (Shape::Wide, false) => format!("translate({x} {}) rotate({turn})", y - 27),
        (Shape::Tall, false) => format!("translate({} {y}) rotate({turn})", x - 20),
    };
    html! {
        <svg
            class="ptp-socket"
            aria-hidden="true"
            focusable="false"
            width={cord.button.w.to_string()}
            height={cord.button.h.to_string()}
        >
            <circle class="ptp-socket-face" cx={x.to_string()} cy={y.to_string()} r="12" />
            <circle class="ptp-socket-hole" cx={(x - 4).to_string()} cy={y.to_string()} r="2" />
            <circle class="ptp-socket-hole" cx={(x + 4).to_string()} cy={y.to_string()} r="2" />
            <g transform={place}>
                <g class="ptp-plug">
                    <path class="ptp-prong" d="M-4 18v10M4 18v10" />
                    <path
                        class="ptp-plug-body"
                        d="M-3 0h6l6 7v10a4 4 0 0 1-4 4h-10a4 4 0 0 1-4-4v-10z"
                    />
                </g>
            </g>
        </svg>
    }
}
