//! Points, rectangles and cubic curves in whole pixels.

use std::fmt::Write as _;

/// A point.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Point {
    /// From the left.
    pub x: i32,
    /// From the top.
    pub y: i32,
}

/// A rectangle.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rect {
    /// Left edge.
    pub x: i32,
    /// Top edge.
    pub y: i32,
    /// Width.
    pub w: i32,
    /// Height.
    pub h: i32,
}

impl Rect {
    /// The right edge.
    pub const fn right(self) -> i32 {
        self.x + self.w
    }

    /// The bottom edge.
    pub const fn bottom(self) -> i32 {
        self.y + self.h
    }

    /// The middle.
    pub const fn middle(self) -> Point {
        Point { x: self.x + self.w / 2, y: self.y + self.h / 2 }
    }

    /// Whether two rectangles share a pixel.
    pub const fn overlaps(self, other: Self) -> bool {
        self.x < other.right()
            && other.x < self.right()
            && self.y < other.bottom()
            && other.y < self.bottom()
    }

    /// Whether `inner` is wholly inside.
    pub const fn holds(self, inner: Self) -> bool {
        self.x <= inner.x
            && self.y <= inner.y
            && inner.right() <= self.right()
            && inner.bottom() <= self.bottom()
    }
}

/// A cubic curve.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Curve(pub [Point; 4]);

impl Curve {
    /// A straight line.
    pub const fn straight(from: Point, to: Point) -> Self {
        Self([from, from, to, to])
    }

    /// A curve that leaves and arrives upright, bulging by `lift` (upwards if positive).
    pub const fn bow(from: Point, to: Point, lift: i32) -> Self {
        let first = Point { x: from.x, y: from.y - lift };
        let second = Point { x: to.x, y: to.y - lift };
        Self([from, first, second, to])
    }

    /// The same way back.
    pub const fn reversed(self) -> Self {
        let [a, b, c, d] = self.0;
        Self([d, c, b, a])
    }

    /// The point at `permille` thousandths of the way.
    pub fn at(self, permille: i64) -> Point {
        let t = permille.clamp(0, 1000);
        let u = 1000 - t;
        let weights = [u * u * u, 3 * u * u * t, 3 * u * t * t, t * t * t];
        let mix = |pick: fn(Point) -> i32| {
            let sum: i64 = self.0.iter().zip(weights).map(|(p, w)| i64::from(pick(*p)) * w).sum();
            (sum / 1_000_000_000) as i32
        };
        Point { x: mix(|p| p.x), y: mix(|p| p.y) }
    }

    /// The `d` of an SVG path.
    pub fn path(self) -> String {
        let [a, b, c, d] = self.0;
        let mut out = String::new();
        let _ = write!(out, "M{} {}C{} {} {} {} {} {}", a.x, a.y, b.x, b.y, c.x, c.y, d.x, d.y);
        out
    }
}
