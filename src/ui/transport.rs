//! Start, back, play, step, speed, time, one more order. It stands still while the rest changes.

use yew::prelude::*;

use super::icon::icon;
use super::lab::Act;
use super::page::Did;
use crate::words::{Lang, Words};

/// Speeds to choose, in hundredths of the usual one.
pub(super) const SPEEDS: [i64; 5] = [50, 100, 200, 500, 1000];

/// Properties of [`Transport`].
#[derive(Clone, PartialEq, Properties)]
pub(super) struct TransportProps {
    /// In which language.
    pub(super) words: Words,
    /// Steps done.
    pub(super) cursor: u64,
    /// Virtual time, microseconds.
    pub(super) now_us: i64,
    /// Whether nothing more happens by itself.
    pub(super) at_rest: bool,
    /// Whether time passes.
    pub(super) playing: bool,
    /// Hundredths of the usual speed.
    pub(super) percent: i64,
    /// Tells what the learner did.
    pub(super) did: Callback<Did>,
}

const START: &str = "M4 3h2v10h-2zM13 3v10l-6-5z";
const BACK: &str = "M11 3v10l-7-5z";
const PLAY: &str = "M4 2.5v11l9-5.5z";
const PAUSE: &str = "M4 3h3v10h-3zM9 3h3v10h-3z";
const MORE: &str = "M7 3h2v4h4v2h-4v4h-2v-4h-4v-2h4z";
const STEP: &str = "M4 3v10l6-5zM11 3h2v10h-2z";

/// The controls of time.
#[component]
pub(super) fn Transport(props: &TransportProps) -> Html {
    let TransportProps { words, cursor, now_us, at_rest, playing, did, .. } = props;
    let first = *cursor == 0;
    let (play, outline) =
        if *playing { (words.transport_pause(), PAUSE) } else { (words.transport_play(), PLAY) };
    let time = words.transport_time(&words.seconds(*now_us));
    html! {
        <div class="ptp-transport" role="group" aria-label={words.transport()}>
            { button(did, Did::PressedStart, words.transport_start(), START, "ptp-button", first) }
            { button(did, Did::PressedBack, words.transport_back(), BACK, "ptp-button", first) }
            { button(did, Did::PressedPlay, play, outline, "ptp-button ptp-play", *at_rest) }
            { button(did, Did::PressedStep, words.transport_step(), STEP, "ptp-button", *at_rest) }
            { speed(props) }
            <p class="ptp-clock">
                <span>{ time }{ " " }</span>
                <span>{ words.ui_step(*cursor as i64) }</span>
                if *at_rest { <span class="ptp-rest">{ words.transport_rest_short() }</span> }
            </p>
            <button
                type="button"
                class="ptp-button ptp-order"
                title={words.transport_order_hint()}
                onclick={press(did, Did::Acted(Act::order()))}
            >
                <span class="ptp-narrow-only">{ icon(MORE) }</span>
                <span class="ptp-tool-word">{ words.transport_order() }</span>
            </button>
        </div>
    }
}

fn press(did: &Callback<Did>, done: Did) -> Callback<MouseEvent> {
    let did = did.clone();
    Callback::from(move |_| did.emit(done.clone()))
}

fn button(
    did: &Callback<Did>,
    done: Did,
    label: &'static str,
    outline: &'static str,
    class: &'static str,
    off: bool,
) -> Html {
    html! {
        <button
            type="button"
            {class}
            aria-label={label}
            title={label}
            aria-disabled={off.then_some("true")}
            onclick={press(did, done)}
        >
            { icon(outline) }
            if class != "ptp-button" { <span class="ptp-play-word">{ label }</span> }
        </button>
    }
}

fn speed(props: &TransportProps) -> Html {
    let TransportProps { words, percent, did, .. } = props;
    let onchange = {
        let did = did.clone();
        Callback::from(move |input: Event| {
            let select = input.target_dyn_into::<web_sys::HtmlSelectElement>();
            if let Some(percent) = select.and_then(|select| select.value().parse().ok()) {
                did.emit(Did::ChoseSpeed(percent));
            }
        })
    };
    let options = SPEEDS.iter().map(|one| {
        html! {
            <option value={one.to_string()} selected={one == percent}>
                { factor(*words, *one) }
            </option>
        }
    });
    html! {
        <select class="ptp-button ptp-speed" aria-label={words.transport_speed()} {onchange}>
            { for options }
        </select>
    }
}

fn factor(words: Words, percent: i64) -> String {
    if percent % 100 == 0 {
        return words.transport_speed_times(&(percent / 100).to_string());
    }
    let mark = if words.lang() == Lang::Ru { "," } else { "." };
    let (whole, tenth) = (percent / 100, percent % 100 / 10);
    words.transport_speed_times(&format!("{whole}{mark}{tenth}"))
}
