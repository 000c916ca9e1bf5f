//! Which variables a suspended call can still read. The others are forgotten while it waits, so
//! that a loop that comes back to the same wait is back in the same state, and so that what is
//! said to be in memory is what the program would go on with.

use std::sync::Arc;

use crate::script::code::{Capture, Function, Op};

/// Bits of memory for one function; a larger one keeps all its variables.
const WORK_MAX: usize = 1 << 23;

/// For the step after each `await`, the slots that are still read from there on. Empty for a
/// function too large to look at. `functions` are the image's, for what closures capture.
pub(super) fn at_awaits(code: &[Op], slots: u32, functions: &[Function]) -> Vec<(u32, Arc<[u32]>)> {
    let words = (slots as usize).div_ceil(64);
    if code.len() * words * 64 > WORK_MAX {
        return Vec::new();
    }
    let guards = guards(code);
    let mut live = vec![vec![0u64; words]; code.len() + 1];
    let mut changed = true;
    while changed {
        changed = false;
        for at in (0..code.len()).rev() {
            let mut now = after(code, at, guards[at], &live, words);
            uses(&code[at], functions, &mut now);
            if live[at] != now {
                live[at] = now;
                changed = true;
            }
        }
    }
    let awaits = code.iter().enumerate().filter(|(_, op)| matches!(op, Op::Await));
    awaits
        .map(|(at, _)| {
            let bits = after(code, at, guards[at], &live, words);
            let alive = (0..slots).filter(|slot| bits[*slot as usize / 64] >> (slot % 64) & 1 == 1);
            (at as u32 + 1, alive.collect())
        })
        .collect()
}

/// What is read after a step, on any way.
fn after(code: &[Op], at: usize, guard: Option<u32>, live: &[Vec<u64>], words: usize) -> Vec<u64> {
    let mut bits = vec![0; words];
    let mut add = |to: u32| {
        if let Some(from) = live.get(to as usize) {
            bits.iter_mut().zip(from).for_each(|(bit, more)| *bit |= more);
        }
    };
    let (jump, falls) = successors(&code[at]);
    jump.into_iter().for_each(&mut add);
    if falls {
        add(at as u32 + 1);
    }
    // Any step may throw.
    if let Some(guard) = guard
        && let Some(Op::Guard(target)) = code.get(guard as usize)
    {
        add(*target);
    }
    bits
}

/// The jump of a step, and whether the next step may follow.
fn successors(op: &Op) -> (Option<u32>, bool) {
    match op {
        Op::Jump(to) => (Some(*to), false),
        Op::JumpIfFalse(to)
        | Op::JumpIfFalsePeek(to)
        | Op::JumpIfTruePeek(to)
        | Op::JumpIfValuePeek(to)
        | Op::Next { end: to, .. } => (Some(*to), true),
        Op::Return | Op::Throw => (None, false),
        _ => (None, true),
    }
}

/// For each step the innermost guard around it, as the place of its [`Op::Guard`].
fn guards(code: &[Op]) -> Vec<Option<u32>> {
    let mut known: Vec<Option<Option<u32>>> = vec![None; code.len()];
    let mut open = vec![(0u32, None)];
    while let Some((at, guard)) = open.pop() {
        let Some(place) = known.get_mut(at as usize) else { continue };
        if place.is_some() {
            continue;
        }
        *place = Some(guard);
        let op = &code[at as usize];
        let inner = match op {
            Op::Guard(target) => {
                open.push((*target, guard));
                Some(at)
            }
            Op::Unguard => guard.and_then(|guard: u32| known[guard as usize].flatten()),
            _ => guard,
        };
        let (jump, falls) = successors(op);
        open.extend(jump.map(|to| (to, inner)));
        if falls {
            open.push((at + 1, inner));
        }
    }
    known.into_iter().map(Option::flatten).collect()
}

/// Takes out what a step writes, puts in what it reads.
fn uses(op: &Op, functions: &[Function], bits: &mut [u64]) {
    let mut read = |slot: u32| {
        if let Some(word) = bits.get_mut(slot as usize / 64) {
            *word |= 1 << (slot % 64);
        }
    };
    match op {
        Op::Load(slot) | Op::Box(slot) | Op::LoadCell(slot) | Op::StoreCell(slot) => read(*slot),
        Op::Next { list, index, .. } => {
            read(*list);
            read(*index);
        }
        Op::Closure(function) => {
            let captures = functions.get(*function as usize).map(|function| &function.captures);
            for capture in captures.into_iter().flatten() {
                if let Capture::Local(slot) = capture {
                    read(*slot);
                }
            }
        }
        Op::Store(slot) => {
            if let Some(word) = bits.get_mut(*slot as usize / 64) {
                *word &= !(1 << (slot % 64));
            }
        }
        _ => {}
    }
}
