//! The edit field of an answer.

use crate::edit_answer;
use leptos::prelude::*;
use sash_browser_kit::page;
use sash_log::DraftField;
use sash_view::parts::{EditDraft, EditField, edit_field_id};
use sash_view::stores::use_kernel;
use sash_view::transcript::MessageState;
use sash_words::t;

/// The answer as a field. Saving makes a version of the person's own beside the model's; nothing is sent.
#[component]
pub fn AnswerEditField() -> impl IntoView {
    let kernel = use_kernel();
    let MessageState {
        id, text, editing, ..
    } = MessageState::expect();
    let before = text.get_untracked();
    let draft = EditDraft::new(DraftField::Edit(id), before.clone());
    let is_new = Memo::new(move |_| {
        draft
            .text
            .with(|text| !text.trim().is_empty() && *text != before)
    });
    let close = move |shown: sash_chat::Id| {
        editing.set(false);
        page::focus_id_soon(format!("more-{shown}"));
    };
    let save = move |()| {
        if let Some(version) = edit_answer(kernel, id, draft.text.get_untracked()) {
            draft.end();
            close(version);
        }
    };

    view! {
        <div class="edit">
            <EditField
                draft
                id=edit_field_id(id)
                label=t!(versions.edit_answer)
                described_by=format!("edit-hint-{id}")
                save_words=t!(versions.save_as_version)
                can_save=is_new
                is_save_key=|event| event.key() == "Enter" && (event.ctrl_key() || event.meta_key())
                on_save=save
                on_close=move |()| close(id)
            >
                <p class="hint-line" id=format!("edit-hint-{id}")>
                    {t!(versions.edit_answer_hint)}
                </p>
            </EditField>
        </div>
    }
}
