//! Another version of a question.

use crate::browser::page;
use crate::chat::Id;
use crate::ui::app::session;
use leptos::ev::KeyboardEvent;
use leptos::prelude::*;

/// The question as a field. Sending makes a branch; nothing that was there is touched.
#[component]
pub fn Edit(id: Id, text: String, editing: RwSignal<bool>) -> impl IntoView {
    let session = session();
    let draft = RwSignal::new(text);
    let field = format!("edit-{id}");
    page::focus_soon(field.clone());
    let may_send = move || session.may_ask() && draft.with(|text| !text.trim().is_empty());
    let send = move || {
        if untrack(may_send) {
            editing.set(false);
            session.ask_instead_of(id, draft.get_untracked());
            page::focus_soon("prompt".to_owned());
        }
    };
    let key = move |event: KeyboardEvent| {
        let composing = event.is_composing() || event.key_code() == 229;
        match event.key().as_str() {
            "Enter" if !event.shift_key() && !composing => {
                event.prevent_default();
                send();
            }
            "Escape" => {
                event.prevent_default();
                editing.set(false);
            }
            _ => {}
        }
    };
    view! {
        <div class="edit">
            <textarea
                id=field
                aria-label="Edit message"
                prop:value=move || draft.get()
                on:input=move |event| draft.set(event_target_value(&event))
                on:keydown=key
            ></textarea>
            <div class="edit-buttons">
                <button on:click=move |_| editing.set(false)>"Cancel"</button>
                <button class="primary" disabled=move || !may_send() on:click=move |_| send()>
                    "Send as a new version"
                </button>
            </div>
        </div>
    }
}
