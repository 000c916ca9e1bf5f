//! The built-in scenes, in the order of the course.

/// A built-in scene.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BuiltIn {
    /// Its name in links: `outbox/one-relay`.
    pub id: &'static str,
    /// Its title in Russian.
    pub ru: &'static str,
    /// Its title in English.
    pub en: &'static str,
}

macro_rules! scenes {
    ($($id:literal, $ru:literal, $en:literal;)*) => {
        /// All built-in scenes. Their titles are here as well, because the page lists scenes
        /// whose files it has not fetched.
        pub const ALL: &[BuiltIn] = &[$(BuiltIn { id: $id, ru: $ru, en: $en },)*];

        impl BuiltIn {
            /// Its file. A program that never asks for one does not carry the files.
            pub fn source(self) -> &'static str {
                match self.id {
                    $($id => include_str!(concat!("../../static/scenes/", $id, ".js")),)*
                    _ => "",
                }
            }
        }
    };
}

scenes! {
    "dual-write/commit-then-send", "Сначала COMMIT, потом письмо", "Commit, then send";
    "dual-write/send-then-commit", "Сначала письмо, потом COMMIT", "Send, then commit";
    "outbox/one-relay", "Outbox: один поллер", "Outbox: one relay";
    "inbox/one-transaction", "Inbox: метка и баллы в одной транзакции", "Inbox: mark and points in one transaction";
}

/// A built-in scene by its name.
pub fn find(id: &str) -> Option<BuiltIn> {
    ALL.iter().copied().find(|scene| scene.id == id)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scene::Scene;

    #[test]
    fn titles_are_those_in_the_files() {
        for built_in in ALL {
            let title = Scene::open(built_in.source()).unwrap().title;
            assert_eq!((&*title.ru, &*title.en), (built_in.ru, built_in.en), "{}", built_in.id);
        }
    }
}
