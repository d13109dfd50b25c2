//! The edit field of an answer.

use crate::edit_answer;
use leptos::html::Textarea;
use leptos::prelude::*;
use sash_browser_kit::page;
use sash_log::DraftField;
use sash_ui_kit::{OtherValue, use_mirror};
use sash_view::parts::edit_field_id;
use sash_view::stores::use_kernel;
use sash_view::transcript::MessageState;
use sash_words::t;
use web_sys::KeyboardEvent;

/// The answer as a field. Saving makes a version of the person's own beside the model's; nothing is sent.
#[component]
pub fn AnswerEditField() -> impl IntoView {
    let kernel = use_kernel();
    let MessageState {
        id, text, editing, ..
    } = MessageState::expect();
    let before = text.get_untracked();
    let field_draft = DraftField::Edit(id);
    let chat = kernel.chats().open_id_untracked();
    let stored = before.clone();
    // Another tab may edit the same answer.
    let mirror = use_mirror(move || {
        let kept = kernel.drafts().field(field_draft);
        kept.unwrap_or_else(|| stored.clone())
    });
    let written = mirror.text;
    let field = NodeRef::<Textarea>::new();
    page::focus_on_load(field);
    let (answer, saved) = (before.clone(), before.clone());
    let is_new =
        Memo::new(move |_| written.with(|text| !text.trim().is_empty() && *text != before));
    // What is typed is kept until it is saved or thrown away: through Escape, another chat, a reload.
    let on_input = move |event| {
        let text = event_target_value(&event);
        kernel.drafts().write_field(field_draft, &text, &answer);
        mirror.on_input(text);
    };
    let close = move |shown: sash_chat::Id| {
        editing.set(false);
        page::focus_id_soon(format!("more-{shown}"));
    };
    let save = move || {
        if is_new.get_untracked()
            && let Some(version) = edit_answer(kernel, id, written.get_untracked())
        {
            kernel.drafts().drop_field(chat, field_draft);
            close(version);
        }
    };
    let cancel = move |_| {
        close(id);
        kernel.drafts().discard_field(field_draft);
    };
    let on_key = move |event: KeyboardEvent| {
        let with_modifier = event.ctrl_key() || event.meta_key();
        match event.key().as_str() {
            "Enter" if with_modifier => save(),
            "Escape" => {
                // Another tab may have written its text of this field since the last key.
                written.with_untracked(|text| {
                    kernel.drafts().write_field(field_draft, text, &saved);
                });
                close(id);
            }
            _ => return,
        }
        event.prevent_default();
    };

    view! {
        <div class="edit">
            <textarea
                dir="auto"
                id=edit_field_id(id)
                autocomplete="off"
                aria-label=t!(versions.edit_answer)
                aria-describedby=format!("edit-hint-{id}")
                node_ref=field
                prop:value=move || written.get()
                on:input=on_input
                on:keydown=on_key
            ></textarea>
            <OtherValue mirror id=edit_field_id(id) />
            <p class="hint-line" id=format!("edit-hint-{id}")>
                {t!(versions.nothing_is_sent_by_saving)}
            </p>
            <div class="edit-buttons">
                <button type="button" on:click=cancel>
                    {t!(common.cancel)}
                </button>
                <button
                    type="button"
                    class="primary"
                    disabled=move || !is_new.get()
                    on:click=move |_| save()
                >
                    {t!(versions.save_as_a_version_of_your)}
                </button>
            </div>
        </div>
    }
}
