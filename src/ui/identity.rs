//! The identity of an order: its number, a colour safe for colour-blind eyes, and a shape.

use yew::prelude::*;

use crate::view::identity::{Glyph, colour, glyph};
use crate::words::Words;

const CLASSES: [&str; 8] =
    ["ptp-o1", "ptp-o2", "ptp-o3", "ptp-o4", "ptp-o5", "ptp-o6", "ptp-o7", "ptp-o8"];

/// The outline of an order's glyph, within ±6 of the origin.
pub(super) fn shape(order: u32) -> &'static str {
    match glyph(order) {
        Glyph::Disc => "M-5 0a5 5 0 1 0 10 0a5 5 0 1 0-10 0z",
        Glyph::Square => "M-4.5-4.5h9v9h-9z",
        Glyph::Triangle => "M0-5.5 5.5 4.5h-11z",
        Glyph::Diamond => "M0-6 6 0 0 6-6 0z",
        Glyph::Cross => "M-2-5.5h4v3.5h3.5v4h-3.5v3.5h-4v-3.5h-3.5v-4h3.5z",
        Glyph::Wedge => "M0 5.5 5.5-4.5h-11z",
        Glyph::Hexagon => "M0-5.5 4.8-2.75v5.5L0 5.5l-4.8-2.75v-5.5z",
        Glyph::Star => "M0-6 1.7-1.7 6 0 1.7 1.7 0 6-1.7 1.7-6 0-1.7-1.7z",
    }
}

/// The class that sets an order's colour; one without a colour for what is of no order.
pub(super) fn class(order: Option<u32>) -> &'static str {
    order.map_or("ptp-o0", |order| CLASSES[colour(order) as usize % CLASSES.len()])
}

/// The name of an order or of its copy: "№ 3", "№ 3, к. 2".
pub(super) fn name(words: Words, order: u32, copy: u32) -> String {
    let order = i64::from(order);
    if copy > 1 { words.part_copy(i64::from(copy), order) } else { words.order(order) }
}

/// An order in running text: shape and name.
pub(super) fn badge(words: Words, order: u32, copy: u32) -> Html {
    html! {
        <span class={classes!("ptp-badge", class(Some(order)))}>
            <svg class="ptp-glyph" viewBox="-7 -7 14 14" width="14" height="14" aria-hidden="true">
                <path d={shape(order)} />
            </svg>
            { name(words, order, copy) }
        </span>
    }
}
