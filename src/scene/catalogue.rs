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
    "dual-write/two-phase-commit", "Двухфазный COMMIT", "Two-phase commit";
    "outbox/one-relay", "Outbox: один поллер", "Outbox: one relay";
    "outbox/no-confirm", "Outbox: publish без подтверждения", "Outbox: publish without a confirm";
    "outbox/two-relays-no-skip-locked", "Outbox: два поллера без блокировки строк", "Outbox: two relays that lock no rows";
    "outbox/two-relays", "Outbox: два поллера и SKIP LOCKED", "Outbox: two relays and SKIP LOCKED";
    "outbox/order-by-key", "Outbox: порядок событий заказа", "Outbox: the order of an order’s events";
    "outbox/cursor-skips", "Outbox: поллер помнит последний id", "Outbox: a relay that remembers the last id";
    "outbox/lag-and-cleanup", "Outbox: отставание и очистка", "Outbox: lag and cleanup";
    "inbox/none", "Консьюмер без inbox", "A consumer without an inbox";
    "inbox/ack-first", "Сначала ack, потом работа", "Ack first, then work";
    "inbox/two-transactions", "Inbox: метка и баллы в разных транзакциях", "Inbox: mark and points in two transactions";
    "inbox/one-transaction", "Inbox: метка и баллы в одной транзакции", "Inbox: mark and points in one transaction";
    "inbox/race", "Inbox: проверил, потом вставил", "Inbox: check, then insert";
    "inbox/short-memory", "Inbox: короткая память", "Inbox: a short memory";
    "inbox/external-effect", "Inbox и письмо в его транзакции", "An inbox with a letter in its transaction";
    "inbox/external-effect-with-key", "Inbox, письмо и ключ идемпотентности", "An inbox, a letter and an idempotency key";
    "inbox/two-generals", "Два генерала", "Two generals";
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
