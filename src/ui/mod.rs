//! The page: the only module that knows a browser.
//!
//! It draws what the rest of the crate computed and turns clicks and keys into actions; it
//! never decides what happens.

use yew::prelude::*;

/// The whole page.
#[function_component]
pub fn App() -> Html {
    html! {
        <main>
            <h1 lang="ru">{ "Выдерни шнур" }</h1>
            <p lang="en">{ "Pull the Plug" }</p>
        </main>
    }
}
