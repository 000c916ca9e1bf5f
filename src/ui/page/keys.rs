//! Keys of the lab: Space, ← and →, unless the control in focus uses them itself.

use wasm_bindgen::JsCast;
use web_sys::{Element, KeyboardEvent};

use super::Did;

/// What a key pressed inside the lab means.
pub(super) fn meaning(input: &KeyboardEvent) -> Option<Did> {
    if input.ctrl_key() || input.alt_key() || input.meta_key() || input.shift_key() {
        return None;
    }
    let target = input.target().and_then(|target| target.dyn_into::<Element>().ok())?;
    let tag = target.tag_name().to_ascii_lowercase();
    if matches!(&*tag, "input" | "select" | "textarea") {
        return None;
    }
    // A button or a summary is pressed by Space, but makes nothing of arrows.
    let pressed_by_space = matches!(&*tag, "button" | "summary" | "a");
    match &*input.code() {
        "Space" if !pressed_by_space => Some(Did::PressedPlay),
        "ArrowLeft" => Some(Did::PressedBack),
        "ArrowRight" => Some(Did::PressedStep),
        _ => None,
    }
}
