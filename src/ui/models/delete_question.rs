//! The question before a model is deleted.

use super::ids::{TITLE_ID, delete_id};
use crate::browser::page;
use crate::ui::parts::{FocusedButton, byte_size, on_escape};
use crate::ui::stores::use_stores;
use leptos::prelude::*;
use sash_chat::ModelId;
use sash_wire::short_name;

/// Asks whether a model is to be deleted, which nothing undoes. Focus is on the way back.
#[component]
pub fn DeleteQuestion(
    /// The model's key.
    model: String,
    /// Its bytes on disk.
    size: u64,
) -> impl IntoView {
    let models = use_stores().models;
    let question = format!(
        "Delete {} ({}) from Ollama? This cannot be undone: to have it again, it must be pulled again. Your chats stay.",
        short_name(&ModelId::from(&*model).name),
        byte_size(size),
    );
    let asked_by = delete_id(&model);
    let keep = Callback::new(move |()| {
        models.doubtful.set(None);
        page::focus(&asked_by);
    });
    let delete = move |_| {
        // The row goes with the model.
        page::focus(TITLE_ID);
        models.delete(&model);
    };

    view! {
        <div
            class="confirm-question"
            role="group"
            aria-label="Delete this model?"
            on:keydown=on_escape(move || keep.run(()))
        >
            <span>{question}</span>
            <FocusedButton on_press=keep>"Keep it"</FocusedButton>
            <button type="button" class="danger" on:click=delete>
                "Delete for good"
            </button>
        </div>
    }
}
