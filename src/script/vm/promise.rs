//! Promises and microtasks, by the rules of ECMAScript: a settled promise queues one job per
//! waiter, jobs run first in, first out, and an `await` takes one job.

use super::exec::Exec;
use super::value::{HeapRef, Obj, Settled, Val, Waiter};
use super::{Job, Thrown};

impl Exec<'_> {
    pub(super) fn new_promise(&mut self) -> HeapRef {
        self.vm.alloc(Obj::Promise { state: Settled::Pending, waiters: Vec::new() })
    }

    pub(super) fn settle_promise(&mut self, promise: HeapRef, outcome: Result<Val, Val>) {
        let Some(Obj::Promise { state, waiters }) = self.vm.heap.get_mut(promise as usize) else {
            return;
        };
        if *state != Settled::Pending {
            return;
        }
        *state = match outcome.clone() {
            Ok(value) => Settled::Fulfilled(value),
            Err(error) => Settled::Rejected(error),
        };
        let waiters = std::mem::take(waiters);
        if waiters.is_empty() && outcome.is_err() {
            self.vm.unhandled.push(promise);
        }
        let jobs = waiters.into_iter().zip(std::iter::repeat(outcome));
        self.vm.jobs.extend(jobs.map(|(waiter, outcome)| Job { waiter, outcome }));
    }

    pub(super) fn wait_for(&mut self, promise: HeapRef, waiter: Waiter) {
        let Some(Obj::Promise { state, waiters }) = self.vm.heap.get_mut(promise as usize) else {
            return;
        };
        let outcome = match state {
            Settled::Pending => return waiters.push(waiter),
            Settled::Fulfilled(value) => Ok(value.clone()),
            Settled::Rejected(error) => Err(error.clone()),
        };
        self.vm.unhandled.retain(|unhandled| *unhandled != promise);
        self.vm.jobs.push_back(Job { waiter, outcome });
    }

    /// The promise behind a value, if it is one.
    pub(super) fn as_promise(&self, value: &Val) -> Option<HeapRef> {
        let Val::Ref(at) = value else { return None };
        matches!(self.vm.heap.get(*at as usize), Some(Obj::Promise { .. })).then_some(*at)
    }

    pub(super) fn promise_all(&mut self, items: &[Val]) -> Val {
        let promise = self.new_promise();
        let missing = items.len() as u32;
        let values = vec![Val::Undefined; items.len()];
        let all = self.vm.alloc(Obj::All { promise, values, missing });
        for (index, item) in items.iter().enumerate() {
            let waiter = Waiter::All(all, index as u32);
            match self.as_promise(item) {
                Some(inner) => self.wait_for(inner, waiter),
                None => self.vm.jobs.push_back(Job { waiter, outcome: Ok(item.clone()) }),
            }
        }
        if items.is_empty() {
            let empty = self.vm.alloc(Obj::Array(Vec::new()));
            self.settle_promise(promise, Ok(Val::Ref(empty)));
        }
        Val::Ref(promise)
    }

    pub(super) fn run_jobs(&mut self) {
        while !self.over
            && let Some(Job { waiter, outcome }) = self.vm.jobs.pop_front()
        {
            match waiter {
                Waiter::Fiber(fiber) => self.resume(fiber, outcome),
                Waiter::All(all, index) => self.all_settled(all, index, outcome),
                Waiter::World(ticket) => {
                    let error = outcome.err().map(|error| self.thrown(&error));
                    self.ran.ended.push((ticket, error));
                }
            }
        }
        if let Some(promise) = self.vm.unhandled.first().copied()
            && let Some(Obj::Promise { state: Settled::Rejected(error), .. }) =
                self.vm.heap.get(promise as usize)
        {
            let error = error.clone();
            self.throw_uncaught(&error);
        }
    }

    fn all_settled(&mut self, all: HeapRef, index: u32, outcome: Result<Val, Val>) {
        let Some(Obj::All { promise, values, missing }) = self.vm.heap.get_mut(all as usize) else {
            return;
        };
        let promise = *promise;
        match outcome {
            Err(error) => self.settle_promise(promise, Err(error)),
            Ok(value) => {
                if let Some(place) = values.get_mut(index as usize) {
                    *place = value;
                }
                *missing = missing.saturating_sub(1);
                if *missing == 0 {
                    let values = std::mem::take(values);
                    let array = self.vm.alloc(Obj::Array(values));
                    self.settle_promise(promise, Ok(Val::Ref(array)));
                }
            }
        }
    }

    pub(super) fn throw_uncaught(&mut self, error: &Val) {
        if self.ran.uncaught.is_none() {
            self.ran.uncaught = Some(self.thrown(error));
        }
    }

    /// The world's view of an error.
    pub(super) fn thrown(&self, error: &Val) -> Thrown {
        if let Val::Ref(at) = error
            && let Some(Obj::Error { message, code }) = self.vm.heap.get(*at as usize)
        {
            return Thrown { message: message.clone(), code: code.clone() };
        }
        Thrown { message: self.plain_text(error).unwrap_or_else(|| "object".into()), code: None }
    }
}
