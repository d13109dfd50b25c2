//! The question before a model is deleted.

use super::ids::{TITLE_ID, delete_id};
use crate::browser::page;
use crate::ui::parts::{ConfirmQuestion, byte_size};
use crate::ui::stores::use_stores;
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
) -> impl IntoView {
    let models = use_stores().models;
    let question = t!(
        models.delete_from_ollama_this_cannot_be,
        name = short_name(&ModelId::from(&*model).name).to_owned(),
        size = byte_size(size)
    );
    let asked_by = delete_id(&model);
    let keep = move |()| {
        models.doubtful.set(None);
        page::focus(&asked_by);
    };
    let delete = move |()| {
        // The row goes with the model.
        page::focus(TITLE_ID);
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
