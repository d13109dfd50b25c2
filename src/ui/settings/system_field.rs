//! The system prompt of new chats.

use crate::ui::stores::use_stores;
use leptos::prelude::*;

/// The system prompt that new chats begin with.
#[component]
pub fn SystemField() -> impl IntoView {
    let settings = use_stores().settings;
    let system = settings.current.with_untracked(|s| s.system.clone());
    let save = move |event| {
        let mut text = event_target_value(&event);
        if text.trim().is_empty() {
            text.clear();
        }
        settings.change(|settings| settings.system = text);
    };

    view! {
        <div class="setting setting-text">
            <label for="setting-system">"System prompt"</label>
            <textarea
                id="setting-system"
                rows="3"
                dir="auto"
                placeholder="None"
                prop:value=system
                on:input=save
            ></textarea>
        </div>
    }
}
