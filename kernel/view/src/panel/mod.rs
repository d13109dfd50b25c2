//! The panel *What the model sees*: the next prompt's request, message by message, before it is sent. All of it comes
//! from what sends it (`kernel.steering().window`, `window::turns`, `sash_wire::RequestPlan`), and only while the panel is open.

mod context_gauge;
mod context_meter;
mod literal;
mod literals;
mod message_list;
mod panel_summary;
mod rendered_prompt;
mod request_message;
mod words;

use crate::browser::focus_refs::FocusRefs;
use crate::parts::words_with_unsaved;
use crate::stores::use_kernel;
pub use context_meter::ContextMeter;
use leptos::prelude::*;
use literals::Literals;
use message_list::MessageList;
use panel_summary::PanelSummary;
use sash_browser_kit::page;
use sash_chat::window::Size;
use sash_log::DraftField;
use sash_ui_kit::{IconButton, IconName};
use sash_words::{count, t};
use web_sys::KeyboardEvent;
pub use words::{context_words, fit_words, limit_words, next_tokens, role_words, system_title};

/// The id of the panel's title.
const TITLE: &str = "panel-title";

/// The panel at the right.
#[component]
pub fn Panel() -> impl IntoView {
    let kernel = use_kernel();
    let FocusRefs {
        panel_button: button,
        panel_title: title,
        ..
    } = FocusRefs::expect();
    let close = move || {
        kernel.view().panel_shown.set(false);
        page::focus_soon(button);
    };
    let close_on_escape = move |event: KeyboardEvent| {
        if event.key() == "Escape" && !event.default_prevented() {
            event.prevent_default();
            close();
        }
    };

    view! {
        <aside class="sees" id="panel" aria-labelledby=TITLE on:keydown=close_on_escape>
            <div class="panel-head">
                <h2 id=TITLE node_ref=title tabindex="-1">
                    {t!(panel.title)}
                </h2>
                <IconButton label=t!(panel.close_the_panel) icon=IconName::Close on:click=move |_| close() />
            </div>
            <div class="panel-body">
                <PanelSummary />
                <SystemEntry />
                <MessageList />
                <Literals />
            </div>
        </aside>
    }
}

/// Opens the panel, focusing its heading, and closes it.
#[component]
pub fn PanelButton() -> impl IntoView {
    let (shown, refs) = (use_kernel().view().panel_shown, FocusRefs::expect());

    view! {
        <IconButton
            label=t!(panel.title)
            icon=IconName::Eye
            class="panel-button"
            button_ref=refs.panel_button
            attr:aria-expanded=move || shown.get().to_string()
            attr:aria-controls=move || shown.get().then_some("panel")
            on:click=move |_| toggle(shown, refs)
        >
            <span>{t!(panel.title)}</span>
        </IconButton>
    }
}

/// Opens or closes the panel; the focus goes to what is there then.
pub fn toggle(shown: RwSignal<bool>, refs: FocusRefs) {
    shown.update(|shown| *shown = !*shown);
    match shown.get_untracked() {
        true => page::focus_soon(refs.panel_title),
        false => page::focus_soon(refs.panel_button),
    }
}

/// The system prompt's size, and a button that opens its dialog.
#[component]
fn SystemEntry() -> impl IntoView {
    let kernel = use_kernel();
    let size = Memo::new(move |_| {
        kernel.chats().open.with(|chat| {
            chat.head
                .system_prompt()
                .map(|system| Size::of(system.text))
        })
    });
    let title = Memo::new(move |_| {
        kernel.chats().open.with(|chat| {
            let system = chat.head.system_prompt();
            system_title(system.and_then(|system| system.folder))
        })
    });
    let words = move || match size.get() {
        None => t!(panel.none).to_owned(),
        Some(size) => {
            let tokens = kernel.steering().estimate.get().part(size);
            t!(common.about_tokens, tokens = count::tokens(tokens as usize))
        }
    };

    view! {
        <div class="system-entry">
            <strong>{title}</strong>
            <span class="turn-tokens">{words}</span>
            <button
                type="button"
                aria-label=move || {
                    words_with_unsaved(kernel.drafts(), t!(common.edit_system_prompt), DraftField::System)
                }
                aria-haspopup="dialog"
                on:click=move |_| kernel.view().system_shown.set(true)
            >
                {t!(panel.edit)}
            </button>
        </div>
    }
}
