//! Files beside the page that are fetched when they are needed: words and scenes.
//!
//! The script that starts the page has the one function that fetches, so that it can begin before
//! this program is even there; it is found by the name [`FETCH`].

use std::cell::RefCell;
use std::rc::Rc;

use wasm_bindgen::{JsCast, JsValue};
use wasm_bindgen_futures::JsFuture;

use crate::collections::Map;
use crate::words::{self, Lang, Part};

/// The global function that gives a promise of the text of a file, by its path beside the page.
const FETCH: &str = "pullThePlugFile";

thread_local! {
    static SCENES: RefCell<Map<String, Rc<str>>> = const { RefCell::new(Map::new()) };
}

/// What the page may need.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum File {
    /// Words of a language.
    Words(Lang, Part),
    /// A scene, by name.
    Scene(String),
}

impl File {
    /// Whether it need not be fetched.
    pub(super) fn at_hand(&self) -> bool {
        match self {
            Self::Words(lang, part) => words::knows(*lang, *part),
            Self::Scene(name) => scene(name).is_some(),
        }
    }

    /// Fetches it; whether it is at hand now.
    pub(super) async fn fetch(&self) -> bool {
        if self.at_hand() {
            return true;
        }
        let Some(text) = text(&self.path()).await else { return false };
        match self {
            Self::Words(lang, part) => words::learn(*lang, *part, &text),
            Self::Scene(name) => {
                SCENES.with_borrow_mut(|scenes| scenes.insert(name.clone(), text.into()));
                true
            }
        }
    }

    fn path(&self) -> String {
        match self {
            Self::Words(lang, Part::Lesson) => format!("words/{}.txt", lang.code()),
            Self::Words(lang, Part::Problems) => format!("words/{}-problems.txt", lang.code()),
            Self::Scene(name) => format!("scenes/{name}.js"),
        }
    }
}

/// The text of a scene that was fetched.
pub(super) fn scene(name: &str) -> Option<Rc<str>> {
    SCENES.with_borrow(|scenes| scenes.get(name).cloned())
}

async fn text(path: &str) -> Option<String> {
    let fetch = js_sys::Reflect::get(&js_sys::global(), &FETCH.into()).ok()?;
    let promise = fetch.dyn_ref::<js_sys::Function>()?.call1(&JsValue::NULL, &path.into()).ok()?;
    JsFuture::from(promise.dyn_into::<js_sys::Promise>().ok()?).await.ok()?.as_string()
}
