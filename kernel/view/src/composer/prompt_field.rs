//! The prompt field.

use super::early_words::use_early_words;
use super::field_hooks::FieldHooks;
use crate::browser::focus_refs::FocusRefs;
use crate::parts::is_send;
use crate::places::use_places;
use crate::stores::use_kernel;
use leptos::prelude::*;
use sash_browser_kit::console::LogError;
use sash_browser_kit::keys;
use sash_browser_kit::page::is_undo;
use sash_browser_kit::text_field::{TextChange, use_text_field};
use sash_ui_kit::is_plain_up;
use sash_words::t;
use web_sys::{Event, KeyboardEvent};

/// The field. It also receives text typed while no field has focus.
#[component]
pub fn PromptField(
    /// Sends the draft, or puts it into the queue.
    enter: Callback<()>,
) -> impl IntoView {
    let kernel = use_kernel();
    let (draft, written) = (kernel.drafts().draft, kernel.drafts().written);
    let field = FocusRefs::expect().prompt;
    use_early_words(field, kernel, enter);
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
        _ = kernel.chats().open_id();
        has_typed.set_value(true);
    });
    let FieldHooks {
        events,
        listbox,
        is_emptied,
    } = FieldHooks::expect();
    let shown = use_text_field(
        field,
        written.into(),
        move || kernel.chats().open_id(),
        move |change| match change {
            // What an address filled in.
            TextChange::Opened => kernel.drafts().is_filled(),
            TextChange::Replaced => true,
            TextChange::Emptied => is_emptied.get_value(),
        },
    );
    let on_input = move |event: Event| {
        if shown.is_putting() {
            return;
        }
        let text = event_target_value(&event);
        has_typed.set_value(!text.is_empty());
        is_emptied.set_value(false);
        written.set(text);
        _ = events.ask(&event);
    };
    let on_keydown = move |event: KeyboardEvent| {
        if events.ask(&event) {
            return;
        }
        if is_send(&event, kernel.settings().send_key()) {
            event.prevent_default();
            if !event.repeat() {
                enter.run(());
            }
        } else if is_undo(&event)
            && has_typed.get_value()
            && !is_emptied.get_value()
            && written.with_untracked(String::is_empty)
        {
            // After /clear focus is still here.
            if kernel.chats().undo_last() {
                event.prevent_default();
            }
        } else if is_plain_up(&event)
            && draft.with_untracked(String::is_empty)
            && kernel.chats().edit_last()
        {
            event.prevent_default();
        }
    };
    let active = move || listbox.get().and_then(|listbox| listbox.active.get());
    let shown_list = move || listbox.get().filter(|_| active().is_some());

    view! {
        {use_places().field_extras.view()}
        <textarea
            dir="auto"
            id="prompt"
            autocomplete="off"
            aria-label=t!(composer.message)
            aria-describedby="composer-hint"
            aria-autocomplete="list"
            aria-controls=move || shown_list().map(|listbox| listbox.id)
            aria-activedescendant=active
            placeholder=t!(composer.ask_something)
            rows="1"
            node_ref=field
            on:input=on_input
            on:focus=move |_| shown.on_focus()
            on:keydown=on_keydown
            on:paste=move |event| _ = events.ask(&event)
            on:blur=move |event| _ = events.ask(&event)
        ></textarea>
    }
}
