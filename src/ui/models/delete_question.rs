//! The question before a model is deleted.

use crate::browser::page::{self, FocusRefs};
use crate::ui::parts::{ConfirmQuestion, byte_size};
use crate::ui::stores::use_stores;
use leptos::html::Button;
use leptos::prelude::*;
use sash_chat::ModelId;
use sash_wire::short_name;
use sash_words::t;

/// Asks whether a model is to be deleted, which nothing undoes. Focus is on the way back.
#[component]
pub fn DeleteQuestion(
    /// The model's key.
    model: String,
    /// Its bytes on disk.
    size: u64,
    /// The button that asked.
    asked_by: NodeRef<Button>,
) -> impl IntoView {
    let models = use_stores().models;
    let question = t!(
        models.delete_from_ollama_this_cannot_be,
        name = short_name(&ModelId::from(&*model).name).to_owned(),
        size = byte_size(size)
    );
    let title = FocusRefs::expect().models_title;
    let keep = move |()| {
        models.doubtful.set(None);
        page::focus(asked_by);
    };
    let delete = move |()| {
        // The row goes with the model.
        page::focus(title);
        models.delete(&model);
    };

    view! {
        <ConfirmQuestion
            label=t!(models.delete_this_model)
            question
            keep=t!(models.keep_it)
            deed=t!(models.delete_for_good)
            on_keep=keep
            on_confirm=delete
        />
    }
}
