//! The tall shape: boxes in a column, messages between them, the power strip on the right.

use super::{
    BoxPlan, CHIP_HEIGHT, Cord, Curve, Field, Layout, Point, ROW_PITCH, Rect, Shape, fill,
    runs_program,
};
use crate::view::stage::{PartBox, Role, Stage};

const MARGIN: i32 = 10;
const GAP: i32 = 30;
const PAD: i32 = 12;
const STRIP_WIDTH: i32 = 44;
const CORD_LENGTH: i32 = 34;
/// Room at the left for links between boxes that are not neighbours.
const LANE: i32 = 34;
const TITLE_ROOM: i32 = 112;
/// The mailbox has the longest name.
const OUTSIDE_TITLE_MORE: i32 = 42;
const BOX_MAX: i32 = 460;

/// Arranges in the tall shape; any number of boxes fits.
pub(super) fn arrange(stage: &Stage, width: i32, reserve: u32) -> Layout {
    let far = stage.links.iter().any(|link| link.from.abs_diff(link.to) > 1);
    let lane = if far { LANE } else { 0 };
    let w = (width - 2 * MARGIN - lane - CORD_LENGTH - STRIP_WIDTH).min(BOX_MAX);
    let x = MARGIN + lane + (width - 2 * MARGIN - lane - CORD_LENGTH - STRIP_WIDTH - w) / 2;
    let strip_x = x + w + CORD_LENGTH;
    let mut y = MARGIN;
    let mut boxes: Vec<BoxPlan> = Vec::with_capacity(stage.parts.len());
    for part in &stage.parts {
        let rect = Rect { x, y, w, h: height(part, w, reserve) };
        boxes.push(plan(part, rect, strip_x, reserve));
        y = rect.bottom() + GAP;
    }
    let corded: Vec<Rect> = boxes.iter().filter(|b| b.cord.is_some()).map(|b| b.rect).collect();
    let strip = corded.first().zip(corded.last()).map(|(first, last)| Rect {
        x: strip_x,
        y: first.y,
        w: STRIP_WIDTH,
        h: last.bottom() - first.y,
    });
    let links = stage.links.iter().map(|link| bow(&boxes, link.from, link.to)).collect();
    Layout {
        shape: Shape::Tall,
        width,
        height: (y - GAP + MARGIN).max(2 * MARGIN),
        boxes,
        links,
        strip,
    }
}

fn lid(role: Role) -> i32 {
    if role == Role::Database { 12 } else { 0 }
}

/// Width of a shelf's label column; the chips stand to the right of it.
fn label_width(part: &PartBox, w: i32) -> i32 {
    let longest = part.shelves.iter().map(|s| s.name.chars().count()).max().unwrap_or(0) as i32;
    (longest * 8 + 8).min((w - 2 * PAD) / 2)
}

fn shelf_rows(part: &PartBox, chips: &[crate::view::stage::Chip], w: i32, reserve: u32) -> i32 {
    fill::rows(chips, false, w - 2 * PAD - label_width(part, w), reserve, 3)
}

fn height(part: &PartBox, w: i32, reserve: u32) -> i32 {
    if !part.has_cord {
        return 46;
    }
    if runs_program(part) || part.shelves.is_empty() {
        return 64;
    }
    let rows: i32 = part.shelves.iter().map(|s| shelf_rows(part, &s.chips, w, reserve)).sum();
    lid(part.role) + 42 + rows * ROW_PITCH + 8
}

fn plan(part: &PartBox, rect: Rect, strip_x: i32, reserve: u32) -> BoxPlan {
    let x = rect.x + PAD;
    let top = rect.y + lid(part.role);
    let beside = Rect {
        x: rect.x + TITLE_ROOM,
        y: rect.y + 11,
        w: rect.w - TITLE_ROOM - PAD + 2,
        h: rect.h - 22,
    };
    let memory = runs_program(part).then(|| memory(part, beside));
    let (shelves, caption) = if part.has_cord {
        let caption = if part.shelves.is_empty() {
            Point { x, y: top + 46 }
        } else {
            Point { x: rect.x + TITLE_ROOM, y: top + 26 }
        };
        (shelves(part, rect, top, reserve), caption)
    } else {
        let area = Rect {
            x: (beside.x + OUTSIDE_TITLE_MORE).min(rect.right()),
            y: rect.y + 11,
            w: (beside.w - OUTSIDE_TITLE_MORE).max(0),
            h: CHIP_HEIGHT,
        };
        let label = (Point { x: area.x, y: area.y + 17 }, 0);
        let fields = part.shelves.iter().map(|s| fill::field(&s.chips, true, area, area, label));
        (fields.collect(), Point { x, y: rect.y + 28 })
    };
    let title_y = if part.has_cord { top + 26 } else { rect.y + 28 };
    let cord = part.has_cord.then(|| cord(rect, strip_x));
    BoxPlan { rect, title: Point { x, y: title_y }, caption, memory, shelves, cord }
}

fn memory(part: &PartBox, rect: Rect) -> Field {
    let area = Rect {
        x: rect.x + 8,
        y: rect.y + (rect.h - CHIP_HEIGHT) / 2,
        w: rect.w - 16,
        h: CHIP_HEIGHT,
    };
    let label = (Point { x: rect.x + 10, y: rect.y + rect.h / 2 + 5 }, rect.w - 16);
    fill::field(&part.memory, true, rect, area, label)
}

fn shelves(part: &PartBox, rect: Rect, top: i32, reserve: u32) -> Vec<Field> {
    let label = label_width(part, rect.w);
    let x = rect.x + PAD;
    let mut y = if part.shelves.is_empty() { top } else { top + 40 };
    let mut out = Vec::with_capacity(part.shelves.len());
    for shelf in &part.shelves {
        let rows = shelf_rows(part, &shelf.chips, rect.w, reserve);
        let field = Rect { x, y, w: rect.w - 2 * PAD, h: rows * ROW_PITCH };
        let area = Rect {
            x: x + label,
            w: field.w - label,
            h: (rows - 1) * ROW_PITCH + CHIP_HEIGHT,
            ..field
        };
        out.push(fill::field(&shelf.chips, false, field, area, (Point { x, y: y + 17 }, label)));
        y += rows * ROW_PITCH;
    }
    out
}

fn cord(rect: Rect, strip_x: i32) -> Cord {
    let from = Point { x: rect.right(), y: rect.middle().y };
    let socket = Point { x: strip_x + STRIP_WIDTH / 2, y: from.y };
    let plug = Point { x: strip_x + 4, y: from.y };
    let out = Point { x: strip_x - 12, y: from.y + 20 };
    let hanging = Curve([
        from,
        Point { x: from.x + 14, y: from.y - 2 },
        Point { x: from.x + 16, y: from.y + 6 },
        out,
    ]);
    let button =
        Rect { x: rect.right() + 4, y: rect.y, w: CORD_LENGTH + STRIP_WIDTH - 4, h: rect.h };
    Cord { plugged: Curve::straight(from, plug), hanging, socket, button }
}

/// Neighbours are joined by a short upright line, others by an arc at the left.
fn bow(boxes: &[BoxPlan], from: u32, to: u32) -> Curve {
    let rect = |index: u32| {
        boxes.get(index as usize).map_or(Rect { x: 0, y: 0, w: 0, h: 0 }, |plan| plan.rect)
    };
    let (a, b) = (rect(from), rect(to));
    if from.abs_diff(to) <= 1 {
        let x = a.middle().x;
        let (start, end) = if a.y <= b.y { (a.bottom(), b.y) } else { (a.y, b.bottom()) };
        return Curve::straight(Point { x, y: start }, Point { x, y: end });
    }
    let (start, end) = (a.middle().y, b.middle().y);
    let reach = a.x - LANE;
    Curve([
        Point { x: a.x, y: start },
        Point { x: reach, y: start },
        Point { x: reach, y: end },
        Point { x: b.x, y: end },
    ])
}
