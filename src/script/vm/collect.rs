//! Puts a process that waits into its one canonical shape: what can still be reached, in the
//! order in which it is reached. So equal processes are equal values, and rubbish is gone.

use super::value::{Fiber, Frame, HeapRef, Obj, Settled, Val, Waiter};
use super::{Pending, Vm};
use crate::datum::Datum;

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
    pub(super) fn settle(&mut self) {
        self.jobs.clear();
        self.unhandled.clear();
        let from = std::mem::take(&mut self.heap);
        let place = vec![UNSEEN; from.len()];
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
    }

    /// Plain objects that a suspended function can reach, outermost only, in heap order.
    pub(super) fn visible_records(&self) -> Vec<Datum> {
        let mut inner = vec![false; self.heap.len()];
        for object in &self.heap {
            let Obj::Record { fields, host: None } = object else { continue };
            for (_, field) in fields {
                if let Val::Ref(at) = field {
                    inner[*at as usize] = true;
                }
            }
        }
        let records = self.heap.iter().enumerate().filter(|(index, object)| {
            !inner[*index] && matches!(object, Obj::Record { host: None, .. })
        });
        records.filter_map(|(index, _)| self.export(&Val::Ref(index as HeapRef), 0)).collect()
    }
}
