//! The page's only door to the engine: what a run shows at its cursor, and what a learner can
//! do to it.

use std::sync::Arc;

use yew::AttrValue;

use super::highlight;
use crate::audit::{self, Account};
use crate::run::{self, Action, Kind, Target, When};
use crate::scene::catalogue;
use crate::text::LineIndex;
use crate::view::stage::{self, Stage};
use crate::words::log::{self, Entry};
use crate::words::{Lang, Words};

/// Entries of the log that are told; older ones are reached by stepping back.
const ENTRIES_MAX: usize = 200;
/// By how much a learner delays a message.
const DELAY_MS: u32 = 1500;

/// A run of a scene.
pub(super) struct Lab {
    run: run::Lab,
    /// What of the link was left out, as ids of messages with what they are about.
    dropped: Vec<(&'static str, String)>,
}

impl Lab {
    /// All built-in scenes.
    pub(super) fn scenes() -> Vec<SceneEntry> {
        let scenes = catalogue::ALL.iter().map(|scene| SceneEntry {
            name: scene.id.into(),
            ru: scene.ru.into(),
            en: scene.en.into(),
        });
        scenes.collect()
    }

    /// Opens a scene at the start of its run.
    ///
    /// # Errors
    /// What is wrong with its text.
    pub(super) fn open(
        source: &str,
        seed: u64,
        actions: &[Action],
    ) -> Result<Self, Vec<SceneError>> {
        run::Lab::open(source, seed, actions).map(Self::without_misnamed).map_err(|errors| {
            let lines = LineIndex::new(source);
            let errors = errors.into_iter().map(|error| {
                let place = lines.place(source, error.span.start);
                SceneError {
                    line: place.line,
                    column: place.column,
                    id: error.problem,
                    found: error.found,
                    expected: error.expected,
                }
            });
            errors.collect()
        })
    }

    /// Leaves out the actions that name what the scene does not have, and keeps the others.
    fn without_misnamed(run: run::Lab) -> Self {
        let misnamed = run.misnamed();
        let mut lab = Self { run, dropped: Vec::new() };
        if misnamed.is_empty() {
            return lab;
        }
        lab.dropped = misnamed.iter().filter_map(|missed| lab.problem(missed)).collect();
        let is_fine = |index: u32| misnamed.iter().all(|missed| missed.index != index);
        let kept = (0u32..).zip(lab.run.actions()).filter(|(index, _)| is_fine(*index));
        let kept: Vec<Action> = kept.map(|(_, action)| action.clone()).collect();
        lab.run = run::Lab::of(lab.run.scene().clone(), lab.run.seed(), &kept);
        lab
    }

    /// All actions of the run.
    pub(super) fn actions(&self) -> &[Action] {
        self.run.actions()
    }

    /// One step or action forward; `false` at rest.
    pub(super) fn step(&mut self) -> bool {
        self.run.step()
    }

    /// One step or action back; `false` at the start.
    pub(super) fn back(&mut self) -> bool {
        self.run.back()
    }

    /// Goes to the state after a step.
    pub(super) fn seek(&mut self, step: u64) {
        self.run.seek(step);
    }

    /// When the next step happens; `None` at rest.
    pub(super) fn next_at_us(&self) -> Option<i64> {
        self.run.next_at_us()
    }

    /// Acts now; `false` if it makes no sense now.
    pub(super) fn act(&mut self, act: &Act) -> bool {
        self.run.act(act.kind, act.target.clone())
    }

    /// Actions up to the cursor that could not be done, and those that name what is not there, as
    /// ids of messages with what they are about.
    pub(super) fn problems(&self) -> Vec<(&'static str, String)> {
        let late = self.run.missed().iter().filter_map(|missed| self.problem(missed));
        self.dropped.iter().cloned().chain(late).collect()
    }

    fn problem(&self, missed: &run::Missed) -> Option<(&'static str, String)> {
        let action = self.run.actions().get(missed.index as usize)?;
        Some(match (missed.why, &action.when) {
            (run::Why::NoSuchMoment, When::Moment { name, .. }) => {
                ("link-unknown-moment", name.to_string())
            }
            (run::Why::NoSuchPart, _) => ("link-unknown-part", self.unknown_part(action)?),
            _ => ("link-action-impossible", action.to_string()),
        })
    }

    /// The first part that an action names and the scene does not have.
    fn unknown_part(&self, action: &Action) -> Option<String> {
        let target = match &action.target {
            Target::None => [None, None],
            Target::Part(part) | Target::Event(part, _) | Target::Late(part, ..) => {
                [Some(part), None]
            }
            Target::Link(a, b) => [Some(a), Some(b)],
        };
        let caller = match &action.when {
            When::Call { part, .. } => Some(part),
            _ => None,
        };
        let setup = self.run.world().setup();
        let mut named = target.into_iter().chain([caller]).flatten();
        named.find(|part| setup.part_named(part).is_none()).map(ToString::to_string)
    }

    /// The programs of the scene.
    pub(super) fn programs(&self) -> Vec<Program> {
        highlight::programs(self.run.scene())
    }

    /// What the page shows of the cursor.
    pub(super) fn moment(&mut self, words: Words) -> Moment {
        let forecast = self.run.forecast();
        let present = audit::judge(self.run.scene(), self.run.world(), audit::Moment::Running);
        let next_at_us = self.run.next_at_us();
        let stage = stage::of(self.run.scene(), self.run.world(), self.run.log());
        let log = self.entries(words);
        Moment {
            cursor: self.run.cursor(),
            now_us: self.run.now_us(),
            next_at_us,
            ledger: lines(&present, &forecast.accounts, next_at_us.is_none()),
            stage,
            log,
        }
    }

    fn entries(&self, words: Words) -> Vec<Entry> {
        let events = self.run.log();
        let recent = events.get(events.len().saturating_sub(ENTRIES_MAX)..).unwrap_or_default();
        log::of(recent, self.run.world().setup(), words)
    }
}

/// The ledger: how orders stand, with the forecast's verdict where it is already decided.
fn lines(present: &[Account], forecast: &[Account], at_rest: bool) -> Vec<Line> {
    let lines = forecast.iter().filter_map(|future| {
        let now = present.iter().find(|account| account.order == future.order);
        let sum = |account: &Account, pick: fn(&audit::Effect) -> i64| -> u32 {
            let total: i64 = account.effects.iter().map(pick).sum();
            u32::try_from(total).unwrap_or_default()
        };
        let open = now.is_none_or(|account| account.verdict == audit::Verdict::InFlight);
        if now.is_none() && future.verdict.is_fine() {
            return None;
        }
        let verdict = if open && future.verdict.is_fine() && !at_rest {
            audit::Verdict::InFlight
        } else {
            future.verdict
        };
        let times = future.effects.iter().map(|effect| effect.got).max().unwrap_or_default();
        Some(Line {
            order: u32::try_from(future.order).unwrap_or_default(),
            verdict,
            times,
            owed: sum(future, |effect| effect.owed),
            got: now.map_or(0, |account| sum(account, |effect| effect.got)),
        })
    });
    lines.collect()
}

/// What a learner does to the world.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Act {
    /// What is done.
    pub(super) kind: Kind,
    /// To whom.
    pub(super) target: Target,
}

impl Act {
    /// Something done to a part.
    pub(super) fn part(kind: Kind, key: &Arc<str>) -> Self {
        Self { kind, target: Target::Part(Arc::clone(key)) }
    }

    /// A link cut or mended.
    pub(super) fn link(kind: Kind, from: &Arc<str>, to: &Arc<str>) -> Self {
        Self { kind, target: Target::Link(Arc::clone(from), Arc::clone(to)) }
    }

    /// A message dropped or delayed, by its name `relay.8`.
    pub(super) fn message(kind: Kind, name: &str) -> Option<Self> {
        let (part, n) = name.rsplit_once('.')?;
        let (part, n) = (Arc::from(part), n.parse().ok()?);
        let target = match kind {
            Kind::Delay => Target::Late(part, n, DELAY_MS),
            _ => Target::Event(part, n),
        };
        Some(Self { kind, target })
    }

    /// One more order.
    pub(super) fn order() -> Self {
        Self { kind: Kind::Order, target: Target::None }
    }

    /// The part that it is done to, if it is one part.
    pub(super) fn key(&self) -> Option<&Arc<str>> {
        match &self.target {
            Target::Part(key) => Some(key),
            _ => None,
        }
    }
}

/// What an order was owed and got.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Line {
    /// The order.
    pub(super) order: u32,
    /// The forecast: the verdict if nothing more fails.
    pub(super) verdict: audit::Verdict,
    /// How often the most frequent of its effects will have come.
    pub(super) times: i64,
    /// How many effects were promised.
    pub(super) owed: u32,
    /// How many came so far.
    pub(super) got: u32,
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
    pub(super) id: &'static str,
    /// What stood there.
    pub(super) found: String,
    /// What should stand there, as the catalogue knows it or as text.
    pub(super) expected: String,
}
