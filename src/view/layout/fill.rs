//! Filling a field with rows of chips.

use super::{CHIP_HEIGHT, ChipPlan, Field, Point, ROW_PITCH, Rect, chip_width};
use crate::view::stage::Chip;

const GAP: i32 = 5;
/// Room for "+12".
const MORE_WIDTH: i32 = 34;
/// Width of an ordinary row's chip, for reserving room.
const USUAL_WIDTH: i32 = 40;

/// Rows that `chips` need in `width`, at least room for `reserve` usual ones, at most `rows_max`.
pub(super) fn rows(chips: &[Chip], long: bool, width: i32, reserve: u32, rows_max: i32) -> i32 {
    let usual = if long { USUAL_WIDTH + 20 } else { USUAL_WIDTH };
    let per_row = ((width + GAP) / (usual + GAP)).max(1);
    let reserved = (reserve as i32 + per_row - 1) / per_row;
    (place(chips, long, width).1).max(reserved).clamp(1, rows_max)
}

/// Puts chips into `area`, the newest kept if not all fit; `label` is where a [`Field`]'s label
/// begins and its room.
pub(super) fn field(
    chips: &[Chip],
    long: bool,
    rect: Rect,
    area: Rect,
    label: (Point, i32),
) -> Field {
    let rows_max = ((area.h - CHIP_HEIGHT) / ROW_PITCH + 1).max(1);
    let mut skipped = 0;
    let placed = loop {
        let lead = if skipped > 0 { MORE_WIDTH + GAP } else { 0 };
        let rest = chips.get(skipped..).unwrap_or_default();
        let (placed, rows) = place_after(rest, long, area.w, lead);
        if rows <= rows_max || rest.is_empty() {
            break placed;
        }
        skipped += 1;
    };
    let more = (skipped > 0).then_some((
        skipped as u32,
        Rect { x: area.x, y: area.y, w: MORE_WIDTH.min(area.w), h: CHIP_HEIGHT },
    ));
    let chips = placed
        .into_iter()
        .zip(skipped as u32..)
        .map(|(slot, index)| ChipPlan {
            index,
            rect: Rect { x: area.x + slot.x, y: area.y + slot.y, ..slot },
        })
        .collect();
    Field { rect, label: label.0, label_width: label.1, chips, more }
}

fn place(chips: &[Chip], long: bool, width: i32) -> (Vec<Rect>, i32) {
    place_after(chips, long, width, 0)
}

/// Flows chips into rows, the first one starting at `lead`; gives their places and the rows used.
fn place_after(chips: &[Chip], long: bool, width: i32, lead: i32) -> (Vec<Rect>, i32) {
    let (mut x, mut row) = (lead, 0);
    let mut out = Vec::with_capacity(chips.len());
    for chip in chips {
        let w = chip_width(chip, long).min(width);
        if x > 0 && x + w > width {
            x = 0;
            row += 1;
        }
        out.push(Rect { x, y: row * ROW_PITCH, w, h: CHIP_HEIGHT });
        x += w + GAP;
    }
    (out, row + 1)
}
