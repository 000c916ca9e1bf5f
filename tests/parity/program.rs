//! Prints what the library computes, the same natively and in WASM.
//!
//! `cargo xtask test` builds this program for both, runs both, and compares what they print.

fn main() {
    report(&pull_the_plug::parity::digests(0..100));
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
