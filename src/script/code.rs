//! What a scene file compiles to: functions as flat lists of steps, each with its span.

use std::sync::Arc;

use crate::script::ast::{BinaryOp, UnaryOp};
use crate::script::sql::Statement;
use crate::text::Span;

/// All functions and SQL statements of one file.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Image {
    /// Functions; [`Op::Closure`] and [`Op::Function`] index it.
    pub functions: Vec<Function>,
    /// SQL statements; [`Op::Sql`] indexes it.
    pub statements: Vec<Arc<Statement>>,
    /// The prelude's `transaction`, behind `db.transaction(…)`.
    pub transaction: u32,
}

impl Image {
    /// Places in the file that calls to the world can speak for: the first character of a method
    /// call, and of `db.transaction(…)` the last one too, where the transaction ends.
    pub fn call_places(&self) -> Vec<u32> {
        let functions = self.functions.iter().filter(|function| !function.prelude);
        let calls = functions.flat_map(|function| function.code.iter().zip(&function.spans));
        let places = calls.flat_map(|(op, span)| match op {
            Op::CallMethod(name, _) if &**name == "transaction" => {
                [Some(span.start), Some(span.end.saturating_sub(1))]
            }
            // Methods of lists stay in the program.
            Op::CallMethod(name, _) if matches!(&**name, "map" | "push") => [None, None],
            Op::CallMethod(..) | Op::Call(_) => [Some(span.start), None],
            _ => [None, None],
        });
        places.flatten().collect()
    }
}

/// One compiled function.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Function {
    /// Its name, if declared with one.
    pub name: Option<Arc<str>>,
    /// Whether it is `async`.
    pub is_async: bool,
    /// How many parameters it takes; missing ones are `undefined`, more are dropped.
    pub params: u32,
    /// How many local slots a call needs; parameters come first.
    pub slots: u32,
    /// Where a new closure finds the cells it captures.
    pub captures: Vec<Capture>,
    /// The steps.
    pub code: Vec<Op>,
    /// The span of each step.
    pub spans: Vec<Span>,
    /// For each step at which a suspended call goes on: the slots that it can still read.
    pub live: Vec<(u32, Arc<[u32]>)>,
    /// Whether it belongs to the prelude: its calls carry the place of the call of it.
    pub prelude: bool,
}

/// Where the creator of a closure holds a captured cell.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Capture {
    /// In a local slot.
    Local(u32),
    /// Among its own captures.
    Outer(u32),
}

/// One step of the stack machine. "Pops" and "pushes" speak of the value stack.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Op {
    /// Pushes `undefined`.
    Undefined,
    /// Pushes `null`.
    Null,
    /// Pushes a boolean.
    Bool(bool),
    /// Pushes an integer.
    Int(i64),
    /// Pushes a string.
    Text(Arc<str>),
    /// Pushes a declared function.
    Function(u32),
    /// Pushes a new closure.
    Closure(u32),
    /// Pops the parameters and pushes the statement with them.
    Sql(u32, u32),
    /// Pops n parts and pushes their concatenation.
    Template(u32),
    /// Pops n values and pushes an array.
    Array(u32),
    /// Pops as many values as there are keys and pushes an object.
    Object(Arc<[Arc<str>]>),
    /// Pops a message and pushes an error; `false`: there is no message.
    Error(bool),
    /// Pushes a local.
    Load(u32),
    /// Pops into a local.
    Store(u32),
    /// Puts the value of a local into a fresh cell of its own.
    Box(u32),
    /// Pushes the content of the cell in a local.
    LoadCell(u32),
    /// Pops into the cell in a local.
    StoreCell(u32),
    /// Pushes the content of a captured cell.
    LoadCaptured(u32),
    /// Pops into a captured cell.
    StoreCaptured(u32),
    /// Pops and forgets.
    Pop,
    /// Pushes the top again.
    Dup,
    /// Pops an object, pushes a field.
    Field(Arc<str>),
    /// Pops an index and an array, pushes the element.
    Index,
    /// Pops a value and an object, sets a field.
    SetField(Arc<str>),
    /// Pops a value, an index and an array, sets the element.
    SetIndex,
    /// Pops one, pushes one.
    Unary(UnaryOp),
    /// Pops two, pushes one.
    Binary(BinaryOp),
    /// Goes on at another step.
    Jump(u32),
    /// Pops; goes on elsewhere if falsy.
    JumpIfFalse(u32),
    /// Goes on elsewhere if the top is falsy, else pops it.
    JumpIfFalsePeek(u32),
    /// Goes on elsewhere if the top is truthy, else pops it.
    JumpIfTruePeek(u32),
    /// Goes on elsewhere unless the top is `null` or `undefined`, else pops it.
    JumpIfValuePeek(u32),
    /// Pops n arguments and a function, calls it, pushes its value.
    Call(u32),
    /// Pops n arguments and a receiver, calls its method, pushes the value.
    CallMethod(Arc<str>, u32),
    /// Pops an array of promises, pushes the promise of all.
    PromiseAll,
    /// Suspends until the popped promise settles; pushes its value or throws its reason.
    Await,
    /// Throws if the top is `null` or `undefined`: nothing can be read from it.
    Something,
    /// Throws if the top is not an array.
    List,
    /// Pushes the next element of the array in a slot and counts on, or jumps at the end.
    Next {
        /// The slot of the array.
        list: u32,
        /// The slot of the next index.
        index: u32,
        /// Where to go on after the last element.
        end: u32,
    },
    /// From here on an error goes on at that step, with the error pushed.
    Guard(u32),
    /// Ends the innermost guard.
    Unguard,
    /// Pops an error and throws it.
    Throw,
    /// Pops the function's value and leaves.
    Return,
}
