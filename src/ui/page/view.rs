//! The page drawn: bar, notices, stage with its ledger and transport, the chosen part, the log.

use yew::prelude::*;

use super::{Did, Open, Page, Tab, keys};
use crate::ui::faults::Faults;
use crate::ui::graves::Graves;
use crate::ui::header::Header;
use crate::ui::lab::SceneError;
use crate::ui::ledger::Ledger;
use crate::ui::log::Log;
use crate::ui::part_panel::PartPanel;
use crate::ui::stage::Stage;
use crate::ui::transport::Transport;
use crate::words::Words;

pub(super) fn page(page: &Page) -> Html {
    let words = page.words;
    let scene = page.settings.scene.clone().unwrap_or_default();
    let body = match &page.open {
        Ok(open) => lab(page, open),
        Err(errors) if errors.is_empty() => Html::default(),
        Err(errors) => broken(words, errors),
    };
    html! {
        <div class="ptp">
            <a class="ptp-skip" href="#ptp-lab">{ words.page_skip() }</a>
            <Header
                {words}
                theme={page.settings.theme}
                scenes={page.scenes.clone()}
                scene={AttrValue::from(scene)}
                copied={page.copied}
                did={page.did.clone()}
            />
            <main class="ptp-main" id="ptp-lab" tabindex="-1">
                { notices(page) }
                { body }
            </main>
            <p class="ptp-hidden" role="status">{ &page.said }</p>
        </div>
    }
}

fn lab(page: &Page, open: &Open) -> Html {
    let words = page.words;
    let onkeydown = {
        let did = page.did.clone();
        Callback::from(move |input: KeyboardEvent| {
            if let Some(done) = keys::meaning(&input) {
                input.prevent_default();
                did.emit(done);
            }
        })
    };
    let tab = match page.tab {
        Tab::Stage => "ptp-lab ptp-on-stage",
        Tab::Code => "ptp-lab ptp-on-code",
        Tab::Log => "ptp-lab ptp-on-log",
    };
    let title =
        page.scenes.iter().find(|entry| Some(&*entry.name) == page.settings.scene.as_deref());
    let title = title.map(|entry| entry.title(words.lang())).unwrap_or_default();
    html! {
        <div class={tab} ref={page.lab_node.clone()} {onkeydown}>
            <div class="ptp-heading">
                <h1>{ title }</h1>
                <p class="ptp-muted">{ words.page_tagline() }</p>
            </div>
            { tabs(page) }
            <section class="ptp-card ptp-bench" aria-label={words.page_stage()}>
                <div class="ptp-scene-area">
                    <Stage
                        key={page.settings.scene.clone().unwrap_or_default()}
                        moment={open.moment.clone()}
                        {words}
                        chosen={page.chosen}
                        pace={page.pace()}
                        did={page.did.clone()}
                    />
                </div>
                <div class="ptp-dock">
                    <div class="ptp-news">
                        { story(words, open) }
                        <Graves {words} moment={open.moment.clone()} />
                    </div>
                    <Ledger {words} moment={open.moment.clone()} />
                    <Transport
                        {words}
                        cursor={open.moment.cursor}
                        now_us={open.moment.now_us}
                        at_rest={page.at_rest()}
                        playing={page.playing}
                        percent={page.percent}
                        did={page.did.clone()}
                    />
                </div>
                <Faults {words} moment={open.moment.clone()} did={page.did.clone()} />
            </section>
            <PartPanel
                {words}
                moment={open.moment.clone()}
                programs={open.programs.clone()}
                chosen={page.chosen}
                did={page.did.clone()}
            />
            <Log
                {words}
                moment={open.moment.clone()}
                shown={page.tab == Tab::Log}
                did={page.did.clone()}
            />
        </div>
    }
}

/// The weightiest sentence of the newest step, by the picture that it is about.
fn story(words: Words, open: &Open) -> Html {
    let log = &open.moment.log;
    let last_step = log.last().map(|entry| entry.step);
    let latest = log.iter().filter(|entry| Some(entry.step) == last_step);
    let newest = latest.max_by_key(|entry| entry.tone);
    html! {
        <p class="ptp-story">
            if let Some(entry) = newest {
                <span class="ptp-story-step">{ words.ui_step(entry.step as i64) }</span>
                <span>{ &entry.text }</span>
            } else {
                <span>{ words.ui_start_hint() }</span>
            }
        </p>
    }
}

/// What the narrow page shows; hidden by the style sheet where all fits side by side.
fn tabs(page: &Page) -> Html {
    let words = page.words;
    let all = [
        (Tab::Stage, words.ui_tab_stage()),
        (Tab::Code, words.page_code()),
        (Tab::Log, words.page_log()),
    ];
    let buttons = all.into_iter().map(|(tab, name)| {
        let did = page.did.clone();
        let onclick = Callback::from(move |_: MouseEvent| did.emit(Did::ChoseTab(tab)));
        let on = page.tab == tab;
        html! {
            <button type="button" class="ptp-page-tab" aria-pressed={on.to_string()} {onclick}>
                { name }
            </button>
        }
    });
    html! {
        <div class="ptp-page-tabs" role="group" aria-label={words.ui_tabs()}>{ for buttons }</div>
    }
}

/// What the link said that could not be followed, and a link that could not be copied.
fn notices(page: &Page) -> Html {
    let words = page.words;
    let late = page.open.as_ref().map(|open| open.lab.problems()).unwrap_or_default();
    let lines: Vec<String> = page
        .settings
        .problems
        .iter()
        .chain(&late)
        .map(|(id, found)| words.problem(id, found).unwrap_or_else(|| found.clone()))
        .collect();
    let uncopied = (page.copied == Some(false)).then(|| {
        html! {
            <div class="ptp-notice" role="alert">
                <p>{ words.page_copy_failed() }</p>
                <p class="ptp-address">{ page.query() }</p>
            </div>
        }
    });
    html! {
        <>
            { uncopied }
            if page.missed_file || page.open.as_ref().is_err_and(Vec::is_empty) {
                <p class="ptp-notice" role="alert">{ words.page_load_failed() }</p>
            }
            if !lines.is_empty() {
                <section class="ptp-notice" aria-label={words.ui_notice()}>
                    <p><b>{ words.ui_notice() }</b></p>
                    <ul>{ for lines.into_iter().map(|line| html! { <li>{ line }</li> }) }</ul>
                </section>
            }
        </>
    }
}

fn broken(words: Words, errors: &[SceneError]) -> Html {
    let lines = errors.iter().map(|error| {
        let expected = words.problem(&error.expected, "");
        let expected = expected.as_deref().unwrap_or(&error.expected);
        let given = [("found", &*error.found), ("expected", expected)];
        let text = words.problem_with(error.id, &given);
        html! {
            <li>
                { words.page_error_at(i64::from(error.column), i64::from(error.line)) }
                { ": " }
                { text.unwrap_or_else(|| error.id.to_owned()) }
            </li>
        }
    });
    html! {
        <section class="ptp-notice" role="alert">
            <h1>{ words.ui_scene_broken() }</h1>
            <ul>{ for lines }</ul>
        </section>
    }
}
