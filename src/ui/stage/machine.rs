//! The still part of the picture: links, strip, cords, boxes and what they hold.

use yew::prelude::*;

use super::chips;
use crate::ui::lab::Moment;
use crate::ui::names;
use crate::ui::shared::Shared;
use crate::view::layout::{BoxPlan, CHIP_HEIGHT, Field, Layout, Point, Rect, Shape, chip_width};
use crate::view::stage::{Cause, Chip, PartBox, Power, Role, Shelf, ShelfKind, Stage};
use crate::words::Words;

/// Ghosts that rise from one box.
const GHOSTS_MAX: usize = 3;

#[derive(Clone, PartialEq, Properties)]
pub(super) struct PictureProps {
    pub(super) moment: Shared<Moment>,
    pub(super) layout: Shared<Layout>,
    pub(super) words: Words,
    pub(super) chosen: u32,
}

/// Everything on the stage but the tokens in flight.
#[component]
pub(super) fn Picture(props: &PictureProps) -> Html {
    let PictureProps { moment, layout, words, chosen } = props;
    let stage = &moment.stage;
    let links = stage.links.iter().zip(&layout.links).map(|(link, curve)| {
        let class = if link.cut { "ptp-link ptp-cut" } else { "ptp-link" };
        let middle = curve.at(500);
        let cross = link.cut.then(|| {
            let place = format!("translate({} {})", middle.x, middle.y);
            html! { <path class="ptp-cross" transform={place} d="M-7-7 7 7M7-7-7 7" /> }
        });
        html! { <><path {class} d={curve.path()} />{ cross }</> }
    });
    let boxes = stage.parts.iter().zip(&layout.boxes).zip(0u32..);
    html! {
        <>
            { for links }
            { layout.strip.map(strip) }
            { for boxes.map(|((part, plan), index)| {
                let gone = if part.power == Power::On {
                    Html::default()
                } else {
                    ghosts(*words, moment, index, plan)
                };
                let chosen = *chosen == index;
                let title = title(*words, stage, part, layout.shape);
                let own = machine(*words, stage.now_us, (part, title), plan, chosen, layout.shape);
                html! { <>{ own }{ gone }</> }
            }) }
        </>
    }
}

fn strip(rect: Rect) -> Html {
    let radius = rect.w.min(rect.h) / 2;
    html! { <g class="ptp-strip">{ outline(rect, radius) }</g> }
}

fn outline(rect: Rect, radius: i32) -> Html {
    html! {
        <rect
            x={rect.x.to_string()}
            y={rect.y.to_string()}
            width={rect.w.to_string()}
            height={rect.h.to_string()}
            rx={radius.to_string()}
        />
    }
}

fn text(class: &'static str, at: Point, words: &str) -> Html {
    html! { <text {class} x={at.x.to_string()} y={at.y.to_string()}>{ words }</text> }
}

/// What a box is called. In a tall picture a program's caption is its line, so that twins are told
/// apart by their names in the scene.
fn title<'a>(words: Words, stage: &Stage, part: &'a PartBox, shape: Shape) -> &'a str {
    let twins = stage.parts.iter().filter(|other| other.role == part.role).count() > 1;
    if shape == Shape::Tall && twins && part.line.is_some() {
        &part.key
    } else {
        names::part_short(words, part)
    }
}

fn machine(
    words: Words,
    now_us: i64,
    (part, title): (&PartBox, &str),
    plan: &BoxPlan,
    chosen: bool,
    shape: Shape,
) -> Html {
    let class = classes!(
        "ptp-box",
        kind(part.role),
        chosen.then_some("ptp-chosen"),
        match part.power {
            Power::On => "ptp-on",
            Power::Unplugged => "ptp-dark",
            Power::Killed | Power::Restarting { .. } => "ptp-down",
        }
    );
    let cord = plan.cord.map(|cord| {
        let out = part.power == Power::Unplugged;
        let curve = if out { cord.hanging } else { cord.plugged };
        let class = if out { "ptp-wire ptp-out" } else { "ptp-wire" };
        html! { <path {class} d={curve.path()} /> }
    });
    let shelves = part.shelves.iter().zip(&plan.shelves);
    html! {
        <g {class}>
            { cord }
            { body(part.role, plan.rect) }
            { text("ptp-title", plan.title, title) }
            { plan.cord.map(|_| caption(words, part, plan, shape)) }
            { plan.memory.as_ref().map(|field| memory(words, now_us, part, field, shape)) }
            { for shelves.map(|(shelf, field)| self::shelf(words, shelf, field)) }
        </g>
    }
}

fn kind(role: Role) -> &'static str {
    match role {
        Role::Database => "ptp-database",
        Role::Queue => "ptp-queue",
        Role::Mail => "ptp-mail",
        Role::Customers | Role::Mailbox => "ptp-outside",
        Role::Service | Role::Relay | Role::Consumer | Role::Worker => "ptp-program",
    }
}

/// A database is a drum, everything else a card.
fn body(role: Role, rect: Rect) -> Html {
    if role != Role::Database {
        return html! { <g class="ptp-body">{ outline(rect, 12) }</g> };
    }
    let Rect { x, y, w, h } = rect;
    let (lid, half) = (9, w / 2);
    let side = h - 2 * lid;
    let shell =
        format!("M{x} {}a{half} {lid} 0 0 1 {w} 0v{side}a{half} {lid} 0 0 1-{w} 0z", y + lid);
    let rim = format!("M{x} {}a{half} {lid} 0 0 0 {w} 0", y + lid);
    html! {
        <g class="ptp-body">
            <path d={shell} />
            <path class="ptp-rim" d={rim} />
        </g>
    }
}

/// Under the title: the power if it is off, else the part's key in the scene file.
fn caption(words: Words, part: &PartBox, plan: &BoxPlan, shape: Shape) -> Html {
    let words = match part.power {
        Power::On if shape == Shape::Tall => match part.line {
            Some(line) => words.part_line(i64::from(line)),
            None => part.key.to_string(),
        },
        Power::On => part.key.to_string(),
        Power::Unplugged => return badge(plan, words.state_unpowered()),
        Power::Killed => return badge(plan, words.ui_killed_short()),
        Power::Restarting { .. } => return badge(plan, words.ui_restarting_short()),
    };
    text("ptp-caption", plan.caption, &words)
}

fn badge(plan: &BoxPlan, words: &str) -> Html {
    let w = (words.chars().count() as i32 * 9 + 14).min(plan.rect.right() - plan.caption.x - 2);
    let rect = Rect { x: plan.caption.x - 4, y: plan.caption.y - 15, w, h: 21 };
    let at = Point { x: rect.x + 8, y: plan.caption.y };
    html! { <g class="ptp-power">{ outline(rect, 10) }{ text("ptp-power-word", at, words) }</g> }
}

fn memory(words: Words, now_us: i64, part: &PartBox, field: &Field, shape: Shape) -> Html {
    let on = part.power == Power::On;
    let label = if on { words.part_in_memory() } else { words.part_memory_lost() };
    let bare = shape == Shape::Tall && !field.chips.is_empty();
    let line = part.line.filter(|_| on && shape == Shape::Wide).map(|line| {
        let at = Point { x: field.rect.x + 8, y: field.rect.bottom() - 9 };
        text("ptp-line", at, &words.part_line(i64::from(line)))
    });
    let wait = match part.power {
        Power::Restarting { at_us } if shape == Shape::Wide => {
            let left = words.seconds((at_us - now_us).max(0));
            let at = Point { x: field.rect.x + 8, y: field.rect.bottom() - 9 };
            text("ptp-line", at, &left)
        }
        _ => Html::default(),
    };
    html! {
        <g class={if on { "ptp-memory" } else { "ptp-memory ptp-gone" }}>
            { outline(field.rect, 8) }
            { if bare { Html::default() } else { folded(field, label) } }
            { chips_of(words, &part.memory, field, true) }
            { line }
            { wait }
        </g>
    }
}

/// A field's label, in two lines if one is too narrow for it.
fn folded(field: &Field, label: &str) -> Html {
    let narrow = label.chars().count() as i32 * 7 > field.label_width;
    match label.split_once(' ').filter(|_| narrow) {
        None => text("ptp-label", field.label, label),
        Some((first, rest)) => {
            let half = if field.rect.h < 60 { 8 } else { 0 };
            let upper = Point { y: field.label.y - half, ..field.label };
            let lower = Point { y: upper.y + 17, ..upper };
            html! { <>{ text("ptp-label", upper, first) }{ text("ptp-label", lower, rest) }</> }
        }
    }
}

/// What was in memory when the power went: it rises and fades once, and is drawn no more.
fn ghosts(words: Words, moment: &Moment, index: u32, plan: &BoxPlan) -> Html {
    let Some(field) = &plan.memory else { return Html::default() };
    let lost = moment.stage.graves.iter();
    let lost = lost.filter(|grave| grave.part == index && grave.cause == Cause::Memory);
    let newest = lost.flat_map(|grave| grave.chips.iter().rev()).take(GHOSTS_MAX).zip(0..);
    let drawn = newest.map(|(chip, row)| {
        let at = Rect {
            x: field.rect.x + 6 + row * 12,
            y: field.rect.y + field.rect.h / 2 - CHIP_HEIGHT / 2 + row * 8,
            w: chip_width(chip, true),
            h: CHIP_HEIGHT,
        };
        html! { <g class="ptp-ghost-chip">{ chips::chip(words, chip, at, true) }</g> }
    });
    html! { <g class="ptp-ghosts">{ for drawn }</g> }
}

fn shelf(words: Words, shelf: &Shelf, field: &Field) -> Html {
    let long = shelf.kind == ShelfKind::Letters;
    let label = (field.label_width > 0).then(|| {
        let room = (field.label_width / 8).max(1) as usize;
        let name = &shelf.name;
        let name = if name.chars().count() > room {
            name.chars().take(room - 1).chain(['…']).collect()
        } else {
            name.to_string()
        };
        html! {
            <>
                { text("ptp-mono", field.label, &name) }
                { holder(words, shelf, field, name.chars().count() as i32) }
            </>
        }
    });
    let empty = (shelf.chips.is_empty() && shelf.kind != ShelfKind::Letters).then(|| {
        let area = field.rect;
        let wide = field.label.y < area.y + 16;
        let at = if wide {
            Point { x: area.x, y: area.y + 22 + CHIP_HEIGHT - 8 }
        } else {
            Point { x: area.x + field.label_width, y: field.label.y }
        };
        text("ptp-label", at, words.part_empty())
    });
    html! {
        <g class={if shelf.durable { "ptp-shelf" } else { "ptp-shelf ptp-volatile" }}>
            { label }
            { empty }
            { chips_of(words, &shelf.chips, field, long) }
        </g>
    }
}

/// Who holds the locks on a shelf, beside its name if there is room.
fn holder(words: Words, shelf: &Shelf, field: &Field, taken: i32) -> Html {
    let Some(holder) = shelf.chips.iter().find_map(|chip| chip.locked_by.as_ref()) else {
        return Html::default();
    };
    let x = field.label.x + taken * 8 + 8;
    let room = (field.label.x + field.label_width - x - 16) / 8;
    if room < holder.chars().count() as i32 {
        return Html::default();
    }
    let _ = words;
    html! {
        <g class="ptp-holder">
            { chips::lock(x, field.label.y - 11) }
            { text("ptp-holder-name", Point { x: x + 14, y: field.label.y }, holder) }
        </g>
    }
}

fn chips_of(words: Words, pile: &[Chip], field: &Field, long: bool) -> Html {
    let drawn = field.chips.iter().filter_map(|plan| {
        let chip = pile.get(plan.index as usize)?;
        Some(chips::chip(words, chip, plan.rect, long))
    });
    let more = field.more.map(|(count, rect)| {
        let at = Point { x: rect.x + 2, y: rect.y + CHIP_HEIGHT / 2 + 5 };
        text("ptp-label", at, &words.ui_more(i64::from(count)))
    });
    html! { <>{ more }{ for drawn }</> }
}
