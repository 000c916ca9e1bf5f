//! The look of an order: a colour and a glyph, the same wherever it is shown.

/// How many colours there are. The page gives each a class; they are told apart with any colour
/// vision.
pub const COLOURS: u32 = 8;

/// A shape that tells orders apart without colour.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Glyph {
    /// ●
    Disc,
    /// ▲
    Triangle,
    /// ■
    Square,
    /// ◆
    Diamond,
    /// ★
    Star,
    /// ✚
    Cross,
    /// ⬢
    Hexagon,
    /// ▼
    Wedge,
}

impl Glyph {
    /// All glyphs, in the order in which orders get them.
    pub const ALL: [Self; 8] = [
        Self::Disc,
        Self::Triangle,
        Self::Square,
        Self::Diamond,
        Self::Star,
        Self::Cross,
        Self::Hexagon,
        Self::Wedge,
    ];
}

/// The colour of an order, from 0 to [`COLOURS`] − 1.
pub fn colour(order: u32) -> u32 {
    order.wrapping_sub(1) % COLOURS
}

/// The glyph of an order. After eight orders the glyphs come again with other colours, so that
/// 64 orders in a row look different.
pub fn glyph(order: u32) -> Glyph {
    let index = order.wrapping_sub(1);
    let turn = index / COLOURS;
    let place = (index % COLOURS + turn) % COLOURS;
    Glyph::ALL.get(place as usize).copied().unwrap_or(Glyph::Disc)
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn sixty_four_orders_in_a_row_look_different() {
        let looks: BTreeSet<_> = (1..=64).map(|order| (colour(order), glyph(order))).collect();
        assert_eq!(looks.len(), 64);
    }

    #[test]
    fn neighbours_differ_in_both() {
        for order in 1..100 {
            assert_ne!(colour(order), colour(order + 1));
            assert_ne!(glyph(order), glyph(order + 1), "{order}");
        }
    }
}
