//! The Send and Stop button.

use super::is_clear;
use crate::ui::parts::{Icon, IconName};
use crate::ui::stores::use_stores;
use leptos::prelude::*;
use web_sys::MouseEvent;

/// A single button that changes between Send and Stop, so that it keeps focus.
#[component]
pub fn SendButton(
    /// Whether an answer or a tool is running in the open chat.
    answering: Memo<bool>,
) -> impl IntoView {
    let stores = use_stores();
    let may_send = move || {
        let drafts = stores.drafts;
        // An image that is being added would be left behind.
        let ready = || stores.answers.may_ask() && stores.attachments.pending.get() == 0;
        drafts.written.with(|text| is_clear(text))
            || drafts.draft.with(|text| !text.trim().is_empty()) && ready()
    };
    let label = move || if answering.get() { "Stop" } else { "Send" };
    let icon = move || match answering.get() {
        true => IconName::Stop,
        false => IconName::Send,
    };
    // The second click of a double click would stop the answer that the first one requested.
    let once = |event: MouseEvent| {
        if event.detail() > 1 {
            event.prevent_default();
        }
    };

    view! {
        <button
            class="send"
            type="submit"
            data-mode=move || label().to_ascii_lowercase()
            aria-label=label
            title=label
            disabled=move || !answering.get() && !may_send()
            on:click=once
        >
            {move || view! { <Icon name=icon() /> }}
        </button>
    }
}
