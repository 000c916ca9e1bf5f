//! The page: the only module that knows a browser.
//!
//! It draws what the rest of the crate computed and turns clicks and keys into actions; it
//! never decides what happens. [`page`] holds the state and the messages; every other module is a
//! view of a part of it, drawn again only when its own properties change.

mod browser;
mod code;
mod crash;
mod faults;
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

/// The whole page.
#[yew::component]
pub fn App() -> yew::Html {
    yew::html! { <page::Page /> }
}
