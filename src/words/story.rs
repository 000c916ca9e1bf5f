//! One plain sentence per event.

use super::Words;
use crate::sim::{Event, PartId, Setup, What};

impl Words {
    /// What happened, in a sentence. Parts are called by their names in the scene.
    pub fn story(self, event: &Event, setup: &Setup) -> String {
        self.story_with(event, setup, &|part| setup.part(part).name.as_ref().to_owned())
    }

    /// What happened, with names of one's own for the parts.
    pub fn story_with(
        self,
        event: &Event,
        setup: &Setup,
        name: &dyn Fn(PartId) -> String,
    ) -> String {
        let _ = setup;
        let part = name(event.part);
        match &event.what {
            What::Woke => self.log_wakes(&part),
            other => format!("{part}: {}", other.kind()),
        }
    }
}
