//! The system prompt of new chats.

use crate::ui::stores::use_stores;
use leptos::prelude::*;

/// Makes the field's text the system prompt of new chats, and shows the current default.
#[component]
pub fn SystemDefault(
    /// The text of the field.
    text: RwSignal<String>,
) -> impl IntoView {
    let stores = use_stores();
    let words = move || {
        stores.settings.current.with(|settings| {
            if settings.system.is_empty() {
                "New chats begin without one."
            } else if text.with(|text| settings.system == *text) {
                "New chats begin with this one."
            } else {
                "New chats begin with another one."
            }
        })
    };
    let use_for_new_chats = move |_| {
        let mut text = text.get_untracked();
        if text.trim().is_empty() {
            text.clear();
        }
        stores.settings.change(|settings| settings.system = text);
        stores.notices.announce(untrack(words).to_owned());
    };

    view! {
        <div class="system-row">
            <button type="button" on:click=use_for_new_chats>
                "Use for new chats"
            </button>
            <span>{words}</span>
        </div>
    }
}
