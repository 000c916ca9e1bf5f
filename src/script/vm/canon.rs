//! A process with other numbers for what the world numbers, so that two processes that will do
//! the same are the same value.

use super::Vm;
use super::value::{Fiber, Frame, Host, Obj, Settled, Val, Waiter};

/// Other numbers for what a process knows by number.
pub(crate) trait Rename {
    /// A call of its own.
    fn call(&self, id: u32) -> u32;
    /// Something that it holds.
    fn host(&self, host: Host) -> Host;
    /// A function that the world has started.
    fn ticket(&self, ticket: u32) -> u32;
}

impl Vm {
    /// Puts other numbers in, and forgets times and how many calls there were.
    pub(crate) fn canonical(&mut self, names: &dyn Rename) {
        self.next_call = 0;
        for pending in &mut self.pending {
            pending.id = names.call(pending.id);
        }
        for (call, handler) in &mut self.subscriptions {
            *call = names.call(*call);
            value(handler);
        }
        for object in &mut self.heap {
            rename(object, names);
        }
    }
}

fn value(value: &mut Val) {
    if let Val::Time(us) = value {
        *us = 0;
    }
}

fn values(list: &mut [Val]) {
    list.iter_mut().for_each(value);
}

fn rename(object: &mut Obj, names: &dyn Rename) {
    match object {
        Obj::Array(items) => values(items),
        Obj::Record { fields, host } => {
            fields.iter_mut().for_each(|(_, field)| value(field));
            *host = host.map(|host| names.host(host));
        }
        Obj::Error { .. } | Obj::Closure { .. } => {}
        Obj::Sql { params, .. } => values(params),
        Obj::Cell(inner) => value(inner),
        Obj::Promise { state, waiters } => {
            if let Settled::Fulfilled(inner) | Settled::Rejected(inner) = state {
                value(inner);
            }
            for waiter in waiters {
                if let Waiter::World(ticket) = waiter {
                    *ticket = names.ticket(*ticket);
                }
            }
        }
        Obj::Fiber(Fiber { frame: Frame { slots, stack, .. }, .. }) => {
            values(slots);
            values(stack);
        }
        Obj::All { values: inner, .. } => values(inner),
    }
}
