//! What the model sees: the next prompt's request, message by message, before it is sent. All of it comes
//! from what sends it (`stores.steering.window`, `window::turns`, `sash_state::Prompt`), and only while the panel is open.

mod card;
mod context_gauge;
mod context_meter;
mod draft_turn;
mod folded_text;
mod given_context;
mod literal;
mod literal_fold;
mod literals;
mod panel_summary;
mod question_first;
mod rendered_prompt;
mod saved_prompt;
mod system_default;
mod system_dialog;
mod system_editor;
mod system_entry;
mod system_library;
mod system_line;
mod turn;
mod turn_frame;
mod turn_list;
mod words;

use super::parts::{IconButton, IconName};
use crate::browser::page;
use crate::ui::stores::use_stores;
pub use context_gauge::ContextGauge;
pub use context_meter::ContextMeter;
pub use folded_text::FoldedText;
use leptos::prelude::*;
use literals::Literals;
use panel_summary::PanelSummary;
pub use system_dialog::SystemDialog;
use system_entry::SystemEntry;
pub use system_line::SystemLine;
use turn_list::TurnList;
use web_sys::KeyboardEvent;
pub use words::{fit_words, limit_words, policy_words, role_words};

/// The id of the button that opens the panel.
const BUTTON: &str = "panel-toggle";

/// The id of the panel's title.
const TITLE: &str = "panel-title";

/// The panel at the right.
#[component]
pub fn Panel() -> impl IntoView {
    let stores = use_stores();
    let close = move || {
        stores.view.panel_shown.set(false);
        page::focus_soon(BUTTON.to_owned());
    };
    let close_on_escape = move |event: KeyboardEvent| {
        let escapes = event.key() == "Escape" && !event.is_composing();
        if escapes && !event.default_prevented() {
            event.prevent_default();
            close();
        }
    };

    view! {
        <aside class="sees" id="panel" aria-labelledby=TITLE on:keydown=close_on_escape>
            <div class="panel-head">
                <h2 id=TITLE tabindex="-1">
                    "What the model sees"
                </h2>
                <IconButton label="Close the panel" icon=IconName::Close on:click=move |_| close() />
            </div>
            <div class="panel-body">
                <PanelSummary />
                <SystemEntry />
                <TurnList />
                <Literals />
            </div>
        </aside>
    }
}

/// Opens the panel, focusing its heading, and closes it.
#[component]
pub fn PanelButton() -> impl IntoView {
    let shown = use_stores().view.panel_shown;
    let toggle = move |_| match shown.get_untracked() {
        true => shown.set(false),
        false => {
            shown.set(true);
            page::focus_soon(TITLE.to_owned());
        }
    };

    view! {
        <IconButton
            label="What the model sees"
            icon=IconName::Eye
            class="panel-button"
            attr:id=BUTTON
            attr:aria-expanded=move || shown.get().to_string()
            attr:aria-controls=move || shown.get().then_some("panel")
            on:click=toggle
        >
            <span>"What the model sees"</span>
        </IconButton>
    }
}
