//! Between a program's values and plain data.

use std::sync::Arc;

use super::exec::Exec;
use super::operators::error_class;
use super::value::{Answer, Obj, Val};
use super::{Given, Vm};
use crate::datum::{Datum, time_text};

/// Levels of nesting that plain data may have.
const NESTING_MAX: u32 = 32;
/// Values that plain data may have. Objects may be shared, so that small memory could make
/// endless data.
const EXPORT_MAX: u32 = 20_000;

impl Vm {
    pub(super) fn give(&mut self, given: &Given) -> Val {
        match given {
            Given::Datum(datum) => self.import(datum),
            Given::Builtin(builtin) => Val::Builtin(*builtin),
            Given::Host(host, fields) => {
                let fields = fields.iter();
                let fields = fields.map(|(name, datum)| (name.clone(), self.import(datum)));
                let fields = fields.collect();
                Val::Ref(self.alloc(Obj::Record { fields, host: Some(*host) }))
            }
        }
    }

    pub(super) fn receive(&mut self, answer: &Answer) -> Result<Val, Val> {
        match answer {
            Answer::Value(datum) => Ok(self.import(datum)),
            Answer::Host(host) => Ok(self.give(&Given::Host(*host, Vec::new()))),
            Answer::Error { message, code } => {
                let error = Obj::Error { message: message.clone(), code: Some(code.clone()) };
                Err(Val::Ref(self.alloc(error)))
            }
        }
    }

    fn import(&mut self, datum: &Datum) -> Val {
        match datum {
            Datum::Null => Val::Null,
            Datum::Bool(value) => Val::Bool(*value),
            Datum::Int(value) => Val::Int(*value),
            Datum::Text(text) => Val::Text(text.clone()),
            Datum::Time(us) => Val::Time(*us),
            Datum::Array(items) => {
                let items = items.iter().map(|item| self.import(item)).collect();
                Val::Ref(self.alloc(Obj::Array(items)))
            }
            Datum::Object(fields) => {
                let fields = fields.iter();
                let fields = fields.map(|(name, datum)| (name.clone(), self.import(datum)));
                let fields = fields.collect();
                Val::Ref(self.alloc(Obj::Record { fields, host: None }))
            }
        }
    }

    /// Plain data, if the value is that: no `undefined`, no function, no cycle.
    pub(super) fn export(&self, value: &Val) -> Option<Datum> {
        let mut left = EXPORT_MAX;
        self.export_part(value, 0, &mut left)
    }

    fn export_part(&self, value: &Val, depth: u32, left: &mut u32) -> Option<Datum> {
        *left = left.checked_sub(1)?;
        match value {
            Val::Null => Some(Datum::Null),
            Val::Bool(value) => Some(Datum::Bool(*value)),
            Val::Int(value) => Some(Datum::Int(*value)),
            Val::Text(text) => Some(Datum::Text(text.clone())),
            Val::Time(us) => Some(Datum::Time(*us)),
            Val::Undefined | Val::Function(_) | Val::Builtin(_) => None,
            Val::Ref(_) if depth >= NESTING_MAX => None,
            Val::Ref(at) => match self.heap.get(*at as usize) {
                Some(Obj::Array(items)) => {
                    let items = items.iter().map(|item| self.export_part(item, depth + 1, left));
                    Some(Datum::Array(items.collect::<Option<Vec<_>>>()?.into()))
                }
                Some(Obj::Record { fields, host: None }) => {
                    let fields = fields.iter().map(|(name, value)| {
                        let datum = self.export_part(value, depth + 1, left);
                        datum.map(|datum| (name.clone(), datum))
                    });
                    Some(Datum::Object(fields.collect::<Option<Vec<_>>>()?.into()))
                }
                _ => None,
            },
        }
    }
}

impl Exec<'_> {
    /// Plain data for a message to the world. `undefined`, functions and cycles are errors.
    pub(super) fn datum_of(&mut self, value: &Val) -> Result<Datum, Val> {
        match self.vm.export(value) {
            Some(datum) => Ok(datum),
            None => Err(self.error("only plain data can leave a program", "type-error")),
        }
    }

    pub(super) fn text_of(&mut self, value: &Val) -> Result<Arc<str>, Val> {
        match self.plain_text(value) {
            Some(text) => Ok(text),
            None => Err(self.error("an object or a function is no text", "type-error")),
        }
    }

    /// The text of a value in a template, as JavaScript's `String` gives it.
    pub(super) fn plain_text(&self, value: &Val) -> Option<Arc<str>> {
        match value {
            Val::Undefined => Some("undefined".into()),
            Val::Null => Some("null".into()),
            Val::Bool(value) => Some(if *value { "true" } else { "false" }.into()),
            Val::Int(value) => Some(value.to_string().into()),
            Val::Text(text) => Some(text.clone()),
            Val::Time(us) => Some(time_text(*us).into()),
            Val::Function(_) | Val::Builtin(_) => None,
            Val::Ref(at) => match self.vm.heap.get(*at as usize) {
                Some(Obj::Error { message, code }) => {
                    let class = error_class(code.as_deref());
                    let parts =
                        if message.is_empty() { [class, "", ""] } else { [class, ": ", message] };
                    Some(parts.concat().into())
                }
                _ => None,
            },
        }
    }
}
