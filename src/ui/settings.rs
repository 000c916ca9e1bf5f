//! What the address and the browser's memory say: scene, language, theme, seed, actions.

use wasm_bindgen::JsValue;
use web_sys::UrlSearchParams;

use super::browser;
use crate::run::Action;
use crate::run::action::{list_text, parse_list};
use crate::words::{Lang, Words};

const LANG_KEY: &str = "pull-the-plug.lang";
const THEME_KEY: &str = "pull-the-plug.theme";

/// Light or dark.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Theme {
    /// As the system has it.
    Auto,
    /// Light.
    Light,
    /// Dark.
    Dark,
}

impl Theme {
    /// All themes.
    pub(super) const ALL: [Self; 3] = [Self::Auto, Self::Light, Self::Dark];

    /// Its word in a link.
    pub(super) const fn code(self) -> &'static str {
        match self {
            Self::Auto => "auto",
            Self::Light => "light",
            Self::Dark => "dark",
        }
    }

    /// The theme of a word.
    pub(super) fn from_code(code: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|theme| theme.code() == code)
    }
}

/// What a page was opened with.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Settings {
    /// The scene's name; the first one if absent or unknown.
    pub(super) scene: Option<String>,
    /// The language.
    pub(super) lang: Lang,
    /// The theme.
    pub(super) theme: Theme,
    /// The seed of the run.
    pub(super) seed: u64,
    /// What is done to the world, and when.
    pub(super) actions: Vec<Action>,
    /// Ids of messages about what could not be understood, with what stood there.
    pub(super) problems: Vec<(&'static str, String)>,
}

impl Settings {
    /// Reads the address, then the browser's memory, then the browser's own preferences.
    pub(super) fn read() -> Self {
        let search = browser::window().and_then(|window| window.location().search().ok());
        let query = UrlSearchParams::new_with_str(&search.unwrap_or_default()).ok();
        let get = |name: &str| query.as_ref().and_then(|query| query.get(name));
        let mut problems = Vec::new();
        let mut checked = |value: Option<String>, id: &'static str, good: bool| {
            value.filter(|_| !good).into_iter().for_each(|found| problems.push((id, found)));
        };
        let lang_given = get("lang");
        let lang = lang_given.as_deref().and_then(Lang::from_code);
        checked(lang_given, "link-bad-language", lang.is_some());
        let theme_given = get("theme");
        let theme = theme_given.as_deref().and_then(Theme::from_code);
        checked(theme_given, "link-bad-theme", theme.is_some());
        let seed_given = get("seed");
        let seed = seed_given.as_deref().and_then(|seed| seed.parse::<u32>().ok());
        checked(seed_given, "link-bad-seed", seed.is_some());
        let (actions, errors) = parse_list(&get("actions").unwrap_or_default());
        problems.extend(errors.into_iter().map(|error| (error.problem, error.found)));
        Self {
            scene: get("scene"),
            lang: lang.unwrap_or_else(lang_kept),
            theme: theme.unwrap_or_else(theme_kept),
            seed: seed.unwrap_or(0).into(),
            actions,
            problems,
        }
    }

    /// The same in a link's words, without what is as usual.
    pub(super) fn query(&self, actions: &[Action]) -> String {
        let mut out = format!("?scene={}", self.scene.as_deref().unwrap_or_default());
        out.push_str(&format!("&lang={}", self.lang.code()));
        if self.theme != Theme::Auto {
            out.push_str(&format!("&theme={}", self.theme.code()));
        }
        if self.seed != 0 {
            out.push_str(&format!("&seed={}", self.seed));
        }
        if !actions.is_empty() {
            // These two have a meaning of their own in an address.
            let text = list_text(actions).replace('#', "%23").replace('+', "%2B");
            out.push_str(&format!("&actions={text}"));
        }
        out
    }

    /// Keeps language and theme, in memory and on the page's element.
    pub(super) fn keep(&self) {
        browser::keep(LANG_KEY, self.lang.code());
        browser::keep(THEME_KEY, self.theme.code());
        self.dress();
    }

    /// Sets language and theme on the page's element.
    pub(super) fn dress(&self) {
        if let Some(root) = browser::root() {
            let _ = root.set_attribute("lang", self.lang.code());
            let _ = root.set_attribute("data-theme", self.theme.code());
        }
        if let Some(document) = browser::window().and_then(|window| window.document()) {
            document.set_title(self.words().page_title());
        }
    }

    /// The words of the language.
    pub(super) fn words(&self) -> Words {
        Words::new(self.lang, browser::plural)
    }
}

/// Writes the query into the address, without a new entry in the history.
pub(super) fn reflect(query: &str) {
    if let Some(history) = browser::window().and_then(|window| window.history().ok()) {
        let _ = history.replace_state_with_url(&JsValue::NULL, "", Some(query));
    }
}

fn lang_kept() -> Lang {
    let kept = browser::kept(LANG_KEY).and_then(|code| Lang::from_code(&code));
    let own = || browser::window()?.navigator().language();
    kept.or_else(|| own().and_then(|tag| Lang::from_code(&tag))).unwrap_or(Lang::En)
}

fn theme_kept() -> Theme {
    let kept = browser::kept(THEME_KEY);
    kept.and_then(|code| Theme::from_code(&code)).unwrap_or(Theme::Auto)
}
