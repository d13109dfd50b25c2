//! Models that a question has still to be asked of.

use crate::Compare;
use leptos::prelude::*;
use sash_browser_kit::page;
use sash_chat::{Id, ModelId, Role};
use sash_view::browser::focus_refs::FocusRefs;
use sash_view::stores::use_kernel;
use sash_view::transcript::MessageState;
use sash_wire::short_name;
use sash_words::t;

/// That a model waits, in its column, and the buttons that ask it or leave it out. Empty where none waits.
#[component]
pub fn WaitingWords(
    /// The question.
    question: Id,
    /// The model; without one it is each model of the question.
    #[prop(optional)]
    model: Option<ModelId>,
) -> impl IntoView {
    let (kernel, compare) = (use_kernel(), Compare::expect());
    let is_shown = move |waiting: &ModelId| model.as_ref().is_none_or(|model| model == waiting);
    let waiting = move || {
        let mut waiting = compare.waiting_for(question);
        waiting.retain(&is_shown);
        waiting
    };
    let words = move || {
        if compare.is_left() {
            return t!(compare.not_asked_yet).to_owned();
        }
        let running = kernel.answers().running_in(kernel.chats().open_id());
        let model = running.and_then(|id| kernel.chats().with_message(id, |m| m.model.clone()));
        match model.flatten() {
            Some(model) => t!(compare.waits_for, model = short_name(&model)),
            None => t!(compare.waiting).to_owned(),
        }
    };

    view! {
        <For each=waiting key=Clone::clone let(model)>
            <p class="note">
                <span>{words}</span>
                <Show when=move || compare.is_left()>
                    <button type="button" class="link" on:click=move |_| compare.ask_left()>
                        {t!(compare.go_on)}
                    </button>
                </Show>
                <button
                    type="button"
                    class="link"
                    on:click=move |_| compare.leave_out(question, &model)
                >
                    {t!(compare.leave_out)}
                </button>
            </p>
        </For>
    }
}

/// Below a message: the models that its question waits for since the page was loaded anew. Empty where there are none.
#[component]
pub fn LeftModels() -> impl IntoView {
    let (kernel, compare) = (use_kernel(), Compare::expect());
    let MessageState { id, role, .. } = MessageState::expect();
    // An answer says it of its question; a question only where it has no answer yet.
    let question = match role {
        Role::Assistant => kernel
            .chats()
            .with_message(id, |message| message.parent)
            .flatten()?,
        Role::User => Some(id).filter(|id| {
            let tree = kernel.chats().open_tree();
            tree.with_untracked(|tree| tree.answers_to(*id).is_empty())
        })?,
        Role::System | Role::Tool => return None,
    };
    let conversation = FocusRefs::expect().conversation;
    let names = Memo::new(move |_| {
        let waiting = compare.waiting_for(question);
        if waiting.is_empty() || !compare.is_left() {
            return None;
        }
        let names = waiting.iter().map(|model| short_name(&model.name));
        Some(names.collect::<Vec<_>>().join(", "))
    });
    let go_on = move |_| {
        compare.ask_left();
        // The button goes with the note.
        page::focus(conversation);
    };
    let leave_out = move |_| {
        compare.leave_all_out();
        page::focus(conversation);
    };

    Some(view! {
        <ShowLet some=names let:names>
            <p class="note">
                <span>{t!(compare.models_not_asked_yet, models = &names)}</span>
                <button type="button" class="link" on:click=go_on>
                    {t!(compare.go_on)}
                </button>
                <button type="button" class="link" on:click=leave_out>
                    {t!(compare.leave_out)}
                </button>
            </p>
        </ShowLet>
    })
}
