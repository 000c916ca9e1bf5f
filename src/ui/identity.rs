//! The identity of an order: its number, a colour safe for colour-blind eyes, and a shape.

use yew::prelude::*;

use crate::words::Words;

const SHAPES: [&str; 8] = [
    "M-5 0a5 5 0 1 0 10 0a5 5 0 1 0-10 0z",
    "M-4.5-4.5h9v9h-9z",
    "M0-5.5 5.5 4.5h-11z",
    "M0-6 6 0 0 6-6 0z",
    "M-2-5.5h4v3.5h3.5v4h-3.5v3.5h-4v-3.5h-3.5v-4h3.5z",
    "M0 5.5 5.5-4.5h-11z",
    "M0-5.5 5.4-1.6 3.3 4.6h-6.6l-2.1-6.2z",
    "M0-6 1.7-1.7 6 0 1.7 1.7 0 6-1.7 1.7-6 0-1.7-1.7z",
];

const CLASSES: [&str; 8] =
    ["ptp-o1", "ptp-o2", "ptp-o3", "ptp-o4", "ptp-o5", "ptp-o6", "ptp-o7", "ptp-o8"];

fn slot(order: u32) -> usize {
    (order.saturating_sub(1) % 8) as usize
}

/// The outline of an order's shape, within ±6 of the origin.
pub(super) fn shape(order: u32) -> &'static str {
    SHAPES[slot(order)]
}

/// The class that sets an order's colour; one without a colour for what is of no order.
pub(super) fn class(order: Option<u32>) -> &'static str {
    order.map_or("ptp-o0", |order| CLASSES[slot(order)])
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
