//! Chips: rows, entries, messages and letters, drawn alike wherever they are.

use yew::prelude::*;

use crate::ui::identity;
use crate::view::layout::{CHIP_TEXT_MAX, Rect};
use crate::view::stage::{Chip, Mark};
use crate::words::Words;

/// Draws a chip into a rectangle; `long` ones say "№ 3", others "3".
pub(super) fn chip(words: Words, chip: &Chip, rect: Rect, long: bool) -> Html {
    let class = classes!("ptp-chip", identity::class(chip.order), mark(chip.mark));
    let middle = rect.h / 2;
    let radius = if long { "12" } else { "7" };
    let signs = 13 * i32::from(chip.locked_by.is_some()) + 14 * i32::from(chip.mark == Mark::Done);
    let (text_x, anchor) =
        if chip.order.is_some() { (24, "start") } else { ((rect.w - signs) / 2, "middle") };
    let done = (chip.mark == Mark::Done).then(|| {
        let x = rect.w - 17 - if chip.locked_by.is_some() { 12 } else { 0 };
        tick(x, middle)
    });
    let lock = chip.locked_by.as_ref().map(|_| lock(rect.w - 17, middle - 6));
    html! {
        <g {class} transform={format!("translate({} {})", rect.x, rect.y)}>
            <rect width={rect.w.to_string()} height={rect.h.to_string()} rx={radius} />
            { glyph(chip.order, 13, middle) }
            <text x={text_x.to_string()} y={(middle + 5).to_string()} text-anchor={anchor}>
                { label(words, chip, long) }
            </text>
            { done }
            { lock }
        </g>
    }
}

/// What a chip says.
pub(super) fn label(words: Words, chip: &Chip, long: bool) -> String {
    match chip.order {
        Some(order) if long => identity::name(words, order, chip.copy),
        Some(order) if chip.copy > 1 => words.ui_row_copy(i64::from(chip.copy), i64::from(order)),
        Some(order) => order.to_string(),
        None => short(&chip.text),
    }
}

fn short(text: &str) -> String {
    let count = text.chars().count() as u32;
    if count <= CHIP_TEXT_MAX {
        return text.to_owned();
    }
    text.chars().take(CHIP_TEXT_MAX as usize - 1).chain(['…']).collect()
}

/// An order's shape at a place.
pub(super) fn glyph(order: Option<u32>, x: i32, y: i32) -> Html {
    order.map_or_else(Html::default, |order| {
        html! {
            <path
                class="ptp-glyph"
                transform={format!("translate({x} {y})")}
                d={identity::shape(order)}
            />
        }
    })
}

/// The tick of what is done or confirmed.
pub(super) fn tick(x: i32, y: i32) -> Html {
    let place = format!("translate({x} {y})");
    html! { <path class="ptp-tick" transform={place} d="M0 0l3.5 4 6-8" /> }
}

/// A padlock.
pub(super) fn lock(x: i32, y: i32) -> Html {
    html! {
        <g class="ptp-lock" transform={format!("translate({x} {y})")}>
            <path d="M2 6v-2.5a3 3 0 0 1 6 0v2.5" />
            <rect x="0" y="5.5" width="10" height="7.5" rx="1.5" />
        </g>
    }
}

fn mark(mark: Mark) -> &'static str {
    match mark {
        Mark::Plain => "ptp-plain",
        Mark::Uncommitted => "ptp-uncommitted",
        Mark::Changing => "ptp-changing",
        Mark::Deleting => "ptp-deleting",
        Mark::Done => "ptp-done",
        Mark::Unacked => "ptp-unacked",
        Mark::Redelivered => "ptp-redelivered",
    }
}
