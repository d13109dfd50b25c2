//! The open chat's system prompt: written in a dialog, chosen from a small library, or set for new chats. A
//! chat with a system prompt shows it at the top of the transcript and in the panel.

mod library;

use crate::ui::parts::Dialog;
use crate::ui::stores::use_stores;
use leptos::prelude::*;
use library::SystemLibrary;
use sash_chat::{ChatStoreFields, HeadStoreFields};
use sash_state::SettingsStoreFields;
use sash_words::t;
use web_sys::KeyboardEvent;

/// The dialog with the system prompt.
#[component]
pub fn SystemDialog() -> impl IntoView {
    let stores = use_stores();
    let text = RwSignal::new(String::new());
    let save = move |()| stores.steering.set_system(&text.get_untracked());

    view! {
        <Dialog class="system" title=t!(common.system_prompt) shown=stores.view.system_shown on_save=save>
            <SystemEditor text />
        </Dialog>
    }
}

/// The field, the default for new chats, and the saved prompts. "Save" of the dialog and Ctrl+Enter save the text.
#[component]
fn SystemEditor(
    /// The text of the field; it begins with the open chat's system prompt.
    text: RwSignal<String>,
) -> impl IntoView {
    let stores = use_stores();
    let kept = Memo::new(move |_| {
        stores.chats.open.head().with(|head| {
            let text = head.system_at(head.settings.system);
            (head.id, text.unwrap_or_default().to_owned())
        })
    });
    let of_folder = Memo::new(move |_| {
        stores.chats.open.head().inherited().with(|inherited| {
            let folder = inherited.folder()?;
            Some((folder.name.clone(), folder.system()?.to_owned()))
        })
    });
    text.set(kept.get_untracked().1);
    // An effect: another chat or another prompt of it takes the place of what is typed.
    Effect::new(move || text.set(kept.get().1));
    let save_on_enter = move |event: KeyboardEvent| {
        if event.key() == "Enter" && (event.ctrl_key() || event.meta_key()) {
            event.prevent_default();
            stores.steering.set_system(&text.get_untracked());
            stores.view.system_shown.set(false);
        }
    };

    view! {
        <div class="system-editor">
            <textarea
                autocomplete="off"
                aria-label=t!(common.system_prompt)
                aria-describedby="system-hint"
                rows="6"
                placeholder=t!(system.you_are)
                bind:value=text
                on:keydown=save_on_enter
            />
            <p id="system-hint" class="hint-line">
                {t!(system.how_the_model_is_to_answer)}
            </p>
            <ShowLet some=move || of_folder.get() let:system>
                <p class="hint-line">
                    {t!(system.without_one_the_folders_goes, folder = system.0)}
                </p>
                <blockquote class="folder-system" dir="auto">{system.1}</blockquote>
            </ShowLet>
            <SystemDefault text />
            <SystemLibrary text />
        </div>
    }
}

/// Makes the field's text the system prompt of new chats, and shows the current default.
#[component]
fn SystemDefault(
    /// The text of the field.
    text: RwSignal<String>,
) -> impl IntoView {
    let stores = use_stores();
    let words = move || {
        stores.settings.current.system().with(|system| {
            if system.is_empty() {
                t!(system.new_chats_begin_without)
            } else if text.with(|text| system == text) {
                t!(system.new_chats_begin_with_this)
            } else {
                t!(system.new_chats_begin_with_another)
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
                {t!(common.use_for_new_chats)}
            </button>
            <span>{words}</span>
        </div>
    }
}
