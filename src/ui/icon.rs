//! Small pictures beside words; never instead of them.

use yew::prelude::*;

/// A picture of 16 × 16 units by the outline of it, hidden from screen readers.
pub(super) fn icon(outline: &'static str) -> Html {
    html! {
        <svg class="ptp-icon" viewBox="0 0 16 16" width="16" height="16" aria-hidden="true">
            <path d={outline} />
        </svg>
    }
}
