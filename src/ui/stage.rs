//! The stage: a picture in SVG, hidden from screen readers, under real buttons for boxes and cords.

mod chips;
mod controls;
mod machine;
mod tokens;

use yew::prelude::*;

use self::controls::{BoxButton, CordButton};
use self::machine::Picture;
use self::tokens::Tokens;
use super::browser::use_width;
use super::lab::Moment;
use super::page::Did;
use super::shared::Shared;
use crate::view::layout::{Layout, Rect, arrange};
use crate::words::Words;

/// Chips that every shelf keeps room for from the start.
const RESERVE_MIN: u32 = 3;
/// The width that is assumed until the real one is known.
const WIDTH_FIRST: i32 = 860;

/// How the clock of the stage runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Pace {
    /// Whether time passes: playing and in sight.
    pub(super) running: bool,
    /// Hundredths of the usual speed.
    pub(super) percent: i64,
    /// Changes whenever the learner jumps in time, and the clock must start from the moment's time.
    pub(super) epoch: u32,
    /// Whether tokens jump instead of flying.
    pub(super) still: bool,
}

/// Properties of [`Stage`].
#[derive(Clone, PartialEq, Properties)]
pub(super) struct StageProps {
    /// What to show.
    pub(super) moment: Shared<Moment>,
    /// In which language.
    pub(super) words: Words,
    /// The chosen part.
    pub(super) chosen: u32,
    /// How the clock runs.
    pub(super) pace: Pace,
    /// Tells what the learner did.
    pub(super) did: Callback<Did>,
}

/// The stage at one moment.
#[component]
pub(super) fn Stage(props: &StageProps) -> Html {
    let node = use_node_ref();
    let width = use_width(&node);
    let reserve = use_mut_ref(|| RESERVE_MIN);
    let layout = use_memo((props.moment.clone(), width), |(moment, width)| {
        let mut reserve = reserve.borrow_mut();
        *reserve = longest_shelf(moment).max(*reserve);
        Shared::new(arrange(&moment.stage, if *width > 0 { *width } else { WIDTH_FIRST }, *reserve))
    });
    let layout = Shared::clone(&layout);
    let whole = Rect { x: 0, y: 0, w: layout.width, h: layout.height };
    html! {
        <div class="ptp-stage" ref={node} role="group" aria-label={props.words.page_stage()}>
            <Canvas area={whole}>
                <Picture
                    moment={props.moment.clone()}
                    layout={layout.clone()}
                    words={props.words}
                    chosen={props.chosen}
                />
                <Tokens
                    moment={props.moment.clone()}
                    layout={layout.clone()}
                    words={props.words}
                    pace={props.pace}
                    did={props.did.clone()}
                />
            </Canvas>
            { for buttons(props, &layout) }
        </div>
    }
}

fn longest_shelf(moment: &Moment) -> u32 {
    let shelves = moment.stage.parts.iter().flat_map(|part| &part.shelves);
    shelves.map(|shelf| shelf.chips.len() as u32).max().unwrap_or(0)
}

#[derive(PartialEq, Properties)]
struct CanvasProps {
    area: Rect,
    children: Html,
}

/// The SVG, one unit to a pixel.
#[component]
fn Canvas(props: &CanvasProps) -> Html {
    let Rect { w, h, .. } = props.area;
    html! {
        <svg
            class="ptp-canvas"
            aria-hidden="true"
            focusable="false"
            width={w.to_string()}
            height={h.to_string()}
            viewBox={format!("0 0 {w} {h}")}
        >
            { props.children.clone() }
        </svg>
    }
}

fn buttons<'a>(props: &'a StageProps, layout: &'a Layout) -> impl Iterator<Item = Html> + 'a {
    let stage = &props.moment.stage;
    stage.parts.iter().zip(&layout.boxes).enumerate().map(move |(index, (part, plan))| {
        let name = stage.title(part, props.words);
        let state = super::names::state(props.words, part, stage.now_us);
        let cord = plan.cord.map(|cord| {
            html! {
                <CordButton
                    {cord}
                    shape={layout.shape}
                    power={part.power}
                    part={part.key.clone()}
                    name={name.clone()}
                    words={props.words}
                    did={props.did.clone()}
                />
            }
        });
        html! {
            <>
                <BoxButton
                    rect={plan.rect}
                    index={index as u32}
                    chosen={props.chosen == index as u32}
                    label={props.words.state_of_part(&name, &state)}
                    did={props.did.clone()}
                />
                { cord }
            </>
        }
    })
}
