//! The prompt field.

use super::enter::{is_alt_down, is_alt_up, is_plain_up, is_send};
use crate::browser::console::LogError;
use crate::browser::keys;
use crate::browser::page::{FocusRefs, is_undo};
use crate::ui::stores::use_stores;
use leptos::prelude::*;
use sash_words::t;
use web_sys::{Event, KeyboardEvent};

/// The field. It also receives text typed while no field has focus.
#[component]
pub fn PromptField(
    /// Sends the draft, or puts it into the queue.
    enter: Callback<()>,
) -> impl IntoView {
    let stores = use_stores();
    let (draft, written) = (stores.drafts.draft, stores.drafts.written);
    let field = FocusRefs::expect().prompt;
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
    let on_input = move |event: Event| {
        let text = event_target_value(&event);
        has_typed.set_value(!text.is_empty());
        written.set(text);
    };
    let on_keydown = move |event: KeyboardEvent| {
        if is_send(&event, stores.settings.send_key()) {
            event.prevent_default();
            if !event.repeat() {
                enter.run(());
            }
        } else if is_undo(&event)
            && has_typed.get_value()
            && written.with_untracked(String::is_empty)
        {
            // After /clear focus is still here.
            if stores.steering.undo() {
                event.prevent_default();
            }
        } else if is_alt_up(&event) && stores.earlier_questions.older()
            || is_alt_down(&event) && stores.earlier_questions.newer()
            || is_plain_up(&event)
            && draft.with_untracked(String::is_empty)
            && stores.chats.edit_last()
        {
            event.prevent_default();
        }
    };

    view! {
        <textarea
            id="prompt"
            aria-label=t!(composer.message)
            aria-describedby="composer-hint"
            placeholder=t!(composer.ask_something)
            rows="1"
            prop:value=move || written.get()
            node_ref=field
            on:input=on_input
            on:keydown=on_keydown
        ></textarea>
    }
}
