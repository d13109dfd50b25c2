//! The question before a model is deleted.

use crate::Models;
use leptos::html::Button;
use leptos::prelude::*;
use sash_browser_kit::page;
use sash_chat::ModelId;
use sash_ui_kit::ConfirmQuestion;
use sash_view::parts::byte_size;
use sash_view::stores::use_kernel;
use sash_wire::short_name;
use sash_words::t;

/// The id of the page's title, which has the focus when the row of a model is gone.
pub const TITLE_ID: &str = "models-title";

/// Asks whether a model is to be deleted, which nothing undoes. Focus is on the way back.
#[component]
pub fn DeleteQuestion(
    /// The model.
    model: ModelId,
    /// Its bytes on disk.
    size: u64,
    /// The button that asked.
    asked_by: NodeRef<Button>,
) -> impl IntoView {
    let kernel = use_kernel();
    let models = Models::expect();
    let name = short_name(&model.name).to_owned();
    let engine = untrack(|| kernel.engine().title(model.engine.as_deref()));
    let question = match size {
        0 => t!(
            models.delete_question_without_size,
            name = name,
            engine = engine
        ),
        size => t!(
            models.delete_question,
            name = name,
            size = byte_size(size),
            engine = engine
        ),
    };
    let keep = move |()| {
        models.doubtful.set(None);
        page::focus(asked_by);
    };
    let delete = move |()| {
        // The row goes with the model.
        page::focus_id_soon(TITLE_ID.to_owned());
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
