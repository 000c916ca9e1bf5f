//! Puts a process that waits into its one canonical shape: what can still be reached, in the
//! order in which it is reached. So equal processes are equal values, and rubbish is gone.

use super::value::{Fiber, Frame, HeapRef, Obj, Settled, Val, Waiter};
use super::{Pending, Vm};
use crate::datum::Datum;
use crate::script::code::Image;

const UNSEEN: HeapRef = HeapRef::MAX;

struct Mover {
    from: Vec<Obj>,
    place: Vec<HeapRef>,
    to: Vec<Obj>,
}

impl Mover {
    fn reference(&mut self, at: &mut HeapRef) {
        let old = *at as usize;
        let Some(place) = self.place.get_mut(old) else { return };
        if *place == UNSEEN {
            *place = self.to.len() as HeapRef;
            let gone = Obj::Cell(Val::Undefined);
            self.to.push(std::mem::replace(&mut self.from[old], gone));
        }
        *at = *place;
    }

    fn value(&mut self, value: &mut Val) {
        if let Val::Ref(at) = value {
            self.reference(at);
        }
    }

    fn values(&mut self, values: &mut [Val]) {
        for value in values {
            self.value(value);
        }
    }

    fn frame(&mut self, frame: &mut Frame) {
        self.values(&mut frame.slots);
        self.values(&mut frame.stack);
        for capture in &mut frame.captures {
            self.reference(capture);
        }
    }

    fn object(&mut self, object: &mut Obj) {
        match object {
            Obj::Array(items) => self.values(items),
            Obj::Record { fields, .. } => {
                for (_, value) in fields {
                    self.value(value);
                }
            }
            Obj::Error { .. } => {}
            Obj::Sql { params, .. } => self.values(params),
            Obj::Cell(value) => self.value(value),
            Obj::Closure { captures, .. } => {
                for capture in captures {
                    self.reference(capture);
                }
            }
            Obj::Promise { state, waiters } => {
                match state {
                    Settled::Pending => {}
                    Settled::Fulfilled(value) | Settled::Rejected(value) => self.value(value),
                }
                for waiter in waiters {
                    match waiter {
                        Waiter::Fiber(at) | Waiter::All(at, _) => self.reference(at),
                        Waiter::World(_) => {}
                    }
                }
            }
            Obj::Fiber(Fiber { frame, promise }) => {
                self.frame(frame);
                self.reference(promise);
            }
            Obj::All { promise, values, .. } => {
                self.reference(promise);
                self.values(values);
            }
        }
    }
}

impl Vm {
    /// Collects and renumbers. Called when everything waits: no job is left.
    pub(super) fn settle(&mut self, image: &Image) {
        self.jobs.clear();
        self.unhandled.clear();
        let mut from = std::mem::take(&mut self.heap);
        let place = vec![UNSEEN; from.len()];
        for object in &mut from {
            if let Obj::Fiber(fiber) = object {
                forget_dead(&mut fiber.frame, image);
            }
        }
        let mut mover = Mover { from, place, to: Vec::new() };
        for Pending { promise, .. } in &mut self.pending {
            mover.reference(promise);
        }
        for (_, handler) in &mut self.subscriptions {
            mover.value(handler);
        }
        let mut next = 0;
        while next < mover.to.len() {
            let gone = Obj::Cell(Val::Undefined);
            let mut object = std::mem::replace(&mut mover.to[next], gone);
            mover.object(&mut object);
            mover.to[next] = object;
            next += 1;
        }
        self.heap = mover.to;
        self.held = self.heap.iter().map(size).sum();
    }

    /// Plain objects that a suspended function can reach, outermost only, in heap order.
    pub(super) fn visible_records(&self) -> Vec<Datum> {
        let mut inner = vec![false; self.heap.len()];
        let mut records = Vec::new();
        for (index, object) in self.heap.iter().enumerate() {
            let Obj::Record { fields, host: None } = object else { continue };
            // What holds a part or a function is no data itself, but what lies in it may be.
            let Some(datum) = self.export(&Val::Ref(index as HeapRef)) else { continue };
            records.push((index, datum));
            for (_, field) in fields {
                if let Val::Ref(at) = field
                    && let Some(inner) = inner.get_mut(*at as usize)
                {
                    *inner = true;
                }
            }
        }
        records.into_iter().filter(|(index, _)| !inner[*index]).map(|(_, datum)| datum).collect()
    }
}

/// Clears the variables that a suspended call will not read again.
fn forget_dead(frame: &mut Frame, image: &Image) {
    let Some(function) = image.functions.get(frame.function as usize) else { return };
    let Ok(at) = function.live.binary_search_by_key(&frame.pc, |(pc, _)| *pc) else { return };
    let alive = &function.live[at].1;
    for (slot, value) in (0u32..).zip(&mut frame.slots) {
        if alive.binary_search(&slot).is_err() {
            *value = Val::Undefined;
        }
    }
}

/// What an object takes of a process's memory, in the units of [`super::ROOM_MAX`].
pub(super) fn size(object: &Obj) -> u64 {
    let of = |values: &[Val]| values.iter().map(value_size).sum::<u64>();
    1 + match object {
        Obj::Array(items) => of(items),
        Obj::Record { fields, .. } => fields.iter().map(|(_, value)| value_size(value)).sum(),
        Obj::Error { message, .. } => text_size(message),
        Obj::Sql { params, .. } => of(params),
        Obj::Cell(value) => value_size(value),
        Obj::Closure { captures, .. } => captures.len() as u64,
        Obj::Promise { state, waiters } => {
            let waiters = waiters.len() as u64;
            match state {
                Settled::Pending => waiters,
                Settled::Fulfilled(value) | Settled::Rejected(value) => waiters + value_size(value),
            }
        }
        Obj::Fiber(Fiber { frame, .. }) => of(&frame.slots) + of(&frame.stack),
        Obj::All { values, .. } => of(values),
    }
}

fn value_size(value: &Val) -> u64 {
    match value {
        Val::Text(text) => 1 + text_size(text),
        _ => 1,
    }
}

/// What a text takes, in the units of [`super::ROOM_MAX`].
pub(super) fn text_size(text: &str) -> u64 {
    text.len() as u64 / 32
}
