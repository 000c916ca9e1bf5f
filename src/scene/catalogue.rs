//! The built-in scenes, in the order of the course.

/// A built-in scene.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BuiltIn {
    /// Its name in links: `outbox/one-relay`.
    pub id: &'static str,
    /// Its file.
    pub source: &'static str,
}

macro_rules! scenes {
    ($($id:literal,)*) => {
        /// All built-in scenes.
        pub const ALL: &[BuiltIn] = &[
            $(BuiltIn {
                id: $id,
                source: include_str!(concat!("../../static/scenes/", $id, ".js")),
            },)*
        ];
    };
}

scenes! {
    "dual-write/commit-then-send",
    "dual-write/send-then-commit",
    "outbox/one-relay",
    "inbox/one-transaction",
}

/// A built-in scene by its name.
pub fn find(id: &str) -> Option<BuiltIn> {
    ALL.iter().copied().find(|scene| scene.id == id)
}
