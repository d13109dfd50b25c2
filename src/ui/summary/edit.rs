//! The edit field of a summary.

use crate::browser::page;
use crate::ui::stores::use_stores;
use leptos::html::Textarea;
use leptos::prelude::*;
use web_sys::KeyboardEvent;

/// The text as a field. Keeping it makes a new version; an empty text takes the summary out.
#[component]
pub fn SummaryEdit(
    /// The number of the summary.
    number: u32,
    /// Its text.
    text: String,
    /// Whether the field is shown.
    editing: RwSignal<bool>,
) -> impl IntoView {
    let stores = use_stores();
    let draft = RwSignal::new(text.clone());
    let field = NodeRef::<Textarea>::new();
    field.on_load(|field| {
        request_animation_frame(move || drop(field.focus()));
    });
    let close = move || {
        editing.set(false);
        page::focus_soon(format!("summary-edit-{number}"));
    };
    let keep = move |_| {
        stores.summaries.edit(number, &draft.get_untracked());
        close();
    };
    let on_keydown = move |event: KeyboardEvent| {
        if event.key() == "Escape" {
            event.prevent_default();
            close();
        }
    };

    view! {
        <div class="edit">
            <textarea
                aria-label="Edit summary"
                node_ref=field
                prop:value=text
                on:input=move |event| draft.set(event_target_value(&event))
                on:keydown=on_keydown
            ></textarea>
            <div class="edit-buttons">
                <button type="button" on:click=move |_| close()>
                    "Cancel"
                </button>
                <button type="button" class="primary" on:click=keep>
                    "Keep as a new version"
                </button>
            </div>
        </div>
    }
}
