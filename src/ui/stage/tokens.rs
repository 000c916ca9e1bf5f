//! Messages in flight, and the only clock of the page: it ticks with the screen, and only while
//! the run is playing and in sight.

use gloo::render::{AnimationFrame, request_animation_frame};
use yew::prelude::*;

use super::{Pace, chips};
use crate::ui::identity;
use crate::ui::lab::Moment;
use crate::ui::page::Did;
use crate::ui::shared::Shared;
use crate::view::layout::{CHIP_HEIGHT, Layout, Point, chip_width};
use crate::view::stage::{Flight, FlightKind};
use crate::words::Words;

/// A frame never counts for more than this, so that a stall does not become a jump.
const FRAME_MS_MAX: i64 = 100;
/// Tokens keep to this part of their way, in thousandths, clear of the boxes' edges.
const WAY: (i64, i64) = (140, 900);

#[derive(Clone, PartialEq, Properties)]
pub(super) struct TokensProps {
    pub(super) moment: Shared<Moment>,
    pub(super) layout: Shared<Layout>,
    pub(super) words: Words,
    pub(super) pace: Pace,
    pub(super) did: Callback<Did>,
}

/// Tokens between boxes.
pub(super) struct Tokens {
    now_us: i64,
    /// When the last frame was, in whole milliseconds of the screen's clock.
    last_ms: Option<i64>,
    frame: Option<AnimationFrame>,
}

/// The screen is about to be drawn.
pub(super) struct FrameCame {
    ms: i64,
}

impl Component for Tokens {
    type Message = FrameCame;
    type Properties = TokensProps;

    fn create(ctx: &Context<Self>) -> Self {
        let mut own = Self { now_us: ctx.props().moment.now_us, last_ms: None, frame: None };
        own.wind(ctx);
        own
    }

    fn update(&mut self, ctx: &Context<Self>, msg: FrameCame) -> bool {
        let TokensProps { moment, pace, did, .. } = ctx.props();
        let passed = self.last_ms.map_or(0, |last| (msg.ms - last).clamp(0, FRAME_MS_MAX));
        self.last_ms = Some(msg.ms);
        // One second of the screen is 100 ms of the model at the usual speed.
        self.now_us += passed * pace.percent;
        self.frame = None;
        if moment.next_at_us.is_some_and(|at| at <= self.now_us) {
            did.emit(Did::CameDue(self.now_us));
        }
        self.wind(ctx);
        !pace.still
    }

    fn changed(&mut self, ctx: &Context<Self>, old: &TokensProps) -> bool {
        let props = ctx.props();
        let jumped = props.pace.epoch != old.pace.epoch;
        let floor = props.moment.now_us;
        self.now_us = if jumped { floor } else { self.now_us.max(floor) };
        self.wind(ctx);
        true
    }

    fn view(&self, ctx: &Context<Self>) -> Html {
        let TokensProps { moment, layout, words, pace, .. } = ctx.props();
        let flights = &moment.stage.flights;
        let tokens = flights.iter().enumerate().filter_map(|(index, flight)| {
            let same = |other: &&Flight| (other.from, other.to) == (flight.from, flight.to);
            let behind = flights.iter().take(index).filter(same).count() as i32;
            let route = layout.route(&moment.stage, flight.from, flight.to)?;
            let place = route.at(if pace.still { 500 } else { progress(flight, self.now_us) });
            Some(token(*words, flight, Point { y: place.y + behind * 9, ..place }))
        });
        html! { <g class="ptp-tokens">{ for tokens }</g> }
    }
}

impl Tokens {
    /// Asks for the next frame if time is running, else forgets the one asked for.
    fn wind(&mut self, ctx: &Context<Self>) {
        if !ctx.props().pace.running {
            self.frame = None;
            self.last_ms = None;
        } else if self.frame.is_none() {
            let link = ctx.link().clone();
            self.frame = Some(request_animation_frame(move |ms| {
                link.send_message(FrameCame { ms: ms as i64 });
            }));
        }
    }
}

/// How far a message is on its way, in thousandths of its route.
fn progress(flight: &Flight, now_us: i64) -> i64 {
    let whole = (flight.arrive_us - flight.depart_us).max(1);
    let done = (now_us - flight.depart_us).clamp(0, whole) * 1000 / whole;
    WAY.0 + done * (WAY.1 - WAY.0) / 1000
}

fn token(words: Words, flight: &Flight, at: Point) -> Html {
    let w = chip_width(&flight.chip, true) + if confirms(flight.kind) { 14 } else { 0 };
    let copy = if flight.chip.copy > 1 { "ptp-copy" } else { "" };
    let class = classes!("ptp-token", kind(flight.kind), identity::class(flight.chip.order), copy);
    let (left, top) = (-w / 2, -CHIP_HEIGHT / 2);
    let (text_x, anchor) =
        if flight.chip.order.is_some() { (left + 23, "start") } else { (0, "middle") };
    let tick = confirms(flight.kind).then(|| chips::tick(left + w - 17, 0));
    html! {
        <g key={&*flight.name} {class} transform={format!("translate({} {})", at.x, at.y)}>
            <rect
                x={left.to_string()}
                y={top.to_string()}
                width={w.to_string()}
                height={CHIP_HEIGHT.to_string()}
                rx="12"
            />
            { chips::glyph(flight.chip.order, left + 13, 0) }
            <text x={text_x.to_string()} y="5" text-anchor={anchor}>
                { chips::label(words, &flight.chip, true) }
            </text>
            { tick }
        </g>
    }
}

fn confirms(kind: FlightKind) -> bool {
    matches!(kind, FlightKind::Confirm | FlightKind::Ack)
}

fn kind(kind: FlightKind) -> &'static str {
    match kind {
        FlightKind::Request | FlightKind::Publish | FlightKind::Delivery | FlightKind::Letter => {
            "ptp-ask"
        }
        FlightKind::Answer | FlightKind::Confirm | FlightKind::Ack => "ptp-answer",
        FlightKind::Reset => "ptp-reset",
    }
}
