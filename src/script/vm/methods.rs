//! Calls: methods of values, and calls that leave for the world.

use std::sync::Arc;

use rand::Rng as _;
use rand_pcg::Pcg32;

use super::exec::Exec;
use super::value::{Builtin, Host, HostClass, Obj, Val};
use super::{Call, Pending, Target};
use crate::datum::{Datum, EPOCH_MS};
use crate::text::Span;

/// Methods that give a promise, whatever has them.
pub const ASYNC_METHODS: [&str; 13] = [
    "ack",
    "begin",
    "commit",
    "commitPrepared",
    "nack",
    "prepare",
    "publish",
    "query",
    "rollback",
    "rollbackPrepared",
    "send",
    "subscribe",
    "transaction",
];

/// All methods that anything has, besides functions in fields of a program's own objects.
pub const METHODS: [&str; 15] = [
    "ack",
    "begin",
    "commit",
    "commitPrepared",
    "map",
    "nack",
    "prepare",
    "publish",
    "push",
    "query",
    "rollback",
    "rollbackPrepared",
    "send",
    "subscribe",
    "transaction",
];

/// Calls a process may have open at once.
const PENDING_MAX: usize = 1_000;

impl Exec<'_> {
    pub(super) fn call_method(
        &mut self,
        receiver: &Val,
        name: &Arc<str>,
        args: Vec<Val>,
        at: Span,
    ) -> Result<Val, Val> {
        let Val::Ref(reference) = receiver else { return Err(self.no_method(name)) };
        match self.vm.heap.get(*reference as usize) {
            Some(Obj::Array(items)) => match &**name {
                "map" => {
                    let count = items.len();
                    self.map(receiver, count, args, at)
                }
                "push" => self.push(*reference, args),
                _ => Err(self.no_method(name)),
            },
            Some(Obj::Record { host: Some(host), .. }) => {
                let host = *host;
                match (host.class, &**name) {
                    (HostClass::Database, "transaction") => {
                        let transaction = Val::Function(self.image.transaction);
                        let args = std::iter::once(receiver.clone()).chain(args).collect();
                        self.call_value(&transaction, args, Some(at))
                    }
                    _ => self.call_host(host, name, &args, at),
                }
            }
            // A function in a field of a plain object, such as a helper passed around.
            Some(Obj::Record { fields, host: None }) => {
                let field = fields.iter().find(|(key, _)| key == name);
                match field.map(|(_, value)| value.clone()) {
                    Some(function) => self.call_value(&function, args, Some(at)),
                    None => Err(self.no_method(name)),
                }
            }
            _ => Err(self.no_method(name)),
        }
    }

    fn no_method(&mut self, name: &str) -> Val {
        let message = ["there is no method \"", name, "\" here"].concat();
        self.error(&message, "type-error")
    }

    /// As JavaScript does it: over as many elements as there are at the start, each read when
    /// its turn comes.
    fn map(&mut self, items: &Val, count: usize, args: Vec<Val>, at: Span) -> Result<Val, Val> {
        let callback = args.into_iter().next().unwrap_or(Val::Undefined);
        if !self.is_function(&callback) {
            return Err(self.error("map needs a function", "type-error"));
        }
        let mut mapped = Vec::new();
        for index in 0..count {
            let item = self.array(items)?.get(index).cloned().unwrap_or(Val::Undefined);
            let args = vec![item, Val::Int(index as i64), items.clone()];
            mapped.push(self.call_value(&callback, args, Some(at))?);
        }
        self.new_object(Obj::Array(mapped))
    }

    fn is_function(&self, value: &Val) -> bool {
        match value {
            Val::Function(_) | Val::Builtin(_) => true,
            Val::Ref(at) => matches!(self.vm.heap.get(*at as usize), Some(Obj::Closure { .. })),
            _ => false,
        }
    }

    fn push(&mut self, array: u32, args: Vec<Val>) -> Result<Val, Val> {
        self.take_room(args.len() as u64)?;
        let Some(Obj::Array(items)) = self.vm.heap.get_mut(array as usize) else {
            return Err(self.no_method("push"));
        };
        items.extend(args);
        Ok(Val::Int(items.len() as i64))
    }

    fn call_host(
        &mut self,
        host: Host,
        name: &Arc<str>,
        args: &[Val],
        at: Span,
    ) -> Result<Val, Val> {
        if !is_known(host.class, name) {
            return Err(self.no_method(name));
        }
        let target = Target::Host(host);
        match &**name {
            "query" => {
                let (statement, params) = self.statement(args.first())?;
                Ok(self.leave(target, name.clone(), params, Some(statement), at)?.1)
            }
            "subscribe" => {
                let handler = args.iter().find(|arg| self.is_function(arg)).cloned();
                let Some(handler) = handler else {
                    return Err(self.error("subscribe needs a handler", "type-error"));
                };
                let plain = args.iter().filter(|arg| **arg != handler);
                let plain = plain.map(|arg| self.datum_of(arg)).collect::<Result<_, _>>()?;
                let (id, promise) = self.leave(target, name.clone(), plain, None, at)?;
                self.vm.subscriptions.push((id, handler));
                Ok(promise)
            }
            _ => {
                let plain = args.iter().map(|arg| self.datum_of(arg)).collect::<Result<_, _>>()?;
                Ok(self.leave(target, name.clone(), plain, None, at)?.1)
            }
        }
    }

    fn statement(&mut self, sql: Option<&Val>) -> Result<(u32, Vec<Datum>), Val> {
        let object = match sql {
            Some(Val::Ref(at)) => self.vm.heap.get(*at as usize),
            _ => None,
        };
        let Some(Obj::Sql { statement, params }) = object else {
            return Err(self.error("query needs a sql`…` template", "type-error"));
        };
        let (statement, params) = (*statement, params.clone());
        let params = params.iter().map(|param| self.datum_of(param)).collect::<Result<_, _>>()?;
        Ok((statement, params))
    }

    /// Sends a call off; its promise is settled by the world's answer.
    fn leave(
        &mut self,
        target: Target,
        method: Arc<str>,
        args: Vec<Datum>,
        statement: Option<u32>,
        span: Span,
    ) -> Result<(u32, Val), Val> {
        if self.vm.pending.len() >= PENDING_MAX {
            return Err(self.limit("too many calls at once"));
        }
        let id = self.vm.next_call;
        self.vm.next_call += 1;
        let promise = self.new_promise();
        self.vm.pending.push(Pending { id, promise, span });
        self.ran.calls.push(Call { id, target, method, args, statement, at: span.start });
        Ok((id, Val::Ref(promise)))
    }

    pub(super) fn call_builtin(
        &mut self,
        builtin: Builtin,
        args: &[Val],
        at: Option<Span>,
    ) -> Result<Val, Val> {
        match builtin {
            Builtin::Sleep => match args {
                [Val::Int(ms)] if *ms >= 0 => {
                    let args = vec![Datum::Int(*ms)];
                    let at = at.unwrap_or_default();
                    Ok(self.leave(Target::Sleep, "sleep".into(), args, None, at)?.1)
                }
                _ => Err(self.error("sleep needs a number of milliseconds", "type-error")),
            },
            Builtin::Now => Ok(Val::Int(EPOCH_MS + self.clock.now_us / 1000)),
            Builtin::Uuid => {
                let count = self.vm.next_call;
                self.vm.next_call += 1;
                Ok(Val::Text(uuid(self.clock.uuid_base, u64::from(count)).into()))
            }
        }
    }
}

/// A random-looking version 4 uuid that depends on nothing but its arguments.
fn uuid(base: u64, count: u64) -> String {
    let mut random = Pcg32::new(base, count);
    let mut digits = String::with_capacity(36);
    for position in 0..32u32 {
        let nibble = match position {
            12 => 4,
            16 => 8 | (random.next_u32() & 3),
            _ => random.next_u32() >> 28,
        };
        if matches!(position, 8 | 12 | 16 | 20) {
            digits.push('-');
        }
        digits.extend(char::from_digit(nibble, 16));
    }
    digits
}

fn is_known(class: HostClass, method: &str) -> bool {
    let known: &[&str] = match class {
        HostClass::Database => &["query", "begin", "commitPrepared", "rollbackPrepared"],
        HostClass::Transaction => &["query", "commit", "rollback", "prepare"],
        HostClass::Queue => &["publish", "subscribe"],
        HostClass::Message => &["ack", "nack"],
        HostClass::Mail => &["send"],
    };
    known.contains(&method)
}
