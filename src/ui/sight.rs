//! Whether an element can be seen: on the screen, in a tab that is shown.

use gloo::events::EventListener;
use wasm_bindgen::JsCast;
use wasm_bindgen::closure::Closure;
use web_sys::{Element, IntersectionObserver, IntersectionObserverEntry};
use yew::Callback;

use super::browser::window;

/// Watches until it is dropped.
pub(super) struct Sight {
    observer: Option<IntersectionObserver>,
    _entered: Closure<dyn FnMut(Vec<IntersectionObserverEntry>)>,
    _shown: Option<EventListener>,
}

/// What may have changed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Seen {
    /// The element came onto the screen or left it.
    OnScreen(bool),
    /// The tab was shown or hidden.
    TabShown(bool),
}

impl Sight {
    /// Watches an element.
    pub(super) fn of(element: &Element, told: &Callback<Seen>) -> Self {
        let tell = told.clone();
        let entered = Closure::<dyn FnMut(Vec<IntersectionObserverEntry>)>::new(
            move |entries: Vec<IntersectionObserverEntry>| {
                if let Some(entry) = entries.last() {
                    tell.emit(Seen::OnScreen(entry.is_intersecting()));
                }
            },
        );
        let observer = IntersectionObserver::new(entered.as_ref().unchecked_ref()).ok();
        if let Some(observer) = &observer {
            observer.observe(element);
        }
        let document = window().and_then(|window| window.document());
        let shown = document.map(|document| {
            let (tell, page) = (told.clone(), document.clone());
            EventListener::new(&document, "visibilitychange", move |_| {
                tell.emit(Seen::TabShown(!page.hidden()));
            })
        });
        Self { observer, _entered: entered, _shown: shown }
    }
}

impl Drop for Sight {
    fn drop(&mut self) {
        if let Some(observer) = &self.observer {
            observer.disconnect();
        }
    }
}
