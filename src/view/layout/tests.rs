//! Nothing overlaps and nothing sticks out, for any scene and any width.

use proptest::prelude::*;

use super::*;
use crate::view::stage::{Link, Mark, Power, Shelf, ShelfKind};

fn chip(order: u32, copy: u32) -> Chip {
    let mark = if order.is_multiple_of(3) { Mark::Done } else { Mark::Plain };
    Chip {
        order: Some(order),
        copy,
        text: "".into(),
        mark,
        locked_by: (order.is_multiple_of(4)).then(|| "relay".into()),
        detail: "".into(),
    }
}

fn part(role: Role, chips: u32) -> PartBox {
    let pile: Vec<Chip> = (1..=chips).map(|order| chip(order, 1 + order % 2)).collect();
    let shelf =
        |name: &str, kind| Shelf { name: name.into(), kind, durable: true, chips: pile.clone() };
    let shelves = match role {
        Role::Database => {
            vec![shelf("orders", ShelfKind::Table), shelf("outbox", ShelfKind::Table)]
        }
        Role::Queue => vec![shelf("order.created", ShelfKind::Queue)],
        Role::Mailbox => vec![shelf("mailbox", ShelfKind::Letters)],
        _ => Vec::new(),
    };
    PartBox {
        key: "part".into(),
        role,
        has_cord: !matches!(role, Role::Customers | Role::Mailbox),
        power: Power::On,
        line: Some(7),
        memory: pile,
        shelves,
    }
}

/// A chain of machines between the customers and their mailbox.
fn chain(machines: usize, chips: u32) -> Stage {
    let roles =
        [Role::Service, Role::Database, Role::Relay, Role::Queue, Role::Consumer, Role::Mail];
    let mut parts = vec![part(Role::Customers, 0)];
    parts.extend(roles.iter().cycle().take(machines).map(|role| part(*role, chips)));
    parts.push(part(Role::Mailbox, chips));
    let mut links: Vec<Link> =
        (1..parts.len() as u32).map(|to| Link { from: to - 1, to, cut: false }).collect();
    if machines > 3 {
        links.push(Link { from: 1, to: 4, cut: false });
    }
    Stage { parts, links, ..Stage::default() }
}

fn fields(plan: &BoxPlan) -> impl Iterator<Item = &Field> {
    plan.memory.iter().chain(&plan.shelves)
}

proptest! {
    #[test]
    fn boxes_and_buttons_never_overlap(
        machines in 0usize..=10,
        chips in 0u32..30,
        width in 280i32..1700,
        reserve in 0u32..12,
    ) {
        let stage = chain(machines, chips);
        let layout = arrange(&stage, width, reserve);
        let picture = Rect { x: 0, y: 0, w: layout.width, h: layout.height };
        let mut taken: Vec<Rect> = layout.boxes.iter().map(|plan| plan.rect).collect();
        taken.extend(layout.boxes.iter().filter_map(|plan| plan.cord).map(|cord| cord.button));
        prop_assert_eq!(layout.boxes.len(), machines + 2);
        for (i, one) in taken.iter().enumerate() {
            prop_assert!(picture.holds(*one), "{:?} outside {:?}", one, picture);
            for other in &taken[i + 1..] {
                prop_assert!(!one.overlaps(*other), "{:?} over {:?}", one, other);
            }
        }
    }

    #[test]
    fn chips_stay_in_their_box_apart(
        machines in 1usize..=10,
        chips in 0u32..30,
        width in 280i32..1700,
    ) {
        let stage = chain(machines, chips);
        for plan in &arrange(&stage, width, 3).boxes {
            let mut rects: Vec<Rect> = Vec::new();
            for field in fields(plan) {
                prop_assert!(plan.rect.holds(field.rect));
                rects.extend(field.chips.iter().map(|chip| chip.rect));
                rects.extend(field.more.map(|(_, rect)| rect));
            }
            for (i, one) in rects.iter().enumerate() {
                prop_assert!(plan.rect.holds(*one), "{:?} outside {:?}", one, plan.rect);
                for other in &rects[i + 1..] {
                    prop_assert!(!one.overlaps(*other));
                }
            }
        }
    }

    #[test]
    fn every_socket_is_on_the_strip_and_in_its_button(
        machines in 1usize..=10,
        width in 280i32..1700,
    ) {
        let layout = arrange(&chain(machines, 3), width, 3);
        let strip = layout.strip.unwrap();
        let mut sockets = Vec::new();
        for cord in layout.boxes.iter().filter_map(|plan| plan.cord) {
            let at = Rect { x: cord.socket.x, y: cord.socket.y, w: 1, h: 1 };
            prop_assert!(strip.holds(at) && cord.button.holds(at));
            prop_assert!(cord.button.w >= 44 && cord.button.h >= 44);
            prop_assert!(!sockets.contains(&cord.socket));
            sockets.push(cord.socket);
        }
        prop_assert_eq!(sockets.len(), machines);
    }
}

#[test]
fn six_machines_fit_side_by_side_on_a_laptop_and_stack_on_a_phone() {
    let stage = chain(6, 3);
    assert_eq!(arrange(&stage, 842, 3).shape, Shape::Wide);
    assert_eq!(arrange(&stage, 366, 3).shape, Shape::Tall);
}

#[test]
fn what_has_no_room_is_counted_and_the_newest_stay() {
    let layout = arrange(&chain(1, 30), 600, 3);
    let memory = layout.boxes[1].memory.as_ref().unwrap();
    let (hidden, _) = memory.more.unwrap();
    assert_eq!(hidden as usize + memory.chips.len(), 30);
    assert_eq!(memory.chips.last().unwrap().index, 29);
}

#[test]
fn a_message_goes_along_its_link_both_ways() {
    let stage = chain(2, 1);
    let layout = arrange(&stage, 800, 3);
    let there = layout.route(&stage, 1, 2).unwrap();
    let back = layout.route(&stage, 2, 1).unwrap();
    assert_eq!(there.at(0), back.at(1000));
    assert_eq!(there.at(250), back.at(750));
}
