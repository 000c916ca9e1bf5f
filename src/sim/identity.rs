//! Which order a row, a message or a letter is about. Programs carry the order's number in
//! fields named `orderId`, `order_id` or `order`; a body, a payload and a nested object are
//! looked into.

use crate::datum::Datum;

/// Levels that are looked into.
const DEPTH_MAX: u32 = 4;

/// The order that a value is about, if it says so.
pub fn order_of(datum: &Datum) -> Option<i64> {
    search(datum, 0)
}

fn search(datum: &Datum, depth: u32) -> Option<i64> {
    let Datum::Object(fields) = datum else { return None };
    let named = fields.iter().find(|(name, _)| is_order_key(name));
    if let Some(number) = named.and_then(|(_, value)| value.as_int()) {
        return Some(number);
    }
    if depth >= DEPTH_MAX {
        return None;
    }
    fields.iter().find_map(|(_, value)| search(value, depth + 1))
}

/// Whether a field or column of this name holds an order's number.
pub fn is_order_key(name: &str) -> bool {
    matches!(name, "orderId" | "order_id" | "order")
}

/// The order behind a list of values, such as the parameters of a statement: the first that
/// one of them names.
pub fn order_among(data: &[Datum]) -> Option<i64> {
    data.iter().find_map(order_of)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_order_is_found_by_the_name_of_its_field_at_any_level() {
        let object = |key: &str, value: Datum| Datum::Object([(key.into(), value)].into());
        assert_eq!(order_of(&object("orderId", Datum::Int(3))), Some(3));
        assert_eq!(order_of(&object("payload", object("order_id", Datum::Int(4)))), Some(4));
        assert_eq!(order_of(&object("id", Datum::Int(4))), None);
        assert_eq!(order_of(&Datum::Int(4)), None);
    }
}
