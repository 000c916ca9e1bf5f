//! Which states were seen: a table from their hashes to their numbers.

/// A table with open addressing. Its keys are hashes already, so their last bits are the place.
#[derive(Debug, Default)]
pub(super) struct Seen {
    keys: Vec<u128>,
    /// The number of each key's state, or [`EMPTY`].
    numbers: Vec<u32>,
    len: u32,
}

const EMPTY: u32 = u32::MAX;
const ROOM_MIN: usize = 1024;

impl Seen {
    /// The number of a state, which becomes `number` if it was not seen before; and whether so.
    pub(super) fn insert(&mut self, key: u128, number: u32) -> (u32, bool) {
        if (self.len as usize + 1) * 3 > self.keys.len() * 2 {
            self.grow();
        }
        let place = self.place(key);
        if self.numbers[place] != EMPTY {
            return (self.numbers[place], false);
        }
        self.keys[place] = key;
        self.numbers[place] = number;
        self.len += 1;
        (number, true)
    }

    /// Where a key is, or where it goes. There is room: a third of the places is empty.
    fn place(&self, key: u128) -> usize {
        // A power of two, so this keeps the last bits.
        let mask = self.keys.len() - 1;
        let mut place = key as usize & mask;
        while self.numbers[place] != EMPTY && self.keys[place] != key {
            place = (place + 1) & mask;
        }
        place
    }

    fn grow(&mut self) {
        let room = (self.keys.len() * 2).max(ROOM_MIN);
        let keys = std::mem::replace(&mut self.keys, vec![0; room]);
        let numbers = std::mem::replace(&mut self.numbers, vec![EMPTY; room]);
        for (key, number) in keys.into_iter().zip(numbers) {
            if number != EMPTY {
                let place = self.place(key);
                self.keys[place] = key;
                self.numbers[place] = number;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_key_keeps_the_number_it_was_first_given() {
        let mut seen = Seen::default();
        let key = |n: u32| u128::from(n % 7) << 64 | u128::from(n) << 9;
        for n in 0..5_000 {
            assert_eq!(seen.insert(key(n), n), (n, true));
        }
        for n in 0..5_000 {
            assert_eq!(seen.insert(key(n), 9_999), (n, false));
        }
    }
}
