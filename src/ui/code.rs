//! The program of a part, its current line marked.

use yew::prelude::*;

use super::lab::{Paint, Piece, Program};
use super::shared::Shared;
use crate::words::Words;

/// Properties of [`Code`].
#[derive(Clone, PartialEq, Properties)]
pub(super) struct CodeProps {
    /// In which language.
    pub(super) words: Words,
    /// All programs of the scene.
    pub(super) programs: Shared<Vec<Program>>,
    /// Which of them to show.
    pub(super) index: usize,
    /// The line that runs, as numbered in the scene file.
    pub(super) line: Option<u32>,
}

/// A program.
#[component]
pub(super) fn Code(props: &CodeProps) -> Html {
    let CodeProps { words, programs, index, line } = props;
    let list = use_node_ref();
    {
        let list = list.clone();
        use_effect_with((*line, *index), move |_| follow(&list));
    }
    let Some(program) = programs.get(*index) else { return Html::default() };
    let rows = program.lines.iter().zip(program.first_line..).map(|(pieces, number)| {
        html! {
            <Row
                key={number}
                words={*words}
                programs={programs.clone()}
                index={*index}
                at={(number - program.first_line) as usize}
                number={number}
                now={*line == Some(number)}
                empty={pieces.is_empty()}
            />
        }
    });
    html! {
        <ol class="ptp-code" ref={list} tabindex="0" aria-label={words.page_code()} translate="no">
            { for rows }
        </ol>
    }
}

/// Scrolls the list, and nothing else, so that the current line is inside.
fn follow(list: &NodeRef) {
    let Some(list) = list.cast::<web_sys::HtmlElement>() else { return };
    let Some(line) = list.query_selector("[aria-current]").ok().flatten() else { return };
    let line: web_sys::HtmlElement = match wasm_bindgen::JsCast::dyn_into(line) {
        Ok(line) => line,
        Err(_) => return,
    };
    let (top, height) = (line.offset_top(), line.offset_height());
    if top < list.scroll_top() + height {
        list.set_scroll_top(top - 2 * height);
    } else if top + 2 * height > list.scroll_top() + list.client_height() {
        list.set_scroll_top(top + 3 * height - list.client_height());
    }
}

#[derive(Clone, PartialEq, Properties)]
struct RowProps {
    words: Words,
    programs: Shared<Vec<Program>>,
    index: usize,
    at: usize,
    number: u32,
    now: bool,
    empty: bool,
}

/// One line; drawn again only when it becomes current or ceases to be.
#[component]
fn Row(props: &RowProps) -> Html {
    let program = props.programs.get(props.index);
    let pieces = program.and_then(|program| program.lines.get(props.at));
    html! {
        <li class="ptp-code-line" aria-current={props.now.then_some("step")}>
            <span class="ptp-number" aria-hidden="true">{ props.number }</span>
            <code>
                { for pieces.into_iter().flatten().map(piece) }
                if props.empty { { "\u{a0}" } }
            </code>
        </li>
    }
}

fn piece(piece: &Piece) -> Html {
    let class = match piece.paint {
        Paint::Plain => return html! { { &*piece.text } },
        Paint::Keyword => "ptp-keyword",
        Paint::Text => "ptp-text",
        Paint::Number => "ptp-numeral",
        Paint::Comment => "ptp-comment",
    };
    html! { <span {class}>{ &*piece.text }</span> }
}
