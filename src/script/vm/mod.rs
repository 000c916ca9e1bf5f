//! Runs compiled programs. A [`Vm`] is one process: it stands still between two messages
//! from the world, and then all of its state is plain data without references to the outside.
//!
//! Invariants: every run ends (a limit of steps per run), no input panics, and two processes
//! that went through the same are equal, whatever rubbish they left behind.

mod canon;
mod collect;
mod convert;
mod exec;
mod methods;
mod operators;
mod promise;
#[cfg(test)]
mod tests;
mod value;

pub(crate) use canon::Rename;

use std::collections::VecDeque;
use std::sync::Arc;

use crate::datum::Datum;
use crate::script::code::Image;
use crate::text::Span;
pub use methods::{ASYNC_METHODS, METHODS};
pub use value::{Answer, Builtin, Host, HostClass};
use value::{HeapRef, Obj, Val, Waiter};

/// Steps of the stack machine between two messages from the world. A loop that never waits
/// is cut here.
pub const RUN_STEPS_MAX: u32 = 200_000;
/// What a process may hold in memory: one for an object and for each value in it, one for 32
/// bytes of text. What it drops counts until it waits.
pub const ROOM_MAX: u64 = 400_000;
/// Functions that may call each other without waiting.
pub const DEPTH_MAX: u32 = 48;

/// One process.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Vm {
    heap: Vec<Obj>,
    jobs: VecDeque<Job>,
    pending: Vec<Pending>,
    subscriptions: Vec<(u32, Val)>,
    unhandled: Vec<HeapRef>,
    next_call: u32,
    /// What it held when it began to wait, in the units of [`ROOM_MAX`].
    held: u64,
}

/// A call that waits for its answer.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct Pending {
    id: u32,
    promise: HeapRef,
    span: Span,
}

/// A microtask.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct Job {
    waiter: Waiter,
    outcome: Result<Val, Val>,
}

/// A call from the program to the world.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Call {
    /// Names the call in [`Vm::answer`]. Grows within a process.
    pub id: u32,
    /// What is called.
    pub target: Target,
    /// The method's name; empty for a builtin.
    pub method: Arc<str>,
    /// Plain arguments; a `sql` template is given by `statement`, a callback by none.
    pub args: Vec<Datum>,
    /// The SQL statement of the first argument.
    pub statement: Option<u32>,
    /// The place in the file that stands for the call: its first character, and for the end of
    /// a `db.transaction(…)` its last.
    pub at: u32,
}

/// Whom a program can call.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Target {
    /// Something of the world's.
    Host(Host),
    /// `sleep`.
    Sleep,
}

/// A value that the world gives to a program.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Given {
    /// Plain data.
    Datum(Datum),
    /// Something to call methods of, with readable fields.
    Host(Host, Vec<(Arc<str>, Datum)>),
    /// A builtin function.
    Builtin(Builtin),
}

/// What the world knows while a program runs.
#[derive(Clone, Copy, Debug)]
pub struct Clock {
    /// Virtual time in microseconds.
    pub now_us: i64,
    /// Distinguishes the uuids of runs, processes and starts.
    pub uuid_base: u64,
}

/// What a run of the program did.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Ran {
    /// Calls that leave now, in order.
    pub calls: Vec<Call>,
    /// Functions started by [`Vm::start`] that ended: their ticket, and the error if they threw.
    pub ended: Vec<(u32, Option<Thrown>)>,
    /// An error that nobody caught: the process dies.
    pub uncaught: Option<Thrown>,
}

/// An error as the world sees it.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Thrown {
    /// The error's message, or the thrown value as text.
    pub message: Arc<str>,
    /// The error's code.
    pub code: Option<Arc<str>>,
}

impl Vm {
    /// Starts a function with one argument, an object made of `env`. Its end is reported in
    /// [`Ran::ended`] under `ticket`.
    pub fn start(
        &mut self,
        image: &Image,
        function: u32,
        env: &[(Arc<str>, Given)],
        ticket: u32,
        clock: Clock,
    ) -> Ran {
        let fields = env.iter().map(|(name, given)| (name.clone(), self.give(given))).collect();
        let env = self.alloc(Obj::Record { fields, host: None });
        self.run(image, clock, |exec| {
            let result = exec.call_value(&Val::Function(function), vec![Val::Ref(env)], None);
            exec.watch(result, ticket);
        })
    }

    /// Answers a call. An answer to a call that is not waited for is dropped.
    pub fn answer(&mut self, image: &Image, id: u32, answer: &Answer, clock: Clock) -> Ran {
        let Some(index) = self.pending.iter().position(|pending| pending.id == id) else {
            return Ran::default();
        };
        let promise = self.pending.remove(index).promise;
        self.subscriptions.retain(|(call, _)| *call != id);
        let outcome = self.receive(answer);
        self.run(image, clock, |exec| exec.settle_promise(promise, outcome))
    }

    /// Gives a message to the handler of a subscription.
    pub fn deliver(
        &mut self,
        image: &Image,
        subscription: u32,
        message: &Given,
        clock: Clock,
    ) -> Ran {
        let known = self.subscriptions.iter().find(|(call, _)| *call == subscription);
        let Some(handler) = known.map(|(_, handler)| handler.clone()) else {
            return Ran::default();
        };
        let message = self.give(message);
        self.run(image, clock, |exec| {
            // Nobody awaits a handler, as in Node: its rejection ends the process.
            if let Err(error) = exec.call_value(&handler, vec![message], None) {
                exec.throw_uncaught(&error);
            }
        })
    }

    /// The places where the process waits: of calls without an answer, oldest first.
    pub fn waits_at(&self) -> impl Iterator<Item = (u32, u32)> + '_ {
        self.pending.iter().map(|pending| (pending.id, pending.span.start))
    }

    /// Whether a call waits for its answer.
    pub fn is_waiting(&self, id: u32) -> bool {
        self.pending.iter().any(|pending| pending.id == id)
    }

    /// Plain data reachable in memory, in a fixed order: what would be lost with the power.
    pub fn memory(&self) -> Vec<Datum> {
        self.visible_records()
    }

    /// The same process with its calls numbered from zero: what tells whether a program has
    /// come back to where it was.
    pub fn renumbered(&self) -> Self {
        let mut copy = self.clone();
        for (index, pending) in copy.pending.iter_mut().enumerate() {
            let id = index as u32;
            for subscription in &mut copy.subscriptions {
                if subscription.0 == pending.id {
                    subscription.0 = id;
                }
            }
            pending.id = id;
        }
        copy.next_call = 0;
        copy
    }
}
