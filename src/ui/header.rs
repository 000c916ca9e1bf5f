//! The bar on top: the product, scenes by chapter, language, theme, link.

use yew::prelude::*;

use super::icon::icon;
use super::lab::SceneEntry;
use super::page::Did;
use super::settings::Theme;
use crate::words::{Lang, Words};

const SHARE: &str = "M6.5 9.5a3 3 0 0 0 4.2 0l2.5-2.5a3 3 0 0 0-4.2-4.2l-1 1\
    M9.5 6.5a3 3 0 0 0-4.2 0l-2.5 2.5a3 3 0 0 0 4.2 4.2l1-1";
const COPIED: &str = "M2.5 8.5l4 4 7-9";

/// Properties of [`Header`].
#[derive(Clone, PartialEq, Properties)]
pub(super) struct HeaderProps {
    /// In which language.
    pub(super) words: Words,
    /// The theme.
    pub(super) theme: Theme,
    /// All scenes.
    pub(super) scenes: Vec<SceneEntry>,
    /// The open one.
    pub(super) scene: AttrValue,
    /// Whether the link was copied; `None` before it was tried.
    pub(super) copied: Option<bool>,
    /// Tells what the learner did.
    pub(super) did: Callback<Did>,
}

/// The bar on top.
#[component]
pub(super) fn Header(props: &HeaderProps) -> Html {
    let HeaderProps { words, theme, copied, did, .. } = props;
    let other = if words.lang() == Lang::Ru { Lang::En } else { Lang::Ru };
    let next = match theme {
        Theme::Auto => Theme::Light,
        Theme::Light => Theme::Dark,
        Theme::Dark => Theme::Auto,
    };
    let press = |done: Did| {
        let did = did.clone();
        Callback::from(move |_: MouseEvent| did.emit(done.clone()))
    };
    let copy = match copied {
        Some(true) => words.page_copied(),
        Some(false) | None => words.page_share(),
    };
    html! {
        <header class="ptp-header">
            <p class="ptp-brand">
                <svg class="ptp-logo" viewBox="0 0 24 24" width="24" height="24" aria-hidden="true">
                    <path d="M9 2v6M15 2v6M6 8h12v3a6 6 0 0 1-12 0zM12 17v5" />
                </svg>
                { words.page_title() }
            </p>
            { chapters(props) }
            <div class="ptp-tools">
                <button
                    type="button"
                    class="ptp-button"
                    lang={other.code()}
                    onclick={press(Did::ChoseLang(other))}
                >
                    { if other == Lang::Ru { "RU" } else { "EN" } }
                    <span class="ptp-hidden">{ other.name() }</span>
                </button>
                <button type="button" class="ptp-button" onclick={press(Did::ChoseTheme(next))}>
                    <span class="ptp-theme-icon" aria-hidden="true">{ theme_icon(*theme) }</span>
                    <span class="ptp-tool-word">
                        <span class="ptp-wide-only">{ words.page_theme() }{ ": " }</span>
                        { theme_name(*words, *theme) }
                    </span>
                </button>
                <button type="button" class="ptp-button" onclick={press(Did::AskedForLink)}>
                    { icon(if *copied == Some(true) { COPIED } else { SHARE }) }
                    <span class="ptp-tool-word">{ copy }</span>
                </button>
            </div>
        </header>
    }
}

fn theme_name(words: Words, theme: Theme) -> &'static str {
    match theme {
        Theme::Auto => words.page_theme_auto(),
        Theme::Light => words.page_theme_light(),
        Theme::Dark => words.page_theme_dark(),
    }
}

fn theme_icon(theme: Theme) -> Html {
    let d = match theme {
        Theme::Auto => "M8 1.5a6.5 6.5 0 1 0 0 13z",
        Theme::Light => "M8 4.5a3.5 3.5 0 1 0 0 7 3.5 3.5 0 0 0 0-7z",
        Theme::Dark => "M6 2a6.5 6.5 0 1 0 8 8 6 6 0 0 1-8-8z",
    };
    html! {
        <svg viewBox="0 0 16 16" width="16" height="16">
            <circle class="ptp-theme-ring" cx="8" cy="8" r="6.5" />
            <path {d} />
        </svg>
    }
}

/// Scenes by chapter: the chapter of the open scene, and a list to choose from.
fn chapters(props: &HeaderProps) -> Html {
    let HeaderProps { words, scenes, scene, did, .. } = props;
    let current = scene.split('/').next().unwrap_or_default();
    let mut known: Vec<&str> = Vec::new();
    for entry in scenes {
        let chapter = chapter_of(&entry.name);
        if !known.contains(&chapter) {
            known.push(chapter);
        }
    }
    let links = known.iter().map(|chapter| {
        let first = scenes.iter().find(|entry| chapter_of(&entry.name) == *chapter);
        let name = first.map(|entry| entry.name.clone()).unwrap_or_default();
        let did = did.clone();
        let onclick = Callback::from(move |_: MouseEvent| did.emit(Did::ChoseScene(name.clone())));
        let on = *chapter == current;
        html! {
            <button type="button" class="ptp-chapter" aria-current={on.then_some("true")} {onclick}>
                { chapter_name(*words, chapter) }
            </button>
        }
    });
    html! {
        <nav class="ptp-nav" aria-label={words.page_nav()}>
            <div class="ptp-chapters">{ for links }</div>
            { picker(props, &known) }
        </nav>
    }
}

fn picker(props: &HeaderProps, chapters: &[&str]) -> Html {
    let HeaderProps { words, scenes, scene, did, .. } = props;
    let onchange = {
        let did = did.clone();
        Callback::from(move |input: Event| {
            if let Some(select) = input.target_dyn_into::<web_sys::HtmlSelectElement>() {
                did.emit(Did::ChoseScene(AttrValue::from(select.value())));
            }
        })
    };
    let groups = chapters.iter().map(|chapter| {
        let inside = scenes.iter().filter(|entry| chapter_of(&entry.name) == *chapter);
        let options = inside.map(|entry| {
            html! {
                <option value={entry.name.clone()} selected={entry.name == *scene}>
                    { entry.title(words.lang()) }
                </option>
            }
        });
        html! { <optgroup label={chapter_name(*words, chapter)}>{ for options }</optgroup> }
    });
    html! {
        <select class="ptp-button ptp-scene" aria-label={words.page_scene()} {onchange}>
            { for groups }
        </select>
    }
}

fn chapter_of(scene: &str) -> &str {
    scene.split('/').next().unwrap_or_default()
}

fn chapter_name(words: Words, chapter: &str) -> String {
    match chapter {
        "dual-write" => words.page_nav_dual_write(),
        "outbox" => words.page_nav_outbox(),
        "inbox" => words.page_nav_inbox(),
        "sagas" | "saga" => words.page_nav_sagas(),
        "sandbox" => words.page_nav_sandbox(),
        other => other,
    }
    .to_owned()
}
