//! The browser program: mounts the page into the element `#app` of the host document.
//!
//! Mounting replaces what the element holds, the first paint of `index.html`. A document
//! without such an element has no place for a lesson, and is left as it is.

use pull_the_plug::ui::{guard, start};

/// Smaller and faster in WASM than the allocator of the standard library.
#[cfg(target_arch = "wasm32")]
#[global_allocator]
static ALLOCATOR: talc::wasm::WasmDynamicTalc = talc::wasm::new_wasm_dynamic_allocator();

fn main() {
    let host = gloo::utils::document().get_element_by_id("app");
    guard();
    if let Some(host) = host {
        start(host);
    }
}
