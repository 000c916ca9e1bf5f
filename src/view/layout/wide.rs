//! The wide shape: customers' world on top, a lane for messages, machines in a row, power strip.

use super::{
    BoxPlan, CHIP_HEIGHT, Cord, Curve, Field, Layout, Point, ROW_PITCH, Rect, Shape, fill,
    runs_program,
};
use crate::collections::sort_by;
use crate::view::stage::{Link, PartBox, Role, Shelf, Stage};

const MARGIN: i32 = 20;
const GAP_MIN: i32 = 16;
const GAP_MAX: i32 = 44;
const PAD: i32 = 12;
const OUTSIDE_HEIGHT: i32 = 46;
/// An outside box that holds nothing.
const BARE_WIDTH: i32 = 150;
/// An outside box with room for four letters, one of them a copy.
const HOLDING_WIDTH: i32 = 480;
const OUTSIDE_WIDTH_MIN: i32 = 240;
const ROWS_MAX: i32 = 3;
const CORD_LENGTH: i32 = 62;
const STRIP_HEIGHT: i32 = 32;
/// Height of a cord's button: from above the plug to under its label.
const BUTTON_HEIGHT: i32 = 86;

/// Arranges in the wide shape, or gives `None` if the boxes do not fit side by side.
pub(super) fn arrange(stage: &Stage, width: i32, reserve: u32) -> Option<Layout> {
    let machines: Vec<usize> = indices(stage, |part| part.has_cord);
    let outside: Vec<usize> = indices(stage, |part| !part.has_cord);
    let columns = columns(stage, &machines, width)?;
    let lane_top = if outside.is_empty() { MARGIN } else { 14 + OUTSIDE_HEIGHT };
    let row_top = lane_top + lane_height(stage);
    let row_height = machines
        .iter()
        .zip(&columns)
        .map(|(index, (_, w))| height(&stage.parts[*index], *w, reserve))
        .max()
        .unwrap_or(0);
    let mut boxes: Vec<Option<BoxPlan>> = vec![None; stage.parts.len()];
    for (index, (x, w)) in machines.iter().zip(&columns) {
        let rect = Rect { x: *x, y: row_top, w: *w, h: row_height };
        boxes[*index] = Some(machine(&stage.parts[*index], rect, reserve));
    }
    for (index, rect) in outside.iter().zip(outside_rects(stage, &outside, &boxes, width)?) {
        boxes[*index] = Some(outsider(&stage.parts[*index], rect));
    }
    let boxes: Vec<BoxPlan> = boxes.into_iter().flatten().collect();
    let strip_top = row_top + row_height + CORD_LENGTH;
    let strip = Rect { x: MARGIN - 6, y: strip_top, w: width - 2 * MARGIN + 12, h: STRIP_HEIGHT };
    let links = links(stage, &boxes, row_top);
    Some(Layout {
        shape: Shape::Wide,
        width,
        height: if machines.is_empty() { row_top } else { strip_top + STRIP_HEIGHT + 38 },
        boxes,
        links,
        strip: (!machines.is_empty()).then_some(strip),
    })
}

fn indices(stage: &Stage, keep: fn(&PartBox) -> bool) -> Vec<usize> {
    stage.parts.iter().enumerate().filter(|(_, part)| keep(part)).map(|(i, _)| i).collect()
}

fn width_min(role: Role) -> i32 {
    match role {
        Role::Database => 152,
        Role::Queue => 124,
        _ => 104,
    }
}

/// Left edges and widths of the machines.
fn columns(stage: &Stage, machines: &[usize], width: i32) -> Option<Vec<(i32, i32)>> {
    let room = width - 2 * MARGIN;
    let minimal: Vec<i32> = machines.iter().map(|i| width_min(stage.parts[*i].role)).collect();
    let sum: i32 = minimal.iter().sum();
    let gaps = (minimal.len() as i32 - 1).max(0);
    if sum + gaps * GAP_MIN > room {
        return None;
    }
    let gap = if gaps == 0 { 0 } else { ((room - sum) / (2 * gaps)).clamp(GAP_MIN, GAP_MAX) };
    let scale_room = room - gaps * gap;
    let widths: Vec<i32> =
        minimal.iter().map(|w| (w * scale_room / sum.max(1)).min(w * 9 / 5)).collect();
    let used: i32 = widths.iter().sum::<i32>();
    let gap = if gaps == 0 { 0 } else { (room - used) / gaps };
    let mut x = if gaps == 0 { MARGIN + (room - used) / 2 } else { MARGIN };
    let mut out = Vec::with_capacity(widths.len());
    for w in widths {
        out.push((x, w));
        x += w + gap;
    }
    Some(out)
}

/// Room for the arcs: the further two machines stand apart, the higher their arc.
fn lane_height(stage: &Stage) -> i32 {
    let span = stage.links.iter().map(|link| span(stage, link)).max().unwrap_or(1);
    58 + (span - 1).clamp(0, 4) * 14
}

/// How many machines apart two linked ones stand; 1 for links to the outside.
fn span(stage: &Stage, link: &Link) -> i32 {
    let (low, high) = (link.from.min(link.to) as usize, link.from.max(link.to) as usize);
    let machine = |i: usize| stage.parts.get(i).is_some_and(|part| part.has_cord);
    if !machine(low) || !machine(high) {
        return 1;
    }
    (low..high).filter(|i| machine(*i)).count() as i32
}

/// The drum's lid takes some height at the top of a database.
fn lid(role: Role) -> i32 {
    if role == Role::Database { 14 } else { 0 }
}

fn inner(w: i32) -> i32 {
    w - 2 * PAD
}

fn shelf_rows(shelf: &Shelf, w: i32, reserve: u32) -> i32 {
    fill::rows(&shelf.chips, false, inner(w), reserve, ROWS_MAX)
}

fn height(part: &PartBox, w: i32, reserve: u32) -> i32 {
    let head = lid(part.role) + 52;
    let memory = if runs_program(part) {
        let rows = fill::rows(&part.memory, true, inner(w) - 12, 2, ROWS_MAX);
        rows * ROW_PITCH + 52
    } else {
        0
    };
    let shelves: i32 =
        part.shelves.iter().map(|s| 26 + shelf_rows(s, w, reserve) * ROW_PITCH).sum();
    (head + memory + shelves + PAD).max(150)
}

fn machine(part: &PartBox, rect: Rect, reserve: u32) -> BoxPlan {
    let x = rect.x + PAD;
    let top = rect.y + lid(part.role);
    let mut y = top + 52;
    let memory = runs_program(part).then(|| {
        let field = Rect { x, y, w: inner(rect.w), h: rect.bottom() - PAD - y };
        let area = Rect { x: x + 6, y: y + 26, w: field.w - 12, h: field.h - 52 };
        let label = (Point { x: x + 8, y: y + 17 }, field.w - 16);
        fill::field(&part.memory, true, field, area, label)
    });
    let mut shelves = Vec::with_capacity(part.shelves.len());
    for shelf in &part.shelves {
        let rows = shelf_rows(shelf, rect.w, reserve);
        shelves.push(shelf_field(shelf, x, y, inner(rect.w), rows));
        y += 26 + rows * ROW_PITCH;
    }
    BoxPlan {
        rect,
        title: Point { x, y: top + 24 },
        caption: Point { x, y: top + 43 },
        memory,
        shelves,
        cord: Some(cord(rect)),
    }
}

fn shelf_field(shelf: &Shelf, x: i32, y: i32, w: i32, rows: i32) -> Field {
    let rect = Rect { x, y, w, h: 22 + rows * ROW_PITCH };
    let area = Rect { x, y: y + 22, w, h: (rows - 1) * ROW_PITCH + CHIP_HEIGHT };
    fill::field(&shelf.chips, false, rect, area, (Point { x, y: y + 14 }, w))
}

fn cord(rect: Rect) -> Cord {
    let from = Point { x: rect.middle().x, y: rect.bottom() };
    let strip = rect.bottom() + CORD_LENGTH;
    let socket = Point { x: from.x, y: strip + STRIP_HEIGHT / 2 };
    let plug = Point { x: from.x, y: strip - 10 };
    let plugged = Curve([
        from,
        Point { x: from.x, y: from.y + 34 },
        Point { x: from.x - 20, y: plug.y - 24 },
        plug,
    ]);
    let out = Point { x: from.x + 24, y: strip - 26 };
    let hanging = Curve([
        from,
        Point { x: from.x - 6, y: from.y + 30 },
        Point { x: from.x + 2, y: out.y - 4 },
        out,
    ]);
    let button = Rect {
        x: rect.x,
        y: strip - BUTTON_HEIGHT + STRIP_HEIGHT + 36,
        w: rect.w,
        h: BUTTON_HEIGHT,
    };
    Cord { plugged, hanging, socket, button }
}

/// The outside boxes stand above the machines that they talk to, in order, without overlap.
fn outside_rects(
    stage: &Stage,
    outside: &[usize],
    boxes: &[Option<BoxPlan>],
    width: i32,
) -> Option<Vec<Rect>> {
    let room = width - 2 * MARGIN;
    let share = room / (outside.len() as i32).max(1) - GAP_MIN;
    if !outside.is_empty() && share < OUTSIDE_WIDTH_MIN {
        return None;
    }
    let is_bare = |index: &usize| stage.parts[*index].shelves.is_empty();
    let bare = outside.iter().filter(|index| is_bare(index)).count() as i32;
    // What holds letters takes the room that the others leave.
    let holding = (outside.len() as i32 - bare).max(1);
    let left = ((room - bare * (BARE_WIDTH + GAP_MIN)) / holding - GAP_MIN).max(share);
    let mut rects: Vec<Rect> = Vec::new();
    let mut free = MARGIN;
    for index in outside {
        let w = if is_bare(index) { BARE_WIDTH.min(share) } else { HOLDING_WIDTH.min(left) };
        let over = partner(stage, *index, boxes).map_or(free, |rect| rect.middle().x - w / 2);
        let x = over.clamp(free, (width - MARGIN - w).max(free));
        rects.push(Rect { x, y: 14, w, h: OUTSIDE_HEIGHT });
        free = x + w + GAP_MIN;
    }
    let mut limit = width - MARGIN;
    for rect in rects.iter_mut().rev() {
        rect.x = rect.x.min(limit - rect.w);
        limit = rect.x - GAP_MIN;
    }
    Some(rects)
}

fn partner(stage: &Stage, index: usize, boxes: &[Option<BoxPlan>]) -> Option<Rect> {
    let index = index as u32;
    let other = stage.links.iter().find_map(|link| match (link.from, link.to) {
        (from, to) if from == index => Some(to),
        (from, to) if to == index => Some(from),
        _ => None,
    })?;
    boxes.get(other as usize)?.as_ref().map(|plan| plan.rect)
}

fn outsider(part: &PartBox, rect: Rect) -> BoxPlan {
    let title_room = 152;
    let shelves = part
        .shelves
        .iter()
        .map(|shelf| {
            let area = Rect {
                x: rect.x + title_room,
                y: rect.y + 11,
                w: (rect.w - title_room - PAD).max(30),
                h: CHIP_HEIGHT,
            };
            fill::field(&shelf.chips, true, area, area, (Point { x: area.x, y: area.y + 17 }, 0))
        })
        .collect();
    BoxPlan {
        rect,
        title: Point { x: rect.x + PAD, y: rect.y + 28 },
        caption: Point { x: rect.x + PAD, y: rect.y + 28 },
        memory: None,
        shelves,
        cord: None,
    }
}

/// Arcs over the row between machines, short drops from the outside.
fn links(stage: &Stage, boxes: &[BoxPlan], row_top: i32) -> Vec<Curve> {
    stage
        .links
        .iter()
        .map(|link| {
            let from = port(stage, boxes, link.from, link.to);
            let to = port(stage, boxes, link.to, link.from);
            if from.y == row_top && to.y == row_top {
                Curve::bow(from, to, 38 + (span(stage, link) - 1).clamp(0, 4) * 16)
            } else {
                let half = (to.y - from.y) / 2;
                Curve([
                    from,
                    Point { x: from.x, y: from.y + half },
                    Point { x: to.x, y: to.y - half },
                    to,
                ])
            }
        })
        .collect()
}

/// Where the link to `other` leaves `own`: links are spread along the edge in the order of the
/// boxes they lead to, so that they do not cross at the edge.
fn port(stage: &Stage, boxes: &[BoxPlan], own: u32, other: u32) -> Point {
    let Some(plan) = boxes.get(own as usize) else { return Point { x: 0, y: 0 } };
    // A wide outside box is left right above the machine, if it reaches there.
    let end = |index: u32| match boxes.get(index as usize) {
        Some(other) if other.cord.is_some() => other.rect.middle().x,
        Some(other) => plan.rect.middle().x.clamp(other.rect.x + PAD, other.rect.right() - PAD),
        None => 0,
    };
    let mut others: Vec<u32> = stage
        .links
        .iter()
        .filter_map(|link| match (link.from, link.to) {
            (from, to) if from == own => Some(to),
            (from, to) if to == own => Some(from),
            _ => None,
        })
        .collect();
    sort_by(&mut others, |a, b| (end(*a), a).cmp(&(end(*b), b)));
    others.dedup();
    let place = others.iter().position(|index| *index == other).unwrap_or(0) as i32 + 1;
    let x = if plan.cord.is_some() {
        plan.rect.x + plan.rect.w * place / (others.len() as i32 + 1)
    } else {
        end(other).clamp(plan.rect.x + PAD, plan.rect.right() - PAD)
    };
    let y = if plan.cord.is_some() { plan.rect.y } else { plan.rect.bottom() };
    Point { x, y }
}
