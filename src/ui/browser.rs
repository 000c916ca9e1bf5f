//! Small doors to the browser: storage that may be refused, media queries, sizes, placing.

use wasm_bindgen::closure::Closure;
use wasm_bindgen::{JsCast, JsValue};
use web_sys::{HtmlElement, ResizeObserver, ResizeObserverEntry, Storage, Window};
use yew::prelude::*;

use crate::view::layout::Rect;
use crate::words::{Category, Lang};

/// The window, if there is one.
pub(super) fn window() -> Option<Window> {
    web_sys::window()
}

/// The storage; a browser may refuse it (a sandboxed frame), and then there is none.
fn storage() -> Option<Storage> {
    window()?.local_storage().ok()?
}

/// A kept value.
pub(super) fn kept(key: &str) -> Option<String> {
    storage()?.get_item(key).ok()?
}

/// Keeps a value if the browser lets it.
pub(super) fn keep(key: &str, value: &str) {
    if let Some(storage) = storage() {
        let _ = storage.set_item(key, value);
    }
}

/// Whether a media query holds now.
pub(super) fn media(query: &str) -> bool {
    let list = window().and_then(|window| window.match_media(query).ok().flatten());
    list.is_some_and(|list| list.matches())
}

/// The page's own element, which carries theme and language.
pub(super) fn root() -> Option<web_sys::Element> {
    window()?.document()?.document_element()
}

/// The plural category of a number by `Intl.PluralRules`.
pub(super) fn plural(lang: Lang, n: i64) -> Category {
    let locales = js_sys::Array::of1(&JsValue::from_str(lang.code()));
    let rules = js_sys::Intl::PluralRules::new(&locales, &js_sys::Object::new());
    let code = rules.select(i32::try_from(n).unwrap_or(i32::MAX).into());
    code.as_string().map_or(Category::Other, |code| Category::from_code(&code))
}

/// Puts an element over a rectangle of the stage. Through the object model, because a strict
/// Content-Security-Policy forbids style attributes.
#[hook]
pub(super) fn use_place(node: &NodeRef, rect: Rect) {
    let node = node.clone();
    use_effect_with(rect, move |rect| {
        if let Some(element) = node.cast::<HtmlElement>() {
            let style = element.style();
            for (name, value) in
                [("left", rect.x), ("top", rect.y), ("width", rect.w), ("height", rect.h)]
            {
                let _ = style.set_property(name, &format!("{value}px"));
            }
        }
    });
}

/// The width of an element in pixels, kept up to date; 0 until it is known.
#[hook]
pub(super) fn use_width(node: &NodeRef) -> i32 {
    let width = use_state_eq(|| 0);
    let (node, setter) = (node.clone(), width.setter());
    use_effect_with((), move |()| {
        let watched = node.cast::<web_sys::Element>();
        if let Some(element) = &watched {
            setter.set(element.client_width());
        }
        let seen = Closure::<dyn FnMut(Vec<ResizeObserverEntry>)>::new(
            move |entries: Vec<ResizeObserverEntry>| {
                if let Some(entry) = entries.last() {
                    setter.set(entry.target().client_width());
                }
            },
        );
        let observer = ResizeObserver::new(seen.as_ref().unchecked_ref()).ok();
        if let (Some(observer), Some(element)) = (&observer, &watched) {
            observer.observe(element);
        }
        move || {
            if let Some(observer) = observer {
                observer.disconnect();
            }
            drop(seen);
        }
    });
    *width
}
