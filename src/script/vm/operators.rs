//! Operators, fields and literals.

use std::sync::Arc;

use super::exec::{Exec, pop, pop_many, truthy};
use super::value::{Frame, Obj, Val};
use crate::datum::time_text;
use crate::script::ast::{BinaryOp, UnaryOp};
use crate::script::code::Op;

/// The largest integer that JavaScript holds exactly.
const SAFE_MAX: u64 = (1 << 53) - 1;
/// Bytes that a program may put into one string.
const TEXT_MAX: usize = 20_000;

impl Exec<'_> {
    /// Steps that make or read values and never jump.
    pub(super) fn values(&mut self, frame: &mut Frame, op: &Op) -> Result<(), Val> {
        let value = match op {
            Op::Unary(op) => {
                let value = pop(frame);
                self.unary(*op, &value)?
            }
            Op::Binary(op) => {
                let (right, left) = (pop(frame), pop(frame));
                self.binary(*op, &left, &right)?
            }
            Op::Field(name) => {
                let object = pop(frame);
                self.field(&object, name)?
            }
            Op::Index => {
                let (index, items) = (pop(frame), pop(frame));
                self.index(&items, &index)?
            }
            Op::SetField(name) => {
                let (value, object) = (pop(frame), pop(frame));
                return self.set_field(&object, name, value);
            }
            Op::SetIndex => {
                let (value, index, items) = (pop(frame), pop(frame), pop(frame));
                return self.set_index(&items, &index, value);
            }
            Op::Something | Op::List => return self.check_top(frame, op),
            _ => self.literal(frame, op)?,
        };
        frame.stack.push(value);
        Ok(())
    }

    /// Steps that make a value out of others.
    fn literal(&mut self, frame: &mut Frame, op: &Op) -> Result<Val, Val> {
        match op {
            Op::Template(count) => {
                let parts = pop_many(frame, *count);
                let mut text = String::new();
                for part in &parts {
                    text.push_str(&self.text_of(part)?);
                }
                self.text(text)
            }
            Op::Array(count) => {
                let items = pop_many(frame, *count);
                self.new_object(Obj::Array(items))
            }
            Op::Object(keys) => {
                let values = pop_many(frame, keys.len() as u32);
                let fields = keys.iter().cloned().zip(values).collect();
                self.new_object(Obj::Record { fields, host: None })
            }
            Op::Sql(statement, count) => {
                let params = pop_many(frame, *count);
                self.new_object(Obj::Sql { statement: *statement, params })
            }
            Op::Error(has_message) => {
                let message = if *has_message { pop(frame) } else { Val::Undefined };
                let message = match message {
                    Val::Undefined => "".into(),
                    message => self.text_of(&message)?,
                };
                self.new_object(Obj::Error { message, code: None })
            }
            Op::PromiseAll => {
                let items = pop(frame);
                let items = self.array(&items)?.to_vec();
                self.take_room(2 + 2 * items.len() as u64)?;
                Ok(self.promise_all(&items))
            }
            _ => Ok(Val::Undefined),
        }
    }

    fn check_top(&mut self, frame: &Frame, op: &Op) -> Result<(), Val> {
        let top = frame.stack.last().cloned().unwrap_or(Val::Undefined);
        match (op, &top) {
            (Op::List, _) => self.array(&top).map(drop),
            (_, Val::Undefined | Val::Null) => {
                Err(self.error("nothing can be read from null or undefined", "type-error"))
            }
            _ => Ok(()),
        }
    }

    fn unary(&mut self, op: UnaryOp, value: &Val) -> Result<Val, Val> {
        match (op, value) {
            (UnaryOp::Not, value) => Ok(Val::Bool(!truthy(value))),
            (UnaryOp::Minus, Val::Int(value)) => self.int(value.checked_neg()),
            (UnaryOp::Minus, _) => Err(self.error("- needs a number", "type-error")),
        }
    }

    fn binary(&mut self, op: BinaryOp, left: &Val, right: &Val) -> Result<Val, Val> {
        use BinaryOp as B;
        // To a program a time is PostgreSQL's text.
        if let (Val::Time(_), _) | (_, Val::Time(_)) = (left, right) {
            let (left, right) = (self.timeless(left), self.timeless(right));
            return self.binary(op, &left, &right);
        }
        match (op, left, right) {
            (B::Equal, ..) => Ok(Val::Bool(left == right)),
            (B::NotEqual, ..) => Ok(Val::Bool(left != right)),
            (B::Add, Val::Int(a), Val::Int(b)) => self.int(a.checked_add(*b)),
            (B::Sub, Val::Int(a), Val::Int(b)) => self.int(a.checked_sub(*b)),
            (B::Mul, Val::Int(a), Val::Int(b)) => self.int(a.checked_mul(*b)),
            (B::Rem, Val::Int(a), Val::Int(b)) => self.int(a.checked_rem(*b)),
            (B::Add, Val::Text(a), Val::Text(b)) => self.text([&**a, &**b].concat()),
            (B::Less | B::LessEqual | B::Greater | B::GreaterEqual, Val::Int(a), Val::Int(b)) => {
                Ok(Val::Bool(ordered(op, a.cmp(b))))
            }
            (B::Less | B::LessEqual | B::Greater | B::GreaterEqual, Val::Text(a), Val::Text(b)) => {
                // JavaScript orders strings by UTF-16 units.
                Ok(Val::Bool(ordered(op, a.encode_utf16().cmp(b.encode_utf16()))))
            }
            _ => Err(self.error("an operator mixes kinds of values", "type-error")),
        }
    }

    fn timeless(&self, value: &Val) -> Val {
        match value {
            Val::Time(us) => Val::Text(time_text(*us).into()),
            other => other.clone(),
        }
    }

    fn int(&mut self, value: Option<i64>) -> Result<Val, Val> {
        match value {
            Some(value) if value.unsigned_abs() <= SAFE_MAX => Ok(Val::Int(value)),
            _ => Err(self.error("a number outside the safe integers", "range-error")),
        }
    }

    fn text(&mut self, text: String) -> Result<Val, Val> {
        if text.len() > TEXT_MAX {
            return Err(self.limit("a string grew too long"));
        }
        self.take_room(1 + super::collect::text_size(&text))?;
        Ok(Val::Text(text.into()))
    }

    pub(super) fn array(&mut self, items: &Val) -> Result<&[Val], Val> {
        let at = match items {
            Val::Ref(at) => self.vm.heap.get(*at as usize).map(|object| (*at, object)),
            _ => None,
        };
        let Some((at, Obj::Array(_))) = at else {
            return Err(self.error("an array is needed here", "type-error"));
        };
        match self.vm.heap.get(at as usize) {
            Some(Obj::Array(list)) => Ok(list),
            _ => Ok(&[]),
        }
    }

    fn field(&mut self, object: &Val, name: &str) -> Result<Val, Val> {
        match object {
            Val::Undefined | Val::Null => {
                let message = ["cannot read \"", name, "\" of nothing"].concat();
                Err(self.error(&message, "type-error"))
            }
            Val::Time(us) if name == "length" => Ok(Val::Int(time_text(*us).len() as i64)),
            Val::Text(text) if name == "length" => Ok(Val::Int(text.encode_utf16().count() as i64)),
            Val::Ref(at) => Ok(self.heap_field(*at, name)),
            _ => Ok(Val::Undefined),
        }
    }

    fn heap_field(&self, at: u32, name: &str) -> Val {
        match self.vm.heap.get(at as usize) {
            Some(Obj::Record { fields, .. }) => {
                let field = fields.iter().find(|(key, _)| &**key == name);
                field.map_or(Val::Undefined, |(_, value)| value.clone())
            }
            Some(Obj::Array(items)) if name == "length" => Val::Int(items.len() as i64),
            Some(Obj::Error { message, .. }) if name == "message" => Val::Text(message.clone()),
            Some(Obj::Error { code, .. }) if name == "name" => {
                Val::Text(error_class(code.as_deref()).into())
            }
            Some(Obj::Error { code: Some(code), .. }) if name == "code" => Val::Text(code.clone()),
            _ => Val::Undefined,
        }
    }

    fn index(&mut self, items: &Val, index: &Val) -> Result<Val, Val> {
        match index {
            Val::Int(index) => {
                let list = self.array(items)?;
                let item = usize::try_from(*index).ok().and_then(|index| list.get(index));
                Ok(item.cloned().unwrap_or(Val::Undefined))
            }
            Val::Text(name) => {
                let name = name.clone();
                self.field(items, &name)
            }
            _ => Err(self.error("an index is a number or a string", "type-error")),
        }
    }

    fn set_field(&mut self, object: &Val, name: &Arc<str>, value: Val) -> Result<(), Val> {
        if let Val::Ref(at) = object
            && let Some(Obj::Record { fields, host: None }) = self.vm.heap.get_mut(*at as usize)
        {
            match fields.iter_mut().find(|(key, _)| key == name) {
                Some((_, field)) => *field = value,
                None => {
                    fields.push((name.clone(), value));
                    self.take_room(1)?;
                }
            }
            return Ok(());
        }
        Err(self.error("only plain objects have fields to set", "type-error"))
    }

    fn set_index(&mut self, items: &Val, index: &Val, value: Val) -> Result<(), Val> {
        if let (Val::Ref(at), Val::Int(index)) = (items, index)
            && let Some(Obj::Array(list)) = self.vm.heap.get_mut(*at as usize)
            && let Ok(index) = usize::try_from(*index)
            && index <= list.len()
        {
            if index == list.len() {
                list.push(value);
                self.take_room(1)?;
            } else if let Some(place) = list.get_mut(index) {
                *place = value;
            }
            return Ok(());
        }
        if let Val::Text(name) = index {
            return self.set_field(items, &name.clone(), value);
        }
        Err(self.error("only elements of an array can be set", "type-error"))
    }
}

fn ordered(op: BinaryOp, order: std::cmp::Ordering) -> bool {
    match op {
        BinaryOp::Less => order.is_lt(),
        BinaryOp::LessEqual => order.is_le(),
        BinaryOp::Greater => order.is_gt(),
        _ => order.is_ge(),
    }
}

/// The name of JavaScript's class for an error of the language, by its code.
pub(super) fn error_class(code: Option<&str>) -> &'static str {
    match code {
        Some("type-error") => "TypeError",
        Some("range-error") => "RangeError",
        _ => "Error",
    }
}
