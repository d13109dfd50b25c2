//! The edit field of a question.

use super::message_state::MessageState;
use crate::browser::focus_refs::FocusRefs;
use crate::files::DraftFiles;
use crate::parts::{EditDraft, EditField, edit_field_id, is_send};
use crate::places::use_places;
use crate::stores::use_kernel;
use leptos::prelude::*;
use sash_browser_kit::page;
use sash_chat::{Id, PromptChoice, PromptDraft, split_files, with_files};
use sash_log::DraftField;
use sash_words::t;

/// The version of a question that is written in the field around.
#[derive(Clone, Copy)]
pub struct EditedQuestion {
    /// The question.
    pub id: Id,
    /// The text of the version.
    pub text: Memo<String>,
    /// What the person chose of what goes with it.
    pub choice: RwSignal<PromptChoice>,
}

/// The question as a field. Sending creates a branch; existing messages are unchanged.
#[component]
pub fn QuestionEdit() -> impl IntoView {
    let kernel = use_kernel();
    let prompt = FocusRefs::expect().prompt;
    let MessageState {
        id,
        text,
        editing,
        edit_button,
        ..
    } = MessageState::expect();
    // The question in the form in which the field gives it back.
    let asked = text.with_untracked(|text| {
        let (files, written) = split_files(text);
        with_files(&files, written)
    });
    let draft = EditDraft::new(DraftField::Edit(id), asked);
    let begun = draft.text.get_untracked();
    let (files, written) = split_files(&begun);
    let (files, written) = (RwSignal::new(files), RwSignal::new(written.to_owned()));
    let text = Memo::new(move |_| files.with(|files| written.with(|text| with_files(files, text))));
    Effect::new(move || draft.write(text.get()));
    // An effect: another tab may edit the same question.
    Effect::new(move || {
        let now = draft.text.get();
        if text.with_untracked(|text| *text != now) {
            let (of_text, rest) = split_files(&now);
            files.set(of_text);
            written.set(rest.to_owned());
        }
    });
    let can_send = Signal::derive(move || {
        kernel.answers().can_send() && text.with(|text| !text.trim().is_empty())
    });
    let choice = RwSignal::new(PromptChoice::default());
    provide_context(EditedQuestion { id, text, choice });
    let send = move |()| {
        let version = PromptDraft {
            text: text.get_untracked(),
            choice: choice.get_untracked(),
            ..kernel.chats().prompt_of(id)
        };
        if kernel.answers().ask_instead_of(id, version) {
            draft.end();
            editing.set(false);
            page::focus_soon(prompt);
        }
    };
    let close = move |()| {
        editing.set(false);
        // The field is removed, and the button that opened it returns.
        page::focus_soon(edit_button);
    };

    view! {
        <div class="edit">
            <DraftFiles files on_remove=move |()| page::focus_id_soon(edit_field_id(id)) />
            <EditField
                draft
                id=edit_field_id(id)
                label=t!(transcript.edit_message)
                written
                save_words=t!(transcript.send_as_version)
                can_save=can_send
                is_save_key=move |event| is_send(event, kernel.settings().send_key())
                on_save=send
                on_close=close
            >
                {use_places().version_lines.view()}
            </EditField>
        </div>
    }
}
