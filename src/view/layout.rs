//! Where everything on the stage is, in whole CSS pixels: boxes, chips, cords, sockets, links.
//!
//! Pure arithmetic over a [`Stage`] and a width. Two shapes: *wide* stands the machines in a row
//! over a power strip, with the customers' world above them; *tall* stacks all boxes beside a strip
//! on the right, for phones and for scenes with more machines than the width can hold.

mod curve;
mod fill;
mod tall;
mod wide;

pub use curve::{Curve, Point, Rect};

use super::stage::{Chip, PartBox, Role, Stage};

/// Height of a chip.
pub const CHIP_HEIGHT: i32 = 24;
/// Distance between the tops of two rows of chips.
pub const ROW_PITCH: i32 = 29;
/// Widest text of a chip without an order, in characters; longer ones are cut by the view.
pub const CHIP_TEXT_MAX: u32 = 9;

/// How the boxes stand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shape {
    /// In a row, strip below.
    Wide,
    /// In a column, strip on the right.
    Tall,
}

/// The whole picture.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Layout {
    /// How the boxes stand.
    pub shape: Shape,
    /// Width that was asked for.
    pub width: i32,
    /// Height that the picture takes.
    pub height: i32,
    /// One per part, in the stage's order.
    pub boxes: Vec<BoxPlan>,
    /// One per link, in the stage's order, running from `from` to `to`.
    pub links: Vec<Curve>,
    /// The power strip; absent if nothing has a cord.
    pub strip: Option<Rect>,
}

/// One box.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BoxPlan {
    /// Its outline.
    pub rect: Rect,
    /// Start of the title's baseline.
    pub title: Point,
    /// Start of the baseline of the small line under it: key, or line of code, or power.
    pub caption: Point,
    /// The dashed field of volatile memory, for parts that run a program.
    pub memory: Option<Field>,
    /// Its shelves, in the part's order.
    pub shelves: Vec<Field>,
    /// Its cord, if it has one.
    pub cord: Option<Cord>,
}

/// An area with a label and chips.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Field {
    /// Its outline.
    pub rect: Rect,
    /// Start of the label's baseline.
    pub label: Point,
    /// Room for the label.
    pub label_width: i32,
    /// Chips that are shown.
    pub chips: Vec<ChipPlan>,
    /// How many older ones there is no room for, and where to say so.
    pub more: Option<(u32, Rect)>,
}

/// Where a chip is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ChipPlan {
    /// Its index in the part's memory or shelf.
    pub index: u32,
    /// Its outline.
    pub rect: Rect,
}

/// A power cord.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Cord {
    /// The cord when the plug is in.
    pub plugged: Curve,
    /// The cord when the plug hangs out; it ends at the plug.
    pub hanging: Curve,
    /// Middle of the socket.
    pub socket: Point,
    /// The area to press; it holds the socket and its label.
    pub button: Rect,
}

/// Arranges a stage.
///
/// `width` is the room there is (at least 280 are used); `reserve` is how many chips each shelf
/// keeps room for, so that the picture does not jump when a row fills.
pub fn arrange(stage: &Stage, width: i32, reserve: u32) -> Layout {
    let width = width.max(280);
    wide::arrange(stage, width, reserve).unwrap_or_else(|| tall::arrange(stage, width, reserve))
}

impl Layout {
    /// The way of a message between two boxes, along their link if there is one.
    pub fn route(&self, stage: &Stage, from: u32, to: u32) -> Option<Curve> {
        for (link, curve) in stage.links.iter().zip(&self.links) {
            if (link.from, link.to) == (from, to) {
                return Some(*curve);
            }
            if (link.to, link.from) == (from, to) {
                return Some(curve.reversed());
            }
        }
        let source = self.boxes.get(from as usize)?.rect;
        let target = self.boxes.get(to as usize)?.rect;
        Some(Curve::straight(source.middle(), target.middle()))
    }
}

/// Whether a part runs a program, and so has a field of memory.
pub fn runs_program(part: &PartBox) -> bool {
    matches!(part.role, Role::Service | Role::Relay | Role::Consumer | Role::Worker)
}

/// The width of a chip; `long` chips say "№ 3", others just "3".
pub fn chip_width(chip: &Chip, long: bool) -> i32 {
    let text = match chip.order {
        Some(order) => {
            let digits = order.checked_ilog10().unwrap_or(0) as i32 + 1;
            let copy = if chip.copy > 1 { if long { 58 } else { 42 } } else { 0 };
            13 + digits * 9 + if long { 20 } else { 0 } + copy
        }
        None => (chip.text.chars().count() as u32).min(CHIP_TEXT_MAX) as i32 * 8,
    };
    let done = if chip.mark == super::stage::Mark::Done { 14 } else { 0 };
    let lock = if chip.locked_by.is_some() { 13 } else { 0 };
    text + done + lock + 18
}

#[cfg(test)]
mod tests;
