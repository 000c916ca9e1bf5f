//! Files that the page needs for what happens to it, and what happens once they are there.

use yew::prelude::*;

use super::{Did, Page};
use crate::ui::files::File;
use crate::words::Part;

/// The file without which something cannot happen to the page.
pub(super) fn needed(did: &Did) -> Option<File> {
    match did {
        Did::ChoseLang(lang) => Some(File::Words(*lang, Part::Lesson)),
        Did::ChoseScene(name) => Some(File::Scene(name.to_string())),
        _ => None,
    }
}

/// Fetches a file, after which something happens to the page.
pub(super) fn fetch(ctx: &Context<Page>, file: File, then: Did) {
    let told = ctx.link().callback(|did| did);
    yew::platform::spawn_local(async move {
        let there = file.fetch().await;
        told.emit(if there { then } else { Did::MissedFile });
    });
}

impl Page {
    /// Fetches the words for problems once there is one to tell.
    pub(super) fn learn_problems(&mut self, ctx: &Context<Self>) {
        let lang = self.settings.lang;
        let file = File::Words(lang, Part::Problems);
        if self.asked_problems != Some(lang) && self.has_problems() && !file.at_hand() {
            self.asked_problems = Some(lang);
            fetch(ctx, file, Did::LearnedWords);
        }
    }

    fn has_problems(&self) -> bool {
        let in_scene = self.open.as_ref().map_or(true, |open| !open.lab.problems().is_empty());
        in_scene || !self.settings.problems.is_empty()
    }
}
