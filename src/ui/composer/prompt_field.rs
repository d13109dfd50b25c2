//! The prompt field.

use super::early_words::use_early_words;
use super::slash_list::{LIST_ID, SlashList, SlashListbox};
use crate::browser::focus_refs::FocusRefs;
use crate::ui::parts::is_send;
use crate::ui::stores::use_stores;
use leptos::prelude::*;
use sash_browser_kit::console::LogError;
use sash_browser_kit::file;
use sash_browser_kit::keys;
use sash_browser_kit::page::is_undo;
use sash_browser_kit::text_field::{TextChange, is_undo_or_redo, use_text_field};
use sash_ui_kit::{is_alt_down, is_alt_up, is_plain_up};
use sash_words::t;
use web_sys::{Event, KeyboardEvent};

/// The field. It also receives text typed while no field has focus.
#[component]
pub fn PromptField(
    /// Sends the draft, or puts it into the queue.
    enter: Callback<()>,
) -> impl IntoView {
    let stores = use_stores();
    let (draft, written) = (stores.drafts().draft, stores.drafts().written);
    let field = FocusRefs::expect().prompt;
    use_early_words(field, stores, enter);
    keys::use_type_into(field);
    keys::use_pointer_mark();
    // Focus the field at the start, unless that would open an on-screen keyboard.
    field.on_load(|field| {
        if keys::has_fine_pointer() {
            request_animation_frame(move || {
                if keys::is_focus_free() {
                    field.focus().log_error();
                }
            });
        }
    });
    // Whether the last key left text in the field: the browser undoes what was typed, but not that Sash emptied it.
    let has_typed = StoredValue::new(true);
    // The page itself fills the field for another chat, and then the browser has nothing to undo.
    Effect::new(move || {
        _ = stores.chats().open_id();
        has_typed.set_value(true);
    });
    let list = SlashList::new();
    let shown = use_text_field(
        field,
        written.into(),
        move || stores.chats().open_id(),
        move |change| match change {
            // What an address filled in.
            TextChange::Opened => stores.drafts().is_filled(),
            TextChange::Replaced => true,
            TextChange::Emptied => list.is_emptied(),
        },
    );
    let on_input = move |event: Event| {
        if shown.is_putting() {
            return;
        }
        let text = event_target_value(&event);
        has_typed.set_value(!text.is_empty());
        if is_undo_or_redo(&event) {
            stores.pastes().follow_undo(&text);
        }
        written.set(text.clone());
        list.on_input(&text);
    };
    let on_keydown = move |event: KeyboardEvent| {
        if list.on_keydown(&event) {
            return;
        }
        if is_send(&event, stores.settings().send_key()) {
            event.prevent_default();
            if !event.repeat() {
                enter.run(());
            }
        } else if is_undo(&event)
            && has_typed.get_value()
            && !list.is_emptied()
            && written.with_untracked(String::is_empty)
        {
            // After /clear focus is still here.
            if stores.chats().undo_last() {
                event.prevent_default();
            }
        } else if is_alt_up(&event) && stores.earlier_questions().older()
            || is_alt_down(&event) && stores.earlier_questions().newer()
            || is_plain_up(&event)
                && draft.with_untracked(String::is_empty)
                && stores.chats().edit_last()
        {
            event.prevent_default();
        }
    };

    let on_paste = move |event: Event| {
        let text = file::clipboard_of(&event).and_then(|data| data.get_data("text/plain").ok());
        if text.is_some_and(|text| stores.pastes().on_paste(&text)) {
            event.prevent_default();
        }
    };
    let is_listed = move || list.is_shown();

    view! {
        <SlashListbox list />
        <textarea
            dir="auto"
            id="prompt"
            autocomplete="off"
            aria-label=t!(composer.message)
            aria-describedby="composer-hint"
            aria-autocomplete="list"
            aria-controls=move || is_listed().then_some(LIST_ID)
            aria-activedescendant=move || list.active_id()
            placeholder=t!(composer.ask_something)
            rows="1"
            node_ref=field
            on:input=on_input
            on:focus=move |_| shown.on_focus()
            on:keydown=on_keydown
            on:paste=move |event| on_paste(event.into())
            on:blur=move |_| list.close()
        ></textarea>
    }
}
