//! What a learner sees if the program itself breaks: a card that says so, and a way to start anew.

use super::settings::Settings;

/// Makes a panic anywhere show a card instead of a dead page. Without yew, which may be what broke.
pub fn guard() {
    yew::set_custom_panic_hook(Box::new(|_| show()));
}

fn show() {
    let words = Settings::read().words();
    let Some(document) = super::browser::window().and_then(|window| window.document()) else {
        return;
    };
    let make = |tag: &str, text: &str| {
        let element = document.create_element(tag).ok()?;
        element.set_text_content(Some(text));
        Some(element)
    };
    let host = document.get_element_by_id("app");
    let card = make("div", "");
    let (Some(host), Some(card)) = (host, card) else { return };
    card.set_class_name("ptp ptp-crash");
    let _ = card.set_attribute("role", "alert");
    if let Some(line) = make("p", words.ui_crashed()) {
        let _ = card.append_child(&line);
    }
    // A link to the bare page: the address itself may be what breaks it.
    if let Some(link) = make("a", words.ui_reload()) {
        let _ = link.set_attribute("href", "?");
        let _ = card.append_child(&link);
    }
    host.set_text_content(None);
    let _ = host.append_child(&card);
}
