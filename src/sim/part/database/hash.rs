//! `hashtext`: PostgreSQL's hash of a text, which is Bob Jenkins' public-domain lookup3. Relays
//! that share a table by `hashtext(key) % n` get the same shares here as there.

/// The hash as a signed 32-bit number.
pub(super) fn hashtext(text: &str) -> i32 {
    let length = u32::try_from(text.len()).unwrap_or(u32::MAX);
    let start = 0x9e37_79b9_u32.wrapping_add(length).wrapping_add(3_923_095);
    let mut state = [start; 3];
    let mut chunks = text.as_bytes().chunks_exact(12);
    for chunk in &mut chunks {
        add(&mut state, chunk, 0);
        mix(&mut state);
    }
    // The lowest byte of the third word was once kept for the length, so the rest skips it.
    let rest = chunks.remainder();
    let (low, high) = rest.split_at(rest.len().min(8));
    add(&mut state, low, 0);
    add(&mut state, high, 9);
    finish(state).cast_signed()
}

/// Adds bytes to the words, the first one at byte `from`, the least significant byte first.
fn add(state: &mut [u32; 3], bytes: &[u8], from: usize) {
    for (at, byte) in (from..).zip(bytes) {
        if let Some(word) = state.get_mut(at / 4) {
            *word = word.wrapping_add(u32::from(*byte) << (8 * (at % 4)));
        }
    }
}

fn mix(state: &mut [u32; 3]) {
    let [mut a, mut b, mut c] = *state;
    for (first, second, third) in [(4, 6, 8), (16, 19, 4)] {
        a = a.wrapping_sub(c) ^ c.rotate_left(first);
        c = c.wrapping_add(b);
        b = b.wrapping_sub(a) ^ a.rotate_left(second);
        a = a.wrapping_add(c);
        c = c.wrapping_sub(b) ^ b.rotate_left(third);
        b = b.wrapping_add(a);
    }
    *state = [a, b, c];
}

fn finish([mut a, mut b, mut c]: [u32; 3]) -> u32 {
    c = (c ^ b).wrapping_sub(b.rotate_left(14));
    a = (a ^ c).wrapping_sub(c.rotate_left(11));
    b = (b ^ a).wrapping_sub(a.rotate_left(25));
    c = (c ^ b).wrapping_sub(b.rotate_left(16));
    a = (a ^ c).wrapping_sub(c.rotate_left(4));
    b = (b ^ a).wrapping_sub(a.rotate_left(14));
    (c ^ b).wrapping_sub(b.rotate_left(24))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hashes_are_those_of_postgresql_15() {
        for (text, hash) in [
            ("", -1_477_818_771),
            ("a", 1_075_015_857),
            ("order-17", -1_411_492_936),
            ("exactly12byt", 804_910_449),
            ("a text of more than twelve bytes, привет", 1_537_609_252),
        ] {
            assert_eq!(hashtext(text), hash, "{text}");
        }
    }
}
