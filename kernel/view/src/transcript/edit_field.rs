//! The edit field of a question.

use super::message_state::MessageState;
use crate::browser::focus_refs::FocusRefs;
use crate::files::DraftFiles;
use crate::parts::{edit_field_id, is_send};
use crate::places::use_places;
use crate::stores::use_kernel;
use leptos::html::Textarea;
use leptos::prelude::*;
use sash_browser_kit::page;
use sash_chat::{Id, PromptChoice, PromptDraft, split_files, with_files};
use sash_log::DraftField;
use sash_ui_kit::{OtherValue, use_mirror};
use sash_words::t;
use web_sys::KeyboardEvent;

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
pub fn EditField() -> impl IntoView {
    let kernel = use_kernel();
    let prompt = FocusRefs::expect().prompt;
    let MessageState {
        id,
        text,
        editing,
        edit_button,
        ..
    } = MessageState::expect();
    let field_draft = DraftField::Edit(id);
    let chat = kernel.chats().open_id_untracked();
    let (files, written) = text.with_untracked(|text| {
        let (files, written) = split_files(text);
        (files, written.to_owned())
    });
    // The question in the form in which the field gives it back.
    let asked = with_files(&files, &written);
    let stored = asked.clone();
    let mirror = use_mirror(move || {
        let kept = kernel.drafts().field(field_draft);
        kept.unwrap_or_else(|| stored.clone())
    });
    let begun = mirror.text.get_untracked();
    let (files, written) = split_files(&begun);
    let (files, written) = (RwSignal::new(files), RwSignal::new(written.to_owned()));
    let draft =
        Memo::new(move |_| files.with(|files| written.with(|text| with_files(files, text))));
    let saved = asked.clone();
    // What is typed is kept until it is sent or thrown away: through Escape, another chat, a reload.
    Effect::new(move || {
        draft.with(|text| {
            kernel.drafts().write_field(field_draft, text, &asked);
            if mirror.text.with_untracked(|now| now != text) {
                mirror.on_input(text.clone());
            }
        });
    });
    // An effect: another tab may edit the same question.
    Effect::new(move || {
        let text = mirror.text.get();
        if draft.with_untracked(|now| *now != text) {
            let (of_text, rest) = split_files(&text);
            files.set(of_text);
            written.set(rest.to_owned());
        }
    });
    let field = NodeRef::<Textarea>::new();
    page::focus_on_load(field);
    let may_send =
        move || kernel.answers().can_send() && draft.with(|text| !text.trim().is_empty());
    let choice = RwSignal::new(PromptChoice::default());
    provide_context(EditedQuestion {
        id,
        text: draft,
        choice,
    });
    let send = move || {
        if !untrack(may_send) {
            return;
        }
        let version = PromptDraft {
            text: draft.get_untracked(),
            choice: choice.get_untracked(),
            ..kernel.chats().prompt_of(id)
        };
        if kernel.answers().ask_instead_of(id, version) {
            kernel.drafts().drop_field(chat, field_draft);
            editing.set(false);
            page::focus_soon(prompt);
        }
    };
    let close = move || {
        editing.set(false);
        // The field is removed, and the button that opened it returns.
        page::focus_soon(edit_button);
    };
    let cancel = move |_| {
        close();
        kernel.drafts().discard_field(field_draft);
    };
    let on_key = move |event: KeyboardEvent| {
        if is_send(&event, kernel.settings().send_key()) {
            event.prevent_default();
            send();
        } else if event.key() == "Escape" {
            event.prevent_default();
            // Another tab may have written its text of this field since the last key.
            draft.with_untracked(|text| kernel.drafts().write_field(field_draft, text, &saved));
            close();
        }
    };
    view! {
        <div class="edit">
            <DraftFiles files on_remove=move |()| page::focus(field) />
            <textarea
                dir="auto"
                id=edit_field_id(id)
                autocomplete="off"
                aria-label=t!(transcript.edit_message)
                node_ref=field
                prop:value=move || written.get()
                on:input=move |event| written.set(event_target_value(&event))
                on:keydown=on_key
            ></textarea>
            <OtherValue mirror id=edit_field_id(id) />
            {use_places().version_lines.view()}
            <div class="edit-buttons">
                <button type="button" on:click=cancel>
                    {t!(common.cancel)}
                </button>
                <button
                    type="button"
                    class="primary"
                    disabled=move || !may_send()
                    on:click=move |_| send()
                >
                    {t!(transcript.send_as_a_new_version)}
                </button>
            </div>
        </div>
    }
}
