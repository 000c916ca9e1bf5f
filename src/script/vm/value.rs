//! Values and the heap. All of it is plain data: it clones, compares, hashes.

use std::sync::Arc;

use crate::datum::Datum;
use crate::text::Span;

/// A place in the heap. Valid until the next [`super::Vm::settle`], which renumbers.
pub(crate) type HeapRef = u32;

/// A value of the language.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) enum Val {
    Undefined,
    Null,
    Bool(bool),
    Int(i64),
    Text(Arc<str>),
    /// A `timestamptz` from a row: to the program it is PostgreSQL's text, to a comparison in
    /// the database it is still the moment.
    Time(i64),
    /// A declared function.
    Function(u32),
    /// A function that the environment gives: `sleep`, `now`, `uuid`.
    Builtin(Builtin),
    /// An object, array, closure, … in the heap.
    Ref(HeapRef),
}

/// Functions that need the world.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Builtin {
    /// `sleep(ms)`.
    Sleep,
    /// `now()`: milliseconds.
    Now,
    /// `uuid()`.
    Uuid,
}

/// Something outside the program that it holds by reference: a part, a transaction, a message.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Host {
    /// What it is; the world gives the meaning.
    pub class: HostClass,
    /// Which one.
    pub id: u32,
}

/// Kinds of [`Host`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum HostClass {
    /// A database; `id` is the part.
    Database,
    /// A queue broker; `id` is the part.
    Queue,
    /// A mail service; `id` is the part.
    Mail,
    /// An open transaction; `id` is the session.
    Transaction,
    /// A delivered message; `id` is the delivery.
    Message,
}

/// What lies in the heap.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Obj {
    Array(Vec<Val>),
    Record {
        fields: Vec<(Arc<str>, Val)>,
        host: Option<Host>,
    },
    Error {
        message: Arc<str>,
        code: Option<Arc<str>>,
    },
    Sql {
        statement: u32,
        params: Vec<Val>,
    },
    Cell(Val),
    Closure {
        function: u32,
        captures: Vec<HeapRef>,
    },
    Promise {
        state: Settled,
        waiters: Vec<Waiter>,
    },
    Fiber(Fiber),
    /// The bookkeeping of one `Promise.all`.
    All {
        promise: HeapRef,
        values: Vec<Val>,
        missing: u32,
    },
}

/// The state of a promise.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Settled {
    Pending,
    Fulfilled(Val),
    Rejected(Val),
}

/// Who goes on when a promise settles.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Waiter {
    /// An async function that awaits it.
    Fiber(HeapRef),
    /// Element n of a `Promise.all`.
    All(HeapRef, u32),
    /// The world, which started this function and wants to know how it ended.
    World(u32),
}

/// An async function that is suspended, or about to run.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Fiber {
    pub(crate) frame: Frame,
    pub(crate) promise: HeapRef,
}

/// One call of a function.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Frame {
    pub(crate) function: u32,
    pub(crate) pc: u32,
    pub(crate) slots: Vec<Val>,
    pub(crate) stack: Vec<Val>,
    pub(crate) guards: Vec<Guard>,
    pub(crate) captures: Vec<HeapRef>,
    /// Where the prelude was called; its calls speak for this place.
    pub(crate) caller: Option<Span>,
}

/// Where an error goes on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Guard {
    pub(crate) target: u32,
    pub(crate) height: u32,
}

/// How a call of the program to the world ended.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Answer {
    /// With a value; a row set is an array of objects.
    Value(Datum),
    /// With something to hold on to, such as a transaction.
    Host(Host),
    /// With an error that the program may catch.
    Error {
        /// For people.
        message: Arc<str>,
        /// For programs: `error.code`.
        code: Arc<str>,
    },
}
