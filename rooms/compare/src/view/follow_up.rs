//! The field below answers side by side: a question to all of their models.

use crate::SideBySide;
use leptos::prelude::*;
use recall::RecallLines;
use sash_chat::Id;
use sash_view::parts::is_send;
use sash_view::stores::use_kernel;
use sash_words::t;

/// The field and its button. Its text is the draft of the chat, so it is kept when the dialog is closed.
#[component]
pub fn FollowUp(
    /// The question whose answers are side by side.
    question: Id,
    /// What goes along with the draft.
    goes_along: ViewFn,
) -> impl IntoView {
    let side_by_side = SideBySide::expect();
    let kernel = use_kernel();
    let draft = kernel.drafts().draft;
    let is_blank = move || draft.with(|draft| draft.trim().is_empty());
    let may_ask = move || kernel.answers().can_send() && !is_blank();
    let ask = move || {
        if untrack(may_ask) {
            _ = side_by_side.ask_all(question);
        }
    };
    let on_keydown = move |event: web_sys::KeyboardEvent| {
        if is_send(&event, kernel.settings().send_key()) {
            event.prevent_default();
            ask();
        }
    };

    view! {
        <div class="follow-up">
            {goes_along.run()}
            <label class="several-question">
                <span>{t!(compare.next_question)}</span>
                <textarea
                    dir="auto"
                    rows="2"
                    autocomplete="off"
                    prop:value=move || draft.get()
                    on:input=move |event| kernel.drafts().set_text(&event_target_value(&event))
                    on:keydown=on_keydown
                ></textarea>
            </label>
            <div class="edit-buttons">
                <button
                    type="button"
                    class="primary"
                    disabled=move || !may_ask()
                    on:click=move |_| ask()
                >
                    {t!(compare.go_on_with_all)}
                </button>
            </div>
        </div>
    }
}
