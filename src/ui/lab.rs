//! The page's only door to the engine: what a run shows at its cursor, and what a learner can do to it.

use std::sync::Arc;

use yew::AttrValue;

use crate::view::stage::Stage;
use crate::words::Lang;

pub(super) use super::demo::Lab;

/// What a learner does to the world.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ActionKind {
    /// Pull a cord.
    Unplug,
    /// Put the plug back.
    Plug,
    /// Kill a process.
    Kill,
    /// Start it again.
    Restart,
    /// Cut a link.
    Cut,
    /// Mend a link.
    Mend,
    /// Lose a message in flight.
    Drop,
    /// Delay a message in flight.
    Delay,
    /// Refuse a database's next COMMIT.
    Refuse,
    /// Place one more order.
    Order,
}

impl ActionKind {
    /// All kinds.
    pub(super) const ALL: [Self; 10] = [
        Self::Unplug,
        Self::Plug,
        Self::Kill,
        Self::Restart,
        Self::Cut,
        Self::Mend,
        Self::Drop,
        Self::Delay,
        Self::Refuse,
        Self::Order,
    ];

    /// Its word in a link.
    pub(super) const fn code(self) -> &'static str {
        match self {
            Self::Unplug => "unplug",
            Self::Plug => "plug",
            Self::Kill => "kill",
            Self::Restart => "restart",
            Self::Cut => "cut",
            Self::Mend => "mend",
            Self::Drop => "drop",
            Self::Delay => "delay",
            Self::Refuse => "refuse",
            Self::Order => "order",
        }
    }
}

/// An action pinned to the step that it happens before.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Action {
    /// What is done.
    pub(super) kind: ActionKind,
    /// To what: a part, a link `relay-db`, or a message.
    pub(super) target: Arc<str>,
    /// The step before which it happens, from 1.
    pub(super) step: u64,
}

/// What an order was owed and got.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Line {
    /// The order.
    pub(super) order: u32,
    /// The forecast: the verdict if nothing more fails.
    pub(super) verdict: Verdict,
    /// How many effects were promised.
    pub(super) owed: u32,
    /// How many came so far.
    pub(super) got: u32,
}

/// What the audit says of an order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Verdict {
    /// As promised.
    Once,
    /// Not placed, and nothing happened.
    NotPlaced,
    /// Still on its way.
    InFlight,
    /// Will never come.
    Lost,
    /// Came this many times.
    Doubled(u32),
    /// Came without a placed order.
    Phantom,
    /// Came in another order.
    OutOfOrder,
    /// Kept somewhere, and will not move by itself.
    Stuck,
    /// The parts disagree.
    Inconsistent,
    /// The run did not come to rest within its limits.
    Undecided,
}

/// One line of the log.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Entry {
    /// The step.
    pub(super) step: u64,
    /// The order it is about.
    pub(super) order: Option<u32>,
    /// How it bears on the outcome.
    pub(super) tone: Tone,
    /// The sentence.
    pub(super) text: String,
}

/// How an event bears on the outcome.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Tone {
    /// Just happens.
    Plain,
    /// Something is now safe, or delivered.
    Good,
    /// Something is gone or broken.
    Bad,
    /// The learner's act.
    Act,
}

/// The program of a part.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Program {
    /// Whose it is.
    pub(super) part: Arc<str>,
    /// The number of its first line in the scene file.
    pub(super) first_line: u32,
    /// Its lines, in pieces.
    pub(super) lines: Vec<Vec<Piece>>,
}

/// A piece of a line, of one colour.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Piece {
    /// What it is.
    pub(super) paint: Paint,
    /// Its text.
    pub(super) text: Arc<str>,
}

/// What a piece of code is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Paint {
    /// Names, punctuation, space.
    Plain,
    /// Keywords.
    Keyword,
    /// Strings and templates.
    Text,
    /// Numbers.
    Number,
    /// Comments.
    Comment,
}

/// Everything that the page shows of a run at its cursor.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Moment {
    /// Steps done.
    pub(super) cursor: u64,
    /// Virtual time, microseconds.
    pub(super) now_us: i64,
    /// When the next step happens; none at rest.
    pub(super) next_at_us: Option<i64>,
    /// The stage.
    pub(super) stage: Stage,
    /// The ledger.
    pub(super) ledger: Vec<Line>,
    /// The log up to the cursor, oldest first.
    pub(super) log: Vec<Entry>,
}

/// A scene to choose.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct SceneEntry {
    /// Its name: chapter and scene, `outbox/one-relay`.
    pub(super) name: AttrValue,
    /// Its title in Russian.
    pub(super) ru: AttrValue,
    /// Its title in English.
    pub(super) en: AttrValue,
}

impl SceneEntry {
    /// Its title.
    pub(super) fn title(&self, lang: Lang) -> AttrValue {
        match lang {
            Lang::Ru => self.ru.clone(),
            Lang::En => self.en.clone(),
        }
    }
}

/// Something wrong in a scene's text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct SceneError {
    /// Line, from 1.
    pub(super) line: u32,
    /// Column, from 1.
    pub(super) column: u32,
    /// What is wrong, as the catalogue knows it.
    pub(super) id: AttrValue,
    /// What stood there.
    pub(super) found: AttrValue,
}
