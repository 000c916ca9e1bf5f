//! Calls: methods of values, and calls that leave for the world.

use std::sync::Arc;

use rand::Rng as _;
use rand_pcg::Pcg32;

use super::exec::Exec;
use super::value::{Builtin, Host, HostClass, Obj, Val};
use super::{Call, Pending, Target};
use crate::datum::{Datum, EPOCH_MS};
use crate::text::Span;

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
                    let items = items.clone();
                    self.map(&items, args)
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
                    _ => self.call_host(host, name, args, at),
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

    fn map(&mut self, items: &[Val], args: Vec<Val>) -> Result<Val, Val> {
        let callback = args.into_iter().next().unwrap_or(Val::Undefined);
        let mut mapped = Vec::with_capacity(items.len());
        for (index, item) in items.iter().enumerate() {
            let args = vec![item.clone(), Val::Int(index as i64)];
            mapped.push(self.call_value(&callback, args, None)?);
        }
        Ok(Val::Ref(self.vm.alloc(Obj::Array(mapped))))
    }

    fn push(&mut self, array: u32, args: Vec<Val>) -> Result<Val, Val> {
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
        args: Vec<Val>,
        at: Span,
    ) -> Result<Val, Val> {
        if !is_known(host.class, name) {
            return Err(self.no_method(name));
        }
        let mut plain = Vec::with_capacity(args.len());
        let mut statement = None;
        let mut handler = None;
        for arg in &args {
            if let Val::Ref(reference) = arg {
                match self.vm.heap.get(*reference as usize) {
                    Some(Obj::Sql { statement: index, params }) => {
                        statement = Some(*index);
                        for param in &params.clone() {
                            plain.push(self.to_datum(param)?);
                        }
                        continue;
                    }
                    Some(Obj::Closure { .. }) => {
                        handler = Some(arg.clone());
                        continue;
                    }
                    _ => {}
                }
            }
            if matches!(arg, Val::Function(_)) {
                handler = Some(arg.clone());
                continue;
            }
            plain.push(self.to_datum(arg)?);
        }
        if &**name == "query" && statement.is_none() {
            return Err(self.error("query needs a sql`…` template", "type-error"));
        }
        let call = self.leave(Target::Host(host), name.clone(), plain, statement, at)?;
        match (&**name, handler) {
            ("subscribe", Some(handler)) => self.vm.subscriptions.push((call.0, handler)),
            ("subscribe", None) => {
                return Err(self.error("subscribe needs a handler", "type-error"));
            }
            _ => {}
        }
        Ok(call.1)
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
            return Err(self.error("too many calls at once", "limit"));
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
    match class {
        HostClass::Database => matches!(method, "query" | "begin"),
        HostClass::Transaction => matches!(method, "query" | "commit" | "rollback"),
        HostClass::Queue => matches!(method, "publish" | "subscribe"),
        HostClass::Message => matches!(method, "ack" | "nack"),
        HostClass::Mail => method == "send",
    }
}
