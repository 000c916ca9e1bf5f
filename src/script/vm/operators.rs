//! Operators, fields and literals.

use std::sync::Arc;

use super::exec::{Exec, pop, pop_many, truthy};
use super::value::{Frame, Obj, Val};
use crate::script::ast::{BinaryOp, UnaryOp};
use crate::script::code::Op;

/// The largest integer that JavaScript holds exactly.
const SAFE_MAX: i64 = (1 << 53) - 1;
/// Characters that a program may put into one string.
const TEXT_MAX: usize = 100_000;

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
            Op::Template(count) => {
                let parts = pop_many(frame, *count);
                let mut text = String::new();
                for part in &parts {
                    text.push_str(&self.to_text(part)?);
                }
                self.text(text)?
            }
            Op::Array(count) => {
                let items = pop_many(frame, *count);
                Val::Ref(self.vm.alloc(Obj::Array(items)))
            }
            Op::Object(keys) => {
                let values = pop_many(frame, keys.len() as u32);
                let fields = keys.iter().cloned().zip(values).collect();
                Val::Ref(self.vm.alloc(Obj::Record { fields, host: None }))
            }
            Op::Sql(statement, count) => {
                let params = pop_many(frame, *count);
                Val::Ref(self.vm.alloc(Obj::Sql { statement: *statement, params }))
            }
            Op::Error(has_message) => {
                let message = if *has_message { pop(frame) } else { Val::Text("".into()) };
                let message = self.to_text(&message)?;
                Val::Ref(self.vm.alloc(Obj::Error { message, code: None }))
            }
            Op::PromiseAll => {
                let items = pop(frame);
                let items = self.array(&items)?.to_vec();
                self.promise_all(&items)
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
            _ => return Ok(()),
        };
        frame.stack.push(value);
        Ok(())
    }

    fn unary(&mut self, op: UnaryOp, value: &Val) -> Result<Val, Val> {
        match (op, value) {
            (UnaryOp::Not, value) => Ok(Val::Bool(!truthy(value))),
            (UnaryOp::Minus, Val::Int(value)) => Ok(Val::Int(-value)),
            (UnaryOp::Minus, _) => Err(self.error("- needs a number", "type-error")),
        }
    }

    fn binary(&mut self, op: BinaryOp, left: &Val, right: &Val) -> Result<Val, Val> {
        use BinaryOp as B;
        match (op, left, right) {
            (B::Equal, ..) => Ok(Val::Bool(self.same(left, right))),
            (B::NotEqual, ..) => Ok(Val::Bool(!self.same(left, right))),
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

    fn same(&self, left: &Val, right: &Val) -> bool {
        match (left, right) {
            (Val::Time(_), Val::Text(_)) | (Val::Text(_), Val::Time(_)) => {
                matches!((self.to_plain_text(left), self.to_plain_text(right)), (Some(a), Some(b)) if a == b)
            }
            _ => left == right,
        }
    }

    fn int(&mut self, value: Option<i64>) -> Result<Val, Val> {
        match value {
            Some(value) if value.abs() <= SAFE_MAX => Ok(Val::Int(value)),
            _ => Err(self.error("a number outside the safe integers", "range-error")),
        }
    }

    fn text(&mut self, text: String) -> Result<Val, Val> {
        if text.len() > TEXT_MAX {
            return Err(self.error("a string grew too long", "limit"));
        }
        Ok(Val::Text(text.into()))
    }

    fn array(&mut self, items: &Val) -> Result<&[Val], Val> {
        let is_array = matches!(items, Val::Ref(at)
            if matches!(self.vm.heap.get(*at as usize), Some(Obj::Array(_))));
        if !is_array {
            return Err(self.error("an array is needed here", "type-error"));
        }
        match items {
            Val::Ref(at) => match &self.vm.heap[*at as usize] {
                Obj::Array(list) => Ok(list),
                _ => Ok(&[]),
            },
            _ => Ok(&[]),
        }
    }

    fn field(&mut self, object: &Val, name: &str) -> Result<Val, Val> {
        match object {
            Val::Undefined | Val::Null => {
                let message = ["cannot read \"", name, "\" of nothing"].concat();
                Err(self.error(&message, "type-error"))
            }
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
                None => fields.push((name.clone(), value)),
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
            } else {
                list[index] = value;
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
