//! The system prompt of new chats.

use crate::stores::use_kernel;
use leptos::prelude::*;
use sash_stores::SettingsStoreFields;
use sash_words::t;

/// Makes the field's text the system prompt of new chats, and shows the current default.
#[component]
pub fn SystemDefault(
    /// The text of the field.
    text: RwSignal<String>,
) -> impl IntoView {
    let kernel = use_kernel();
    let words = move || {
        kernel.settings().current.system().with(|system| {
            if system.is_empty() {
                t!(system.new_chats_without)
            } else if text.with(|text| system == text) {
                t!(system.new_chats_same)
            } else {
                t!(system.new_chats_differ)
            }
        })
    };
    let use_for_new_chats = move |_| {
        let mut text = text.get_untracked();
        if text.trim().is_empty() {
            text.clear();
        }
        kernel.settings().change(|settings| settings.system = text);
        kernel.notices().announce(untrack(words).to_owned());
    };

    view! {
        <div class="system-row">
            <button type="button" on:click=use_for_new_chats>
                {t!(common.set_for_new_chats)}
            </button>
            <span>{words}</span>
        </div>
    }
}
