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
mod panel_button;
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

use crate::ui::stores::use_stores;
pub use context_gauge::ContextGauge;
pub use context_meter::ContextMeter;
pub use folded_text::FoldedText;
pub use panel_button::PanelButton;
pub use system_dialog::SystemDialog;
pub use system_line::SystemLine;
pub use words::{fit_words, limit_words, role_words};

use super::parts::{IconButton, IconName};
use crate::browser::page;
use leptos::prelude::*;
use literals::Literals;
use panel_summary::PanelSummary;
use system_entry::SystemEntry;
use turn_list::TurnList;
use web_sys::KeyboardEvent;

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
