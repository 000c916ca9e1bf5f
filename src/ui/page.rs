//! The page: its state, what may happen to it, and how that changes it.

mod keys;
mod needs;
mod view;

use std::sync::Arc;

use yew::prelude::*;

use super::browser;
use super::files;
use super::lab::{Act, Lab, Moment, Program, SceneEntry, SceneError};
use super::names;
use super::settings::{Settings, Theme, reflect};
use super::shared::Shared;
use super::sight::{Seen, Sight};
use super::stage::Pace;
use crate::run::Kind;
use crate::words::{Lang, Words};

/// Steps that one frame may catch up with.
const STEPS_PER_FRAME: u32 = 64;

/// What happened to the page: named for the fact, not for what follows from it.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Did {
    /// The other language was chosen.
    ChoseLang(Lang),
    /// A theme was chosen.
    ChoseTheme(Theme),
    /// A file that is needed cannot be had.
    MissedFile,
    /// Words came that were not there.
    LearnedWords,
    /// A scene was chosen, by name.
    ChoseScene(AttrValue),
    /// A part was chosen, by its index on the stage.
    ChosePart(u32),
    /// A tab of the narrow page was chosen.
    ChoseTab(Tab),
    /// A speed was chosen, in hundredths.
    ChoseSpeed(i64),
    /// A link to this run was asked for.
    AskedForLink,
    /// The link was copied, or could not be.
    CopiedLink(bool),
    /// Start was pressed.
    PressedStart,
    /// Back was pressed.
    PressedBack,
    /// Play or pause was pressed.
    PressedPlay,
    /// Step was pressed.
    PressedStep,
    /// A step of the log was chosen.
    SoughtStep(u64),
    /// The clock of the stage came to the next step.
    CameDue(i64),
    /// The learner did something to the world.
    Acted(Act),
    /// The lab came into sight or left it.
    Saw(Seen),
}

/// What the narrow page shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Tab {
    /// The stage.
    Stage,
    /// The chosen part.
    Code,
    /// The log.
    Log,
}

/// The open scene.
struct Open {
    lab: Lab,
    moment: Shared<Moment>,
    programs: Shared<Vec<Program>>,
}

/// The whole page.
pub(super) struct Page {
    settings: Settings,
    words: Words,
    scenes: Vec<SceneEntry>,
    open: Result<Open, Vec<SceneError>>,
    did: Callback<Did>,
    tab: Tab,
    chosen: u32,
    playing: bool,
    percent: i64,
    epoch: u32,
    still: bool,
    on_screen: bool,
    tab_shown: bool,
    copied: Option<bool>,
    said: String,
    lab_node: NodeRef,
    sight: Option<Sight>,
    missed_file: bool,
    /// The language whose words for problems were asked for last.
    asked_problems: Option<Lang>,
}

impl Component for Page {
    type Message = Did;
    type Properties = ();

    fn create(ctx: &Context<Self>) -> Self {
        let (settings, scenes) = settings();
        settings.dress();
        let words = settings.words();
        let open = open(&settings, words);
        let mut page = Self {
            words,
            scenes,
            open,
            settings,
            did: ctx.link().callback(|did| did),
            tab: Tab::Stage,
            chosen: 0,
            playing: false,
            percent: 100,
            epoch: 0,
            still: browser::media("(prefers-reduced-motion: reduce)"),
            on_screen: true,
            tab_shown: true,
            copied: None,
            said: String::new(),
            lab_node: NodeRef::default(),
            sight: None,
            missed_file: false,
            asked_problems: None,
        };
        page.chosen = page.first_program();
        page
    }

    fn update(&mut self, ctx: &Context<Self>, did: Did) -> bool {
        if !matches!(did, Did::CopiedLink(_) | Did::CameDue(_)) {
            self.copied = None;
        }
        if let Some(file) = needs::needed(&did) {
            self.missed_file = false;
            if !file.at_hand() {
                needs::fetch(ctx, file, did);
                return true;
            }
        }
        match did {
            Did::MissedFile => self.missed_file = true,
            Did::LearnedWords => {}
            Did::ChoseLang(lang) => self.change_settings(|settings| settings.lang = lang),
            Did::ChoseTheme(theme) => self.change_settings(|settings| settings.theme = theme),
            Did::ChoseScene(name) => self.open_scene(&name),
            Did::ChosePart(index) => self.chosen = index,
            Did::ChoseTab(tab) => self.tab = tab,
            Did::ChoseSpeed(percent) => self.percent = percent,
            Did::AskedForLink => self.copy_link(ctx),
            Did::CopiedLink(well) => self.copied = Some(well),
            Did::PressedPlay => self.playing = !self.playing && !self.at_rest(),
            Did::PressedStart => self.jump(|lab| lab.seek(0)),
            Did::PressedBack => self.jump(|lab| {
                lab.back();
            }),
            Did::PressedStep => self.jump(|lab| {
                lab.step();
            }),
            Did::SoughtStep(step) => self.jump(|lab| lab.seek(step)),
            Did::CameDue(now_us) => self.catch_up(now_us),
            Did::Acted(act) => self.act(&act),
            Did::Saw(Seen::OnScreen(seen)) => self.on_screen = seen,
            Did::Saw(Seen::TabShown(shown)) => self.tab_shown = shown,
        }
        true
    }

    fn view(&self, _ctx: &Context<Self>) -> Html {
        view::page(self)
    }

    fn rendered(&mut self, ctx: &Context<Self>, first: bool) {
        if first {
            self.reflect();
            let told = ctx.link().callback(Did::Saw);
            let lab = self.lab_node.cast::<web_sys::Element>();
            self.sight = lab.map(|element| Sight::of(&element, &told));
        }
        self.learn_problems(ctx);
    }
}

impl Page {
    fn at_rest(&self) -> bool {
        self.open.as_ref().is_ok_and(|open| open.moment.next_at_us.is_none())
    }

    fn pace(&self) -> Pace {
        Pace {
            running: self.playing && self.on_screen && self.tab_shown,
            percent: self.percent,
            epoch: self.epoch,
            still: self.still,
        }
    }

    /// The first part with a program, to begin with.
    fn first_program(&self) -> u32 {
        let Ok(open) = &self.open else { return 0 };
        let has = |key: &Arc<str>| open.programs.iter().any(|program| program.part == *key);
        let found = open.moment.stage.parts.iter().position(|part| has(&part.key));
        found.unwrap_or(0) as u32
    }

    fn change_settings(&mut self, change: impl FnOnce(&mut Settings)) {
        change(&mut self.settings);
        self.words = self.settings.words();
        self.settings.keep();
        if let Ok(open) = &mut self.open {
            open.moment = Shared::new(open.lab.moment(self.words));
        }
        self.reflect();
    }

    fn open_scene(&mut self, name: &str) {
        self.settings.scene = Some(name.to_owned());
        self.settings.actions.clear();
        self.settings.problems.clear();
        self.open = open(&self.settings, self.words);
        self.playing = false;
        self.epoch += 1;
        self.said = String::new();
        self.chosen = self.first_program();
        self.reflect();
    }

    /// Moves in time by hand: the clock stops, and starts from there.
    fn jump(&mut self, go: impl FnOnce(&mut Lab)) {
        self.playing = false;
        self.epoch += 1;
        if let Ok(open) = &mut self.open {
            go(&mut open.lab);
        }
        self.look();
    }

    fn catch_up(&mut self, now_us: i64) {
        if let Ok(open) = &mut self.open {
            for _ in 0..STEPS_PER_FRAME {
                let due = open.lab.next_at_us().is_some_and(|at| at <= now_us);
                if !due || !open.lab.step() {
                    break;
                }
            }
        }
        self.look();
    }

    /// Looks at the run anew, and says it if it came to rest.
    fn look(&mut self) {
        let words = self.words;
        if let Ok(open) = &mut self.open {
            open.moment = Shared::new(open.lab.moment(words));
        }
        if self.at_rest() {
            self.playing = false;
            self.said = words.transport_rest().to_owned();
        }
    }

    fn act(&mut self, act: &Act) {
        let words = self.words;
        let Ok(open) = &mut self.open else { return };
        let before = lost(&open.moment);
        let key = act.key().map(|key| key.to_string()).unwrap_or_default();
        let name = names::by_key(words, &open.moment.stage, &key);
        if !open.lab.act(act) {
            self.said = words.ui_impossible().to_owned();
            return;
        }
        self.look();
        let Ok(open) = &self.open else { return };
        let gone = lost(&open.moment).saturating_sub(before);
        let done = match act.kind {
            Kind::Unplug => words.state_of_part(&name, words.state_unpowered()),
            Kind::Kill => words.state_of_part(&name, words.state_killed()),
            Kind::Plug | Kind::Restart => words.state_of_part(&name, words.state_on()),
            Kind::Cut => words.ui_cut().to_owned(),
            Kind::Mend => words.ui_mend().to_owned(),
            Kind::Drop => words.act_drop().to_owned(),
            Kind::Delay => words.act_delay().to_owned(),
            Kind::Refuse => words.act_refuse_commit_hint().to_owned(),
            Kind::Order | Kind::Next => words.transport_order_hint().to_owned(),
        };
        self.said = if gone > 0 { words.ui_destroyed(&done, i64::from(gone)) } else { done };
        self.choose_key(&key);
        self.reflect();
    }

    /// Shows the part that was acted on, if it is one.
    fn choose_key(&mut self, key: &str) {
        let Ok(open) = &self.open else { return };
        let parts = &open.moment.stage.parts;
        if let Some(index) = parts.iter().position(|part| &*part.key == key) {
            self.chosen = index as u32;
        }
    }

    fn query(&self) -> String {
        let actions = self.open.as_ref().map(|open| open.lab.actions()).unwrap_or_default();
        self.settings.query(actions)
    }

    fn reflect(&self) {
        reflect(&self.query());
    }

    fn copy_link(&self, ctx: &Context<Self>) {
        self.reflect();
        let told = ctx.link().callback(Did::CopiedLink);
        yew::platform::spawn_local(async move {
            let window = browser::window();
            let address = window.as_ref().and_then(|window| window.location().href().ok());
            let done = match (window, address) {
                (Some(window), Some(address)) => {
                    let written = window.navigator().clipboard().write_text(&address);
                    wasm_bindgen_futures::JsFuture::from(written).await.is_ok()
                }
                _ => false,
            };
            told.emit(done);
        });
    }
}

/// What the page is opened with, and the scenes there are. The scene in it is one of those.
pub(super) fn settings() -> (Settings, Vec<SceneEntry>) {
    let scenes = Lab::scenes();
    let mut settings = Settings::read();
    choose_scene(&mut settings, &scenes);
    (settings, scenes)
}

/// Falls back to the first scene, and tells it, if the asked one is not there.
fn choose_scene(settings: &mut Settings, scenes: &[SceneEntry]) {
    let known = |name: &String| scenes.iter().any(|entry| entry.name == name.as_str());
    if let Some(name) = settings.scene.take_if(|name| !known(name)) {
        settings.problems.push(("link-unknown-scene", name));
    }
    if settings.scene.is_none() {
        settings.scene = scenes.first().map(|entry| entry.name.to_string());
    }
}

fn open(settings: &Settings, words: Words) -> Result<Open, Vec<SceneError>> {
    let name = settings.scene.as_deref().unwrap_or_default();
    // A scene that cannot be had has no errors; the page says that it is missing.
    let source = files::scene(name).ok_or_else(Vec::new)?;
    let mut lab = Lab::open(&source, settings.seed, &settings.actions)?;
    Ok(Open { moment: Shared::new(lab.moment(words)), programs: Shared::new(lab.programs()), lab })
}

fn lost(moment: &Moment) -> u32 {
    moment.stage.graves.iter().map(|grave| grave.chips.len() as u32).sum()
}
