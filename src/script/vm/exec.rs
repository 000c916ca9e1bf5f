//! The stack machine.

use std::sync::Arc;

use super::value::{Fiber, Frame, Guard, HeapRef, Obj, Val, Waiter};
use super::{Clock, DEPTH_MAX, ROOM_MAX, RUN_STEPS_MAX, Ran, Vm};
use crate::script::code::{Capture, Function, Image, Op};
use crate::text::Span;

/// One run: from a message of the world until everything in the process waits.
pub(super) struct Exec<'a> {
    pub(super) vm: &'a mut Vm,
    pub(super) image: &'a Image,
    pub(super) clock: Clock,
    pub(super) ran: Ran,
    steps: u32,
    depth: u32,
    room: u64,
    /// A limit was reached: nothing of the process runs any more, and nothing catches it.
    pub(super) over: bool,
}

/// Why a frame stopped.
enum Stop {
    Returned(Val),
    Threw(Val),
    Awaits(Val),
}

enum Flow {
    Next,
    Stop(Stop),
}

impl Vm {
    pub(super) fn run(&mut self, image: &Image, clock: Clock, act: impl FnOnce(&mut Exec)) -> Ran {
        let ran = Ran::default();
        let room = ROOM_MAX.saturating_sub(self.held);
        let steps = RUN_STEPS_MAX;
        let mut exec = Exec { vm: self, image, clock, ran, steps, depth: 0, room, over: false };
        act(&mut exec);
        exec.run_jobs();
        let ran = exec.ran;
        self.settle(image);
        ran
    }

    pub(super) fn alloc(&mut self, object: Obj) -> HeapRef {
        self.heap.push(object);
        self.heap.len() as u32 - 1
    }
}

impl Exec<'_> {
    /// Calls a function value. An async function runs to its first `await` and gives a promise.
    pub(super) fn call_value(
        &mut self,
        callee: &Val,
        args: Vec<Val>,
        at: Option<Span>,
    ) -> Result<Val, Val> {
        let (function, captures) = match callee {
            Val::Function(function) => (*function, Vec::new()),
            Val::Ref(reference) => match self.vm.heap.get(*reference as usize) {
                Some(Obj::Closure { function, captures }) => (*function, captures.clone()),
                _ => return Err(self.error("not a function", "type-error")),
            },
            Val::Builtin(builtin) => return self.call_builtin(*builtin, &args, at),
            _ => return Err(self.error("not a function", "type-error")),
        };
        if self.depth >= DEPTH_MAX {
            return Err(self.limit("too many nested calls"));
        }
        let Some(code) = self.image.functions.get(function as usize) else {
            return Err(self.error("not a function", "type-error"));
        };
        let frame = frame(code, function, captures, args, at);
        self.depth += 1;
        let result = if code.is_async { Ok(self.start_fiber(frame)) } else { self.run_sync(frame) };
        self.depth -= 1;
        result
    }

    fn start_fiber(&mut self, frame: Frame) -> Val {
        let promise = self.new_promise();
        self.go_on(Fiber { frame, promise });
        Val::Ref(promise)
    }

    fn run_sync(&mut self, mut frame: Frame) -> Result<Val, Val> {
        match self.run_frame(&mut frame) {
            Stop::Returned(value) => Ok(value),
            Stop::Threw(error) => Err(error),
            Stop::Awaits(_) => Err(self.error("await outside an async function", "type-error")),
        }
    }

    /// Runs a fiber until it waits or ends.
    fn go_on(&mut self, mut fiber: Fiber) {
        match self.run_frame(&mut fiber.frame) {
            Stop::Returned(value) => {
                let outcome = match self.as_promise(&value) {
                    // JavaScript would adopt it, three jobs later; the language refuses it.
                    Some(_) => {
                        Err(self.error("an async function returned a promise", "type-error"))
                    }
                    None => Ok(value),
                };
                self.settle_promise(fiber.promise, outcome);
            }
            Stop::Threw(error) => self.settle_promise(fiber.promise, Err(error)),
            Stop::Awaits(value) => {
                let promise = self.as_promise(&value);
                let Ok(Val::Ref(at)) = self.new_object(Obj::Fiber(fiber)) else { return };
                match promise {
                    Some(promise) => self.wait_for(promise, Waiter::Fiber(at)),
                    None => {
                        let job = super::Job { waiter: Waiter::Fiber(at), outcome: Ok(value) };
                        self.vm.jobs.push_back(job);
                    }
                }
            }
        }
    }

    pub(super) fn resume(&mut self, fiber: HeapRef, outcome: Result<Val, Val>) {
        let gone = Obj::Cell(Val::Undefined);
        let Some(place) = self.vm.heap.get_mut(fiber as usize) else { return };
        let Obj::Fiber(mut fiber) = std::mem::replace(place, gone) else { return };
        match outcome {
            Ok(value) => fiber.frame.stack.push(value),
            Err(error) => {
                if !catch(&mut fiber.frame, &error) {
                    return self.settle_promise(fiber.promise, Err(error));
                }
            }
        }
        self.go_on(fiber);
    }

    fn run_frame(&mut self, frame: &mut Frame) -> Stop {
        let Some(function) = self.image.functions.get(frame.function as usize) else {
            return Stop::Returned(Val::Undefined);
        };
        loop {
            let at = frame.pc as usize;
            let (Some(op), Some(span)) = (function.code.get(at), function.spans.get(at)) else {
                return Stop::Returned(Val::Undefined);
            };
            frame.pc += 1;
            match self.count_step().and_then(|()| self.op(frame, op, *span)) {
                Ok(Flow::Stop(stop)) => return stop,
                Err(error) if self.over || !catch(frame, &error) => return Stop::Threw(error),
                Ok(Flow::Next) | Err(_) => {}
            }
        }
    }

    fn count_step(&mut self) -> Result<(), Val> {
        if self.over || self.steps == 0 {
            return Err(self.limit("the program does not pause: step limit reached"));
        }
        self.steps -= 1;
        Ok(())
    }

    /// Counts memory: one for an object and for each value in it, one for 32 bytes of text.
    pub(super) fn take_room(&mut self, units: u64) -> Result<(), Val> {
        match self.room.checked_sub(units) {
            Some(left) => self.room = left,
            None => return Err(self.limit("the program holds too much in memory")),
        }
        Ok(())
    }

    /// Puts a new object into memory.
    pub(super) fn new_object(&mut self, object: Obj) -> Result<Val, Val> {
        self.take_room(super::collect::size(&object))?;
        Ok(Val::Ref(self.vm.alloc(object)))
    }

    /// Ends the process: an error that no program can catch.
    pub(super) fn limit(&mut self, message: &str) -> Val {
        let error = self.error(message, "limit");
        self.over = true;
        self.throw_uncaught(&error);
        error
    }

    fn op(&mut self, frame: &mut Frame, op: &Op, span: Span) -> Result<Flow, Val> {
        match op {
            Op::Undefined => frame.stack.push(Val::Undefined),
            Op::Null => frame.stack.push(Val::Null),
            Op::Bool(value) => frame.stack.push(Val::Bool(*value)),
            Op::Int(value) => frame.stack.push(Val::Int(*value)),
            Op::Text(text) => frame.stack.push(Val::Text(text.clone())),
            Op::Function(index) => frame.stack.push(Val::Function(*index)),
            Op::Load(at) => frame.stack.push(slot(frame, *at)),
            Op::Store(at) => {
                let value = pop(frame);
                set_slot(frame, *at, value);
            }
            Op::Pop => drop(pop(frame)),
            Op::Dup => frame.stack.extend(frame.stack.last().cloned()),
            Op::Jump(to) => frame.pc = *to,
            Op::Guard(target) => {
                frame.guards.push(Guard { target: *target, height: frame.stack.len() as u32 });
            }
            Op::Unguard => drop(frame.guards.pop()),
            Op::Throw => return Err(pop(frame)),
            Op::Return => return Ok(Flow::Stop(Stop::Returned(pop(frame)))),
            Op::Await => return Ok(Flow::Stop(Stop::Awaits(pop(frame)))),
            Op::JumpIfFalse(_)
            | Op::JumpIfFalsePeek(_)
            | Op::JumpIfTruePeek(_)
            | Op::JumpIfValuePeek(_)
            | Op::Next { .. } => self.branch(frame, op)?,
            Op::Box(_)
            | Op::LoadCell(_)
            | Op::StoreCell(_)
            | Op::LoadCaptured(_)
            | Op::StoreCaptured(_)
            | Op::Closure(_) => self.cells(frame, op)?,
            Op::Call(count) => {
                let args = pop_many(frame, *count);
                let callee = pop(frame);
                let value = self.call_value(&callee, args, Some(span))?;
                frame.stack.push(value);
            }
            Op::CallMethod(name, count) => {
                let args = pop_many(frame, *count);
                let receiver = pop(frame);
                let at = self.place_of_call(frame, name, span);
                let value = self.call_method(&receiver, name, args, at)?;
                frame.stack.push(value);
            }
            _ => self.values(frame, op)?,
        }
        Ok(Flow::Next)
    }

    /// Calls of the prelude speak for the place that called it: `begin` for its first
    /// character, what ends the transaction for its last.
    fn place_of_call(&self, frame: &Frame, name: &str, span: Span) -> Span {
        match frame.caller {
            Some(caller) if name == "begin" => caller,
            Some(caller) => Span::new(caller.end.saturating_sub(1), caller.end),
            None => span,
        }
    }

    fn branch(&mut self, frame: &mut Frame, op: &Op) -> Result<(), Val> {
        let top = frame.stack.last().cloned().unwrap_or(Val::Undefined);
        let (jumps, to) = match op {
            Op::JumpIfFalse(to) => {
                pop(frame);
                if !truthy(&top) {
                    frame.pc = *to;
                }
                return Ok(());
            }
            Op::JumpIfFalsePeek(to) => (!truthy(&top), *to),
            Op::JumpIfTruePeek(to) => (truthy(&top), *to),
            Op::JumpIfValuePeek(to) => (!matches!(top, Val::Undefined | Val::Null), *to),
            Op::Next { list, index, end } => return self.next_item(frame, (*list, *index), *end),
            _ => return Ok(()),
        };
        if jumps {
            frame.pc = to;
        } else {
            pop(frame);
        }
        Ok(())
    }

    fn next_item(&mut self, frame: &mut Frame, slots: (u32, u32), end: u32) -> Result<(), Val> {
        let Val::Int(index) = slot(frame, slots.1) else { return Ok(()) };
        let items = slot(frame, slots.0);
        // The array is looked at anew in each round: what the body pushes is visited, too.
        match self.array(&items)?.get(index as usize).cloned() {
            None => frame.pc = end,
            Some(item) => {
                set_slot(frame, slots.1, Val::Int(index + 1));
                frame.stack.push(item);
            }
        }
        Ok(())
    }

    fn cells(&mut self, frame: &mut Frame, op: &Op) -> Result<(), Val> {
        match op {
            Op::Box(at) => {
                let cell = self.new_object(Obj::Cell(slot(frame, *at)))?;
                set_slot(frame, *at, cell);
            }
            Op::LoadCell(at) => {
                let value = self.cell(&slot(frame, *at));
                frame.stack.push(value);
            }
            Op::StoreCell(at) => {
                let value = pop(frame);
                if let Val::Ref(at) = slot(frame, *at) {
                    self.set_cell(at, value);
                }
            }
            Op::LoadCaptured(index) => {
                let cell = frame.captures.get(*index as usize).copied();
                let value = cell.map_or(Val::Undefined, |at| self.cell(&Val::Ref(at)));
                frame.stack.push(value);
            }
            Op::StoreCaptured(index) => {
                let value = pop(frame);
                if let Some(at) = frame.captures.get(*index as usize) {
                    self.set_cell(*at, value);
                }
            }
            Op::Closure(function) => {
                let closure = self.closure(frame, *function)?;
                frame.stack.push(closure);
            }
            _ => {}
        }
        Ok(())
    }

    fn closure(&mut self, frame: &Frame, function: u32) -> Result<Val, Val> {
        let image = self.image;
        let wanted = image.functions.get(function as usize).map(|code| code.captures.as_slice());
        let mut captures = Vec::new();
        for capture in wanted.unwrap_or_default() {
            let cell = match capture {
                Capture::Local(at) => slot(frame, *at),
                Capture::Outer(index) => {
                    frame.captures.get(*index as usize).map_or(Val::Undefined, |at| Val::Ref(*at))
                }
            };
            let cell = match cell {
                Val::Ref(at) => at,
                other => self.vm.alloc(Obj::Cell(other)),
            };
            captures.push(cell);
        }
        self.new_object(Obj::Closure { function, captures })
    }

    fn set_cell(&mut self, at: HeapRef, value: Val) {
        if let Some(cell @ Obj::Cell(_)) = self.vm.heap.get_mut(at as usize) {
            *cell = Obj::Cell(value);
        }
    }

    fn cell(&self, reference: &Val) -> Val {
        let Val::Ref(at) = reference else { return Val::Undefined };
        match self.vm.heap.get(*at as usize) {
            Some(Obj::Cell(value)) => value.clone(),
            _ => Val::Undefined,
        }
    }

    /// Reports the end of a function that the world started.
    pub(super) fn watch(&mut self, result: Result<Val, Val>, ticket: u32) {
        match result {
            Ok(value) => match self.as_promise(&value) {
                Some(promise) => self.wait_for(promise, Waiter::World(ticket)),
                None => self.ran.ended.push((ticket, None)),
            },
            Err(error) => {
                let thrown = self.thrown(&error);
                self.ran.ended.push((ticket, Some(thrown)));
            }
        }
    }

    /// A new error value.
    pub(super) fn error(&mut self, message: &str, code: &str) -> Val {
        let error = Obj::Error { message: message.into(), code: Some(Arc::from(code)) };
        Val::Ref(self.vm.alloc(error))
    }
}

/// A frame before its first step.
fn frame(
    code: &Function,
    function: u32,
    captures: Vec<HeapRef>,
    mut args: Vec<Val>,
    at: Option<Span>,
) -> Frame {
    args.truncate(code.params as usize);
    args.resize(code.slots as usize, Val::Undefined);
    Frame {
        function,
        pc: 0,
        slots: args,
        stack: Vec::new(),
        guards: Vec::new(),
        captures,
        caller: at.filter(|_| code.prelude),
    }
}

/// The value of a local.
fn slot(frame: &Frame, slot: u32) -> Val {
    frame.slots.get(slot as usize).cloned().unwrap_or(Val::Undefined)
}

fn set_slot(frame: &mut Frame, slot: u32, value: Val) {
    if let Some(place) = frame.slots.get_mut(slot as usize) {
        *place = value;
    }
}

pub(super) fn pop(frame: &mut Frame) -> Val {
    frame.stack.pop().unwrap_or(Val::Undefined)
}

pub(super) fn pop_many(frame: &mut Frame, count: u32) -> Vec<Val> {
    let at = frame.stack.len().saturating_sub(count as usize);
    frame.stack.split_off(at)
}

/// Goes on at the innermost guard, if there is one.
fn catch(frame: &mut Frame, error: &Val) -> bool {
    let Some(guard) = frame.guards.pop() else { return false };
    frame.stack.truncate(guard.height as usize);
    frame.stack.push(error.clone());
    frame.pc = guard.target;
    true
}

pub(super) fn truthy(value: &Val) -> bool {
    match value {
        Val::Undefined | Val::Null => false,
        Val::Bool(value) => *value,
        Val::Int(value) => *value != 0,
        Val::Text(text) => !text.is_empty(),
        _ => true,
    }
}
