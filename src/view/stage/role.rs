//! What a box is, and where its program stands: read off the program's code.

use crate::collections::Set;

use super::Role;
use crate::script::code::{Image, Op};
use crate::sim::{PartId, PartKind, Setup, World};

/// What a part is. A program that subscribes is a consumer, even if it publishes as well.
pub fn role_of(setup: &Setup, part: PartId) -> Role {
    match setup.part(part).kind {
        PartKind::Customers => Role::Customers,
        PartKind::Service { .. } => Role::Service,
        PartKind::Database { .. } => Role::Database,
        PartKind::Queue { .. } => Role::Queue,
        PartKind::Mail { .. } => Role::Mail,
        PartKind::Worker { program } => {
            let methods = methods(&setup.image, program);
            match (methods.contains("subscribe"), methods.contains("publish")) {
                (true, _) => Role::Consumer,
                (false, true) => Role::Relay,
                (false, false) => Role::Worker,
            }
        }
    }
}

/// The methods that a function and those it uses call.
fn methods(image: &Image, program: u32) -> Set<&str> {
    let mut found = Set::new();
    let mut seen = Set::new();
    let mut open = vec![program];
    while let Some(index) = open.pop() {
        let Some(function) = image.functions.get(index as usize) else { continue };
        if !seen.insert(index) {
            continue;
        }
        for op in &function.code {
            match op {
                Op::Function(other) | Op::Closure(other) => open.push(*other),
                Op::CallMethod(name, _) => {
                    found.insert(&**name);
                }
                _ => {}
            }
        }
    }
    found
}

/// Whether the call that begins at this byte of the scene file is a subscription.
pub fn is_subscription(image: &Image, at: u32) -> bool {
    image.functions.iter().filter(|function| !function.prelude).any(|function| {
        function.code.iter().zip(&function.spans).any(|(op, span)| {
            span.start == at && matches!(op, Op::CallMethod(name, _) if &**name == "subscribe")
        })
    })
}

/// The line on which a part's program stands, from 1: its eldest call without an answer, except
/// a subscription, which always waits; the subscription if nothing else waits.
pub fn line_of(world: &World, part: PartId) -> Option<u32> {
    let setup = world.setup();
    let waits = world.station(part).process()?.vm.waits_at();
    let places: Vec<u32> = waits.map(|(_, at)| at).collect();
    let busy = places.iter().find(|at| !is_subscription(&setup.image, **at));
    busy.or(places.first()).map(|at| setup.lines.line(*at))
}
