//! The page: the only module that knows a browser.
//!
//! It draws what the rest of the crate computed and turns clicks and keys into actions; it
//! never decides what happens. [`page`] holds the state and the messages; every other module is a
//! view of a part of it, drawn again only when its own properties change.

mod browser;
mod code;
mod crash;
mod faults;
mod files;
mod graves;
mod header;
mod highlight;
mod icon;
mod identity;
mod lab;
mod ledger;
mod log;
mod names;
mod page;
mod part_panel;
mod settings;
mod shared;
mod sight;
mod stage;
mod transport;

pub use crash::guard;

use crate::words::Part;
use files::File;

/// The whole page.
#[yew::component]
fn App() -> yew::Html {
    yew::html! { <page::Page /> }
}

/// Puts the page in the place of what an element holds, once the words and the scene that it
/// begins with are there. Without the words it leaves the element to whoever fetches files.
pub fn start(host: web_sys::Element) {
    yew::platform::spawn_local(async move {
        let (settings, _) = page::settings();
        if File::Words(settings.lang, Part::Lesson).fetch().await {
            File::Scene(settings.scene.unwrap_or_default()).fetch().await;
            yew::Renderer::<App>::with_root(host).render();
        }
    });
}
