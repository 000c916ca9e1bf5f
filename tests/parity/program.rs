//! Prints what the library computes, the same natively and in WASM.
//!
//! `cargo xtask test` builds this program for both, runs both, and compares what they print.

fn main() {
    report(&digests());
}

/// What both must agree on: one line per computed value.
fn digests() -> String {
    use std::hash::Hasher;

    use siphasher::sip::SipHasher13;

    let mut hasher = SipHasher13::new();
    hasher.write("шнур".as_bytes());
    hasher.write_u64(1 << 52);
    format!("siphash {:016x}\n", hasher.finish())
}

#[cfg(not(target_arch = "wasm32"))]
#[expect(clippy::print_stdout, reason = "printing is what this program is for")]
fn report(text: &str) {
    print!("{text}");
}

#[cfg(target_arch = "wasm32")]
fn report(text: &str) {
    web_sys::console::log_1(&text.trim_end().into());
}
