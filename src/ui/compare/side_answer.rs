//! A column of answers side by side.

use super::side_text::SideText;
use crate::browser::page::{self, FocusRefs};
use crate::ui::stores::use_stores;
use leptos::prelude::*;
use sash_chat::{Id, ModelId};
use sash_wire::short_name;
use sash_words::t;

/// An answer with its model, its receipt in short, and the buttons that stop it or go on with it.
#[component]
pub fn SideAnswer(
    /// The answer: the first one behind the question, if it calls tools.
    id: Id,
    /// Whether it is the one that a narrow page shows.
    is_active: Signal<bool>,
) -> impl IntoView {
    let stores = use_stores();
    let store = stores.side_by_side;
    let prompt = FocusRefs::expect().prompt;
    let end = Memo::new(move |_| stores.chats.open_tree().with(|tree| tree.end_of_rounds(id)));
    let message = stores.chats.message(id);
    let edited = message
        .as_ref()
        .is_some_and(|message| message.edited.is_some());
    let model = message.and_then(|message| message.model_id());
    let name = model
        .as_ref()
        .map(|model| short_name(&model.name).to_owned());
    let name = name.unwrap_or_else(|| t!(common.answer).to_owned());
    let label = name.clone();
    let engine = model.and_then(|model| stores.engine.shown_name(model.engine.as_deref()));
    let runs = move || stores.answers.running_in(stores.chats.open_id()) == Some(end.get());
    let go_on = move |_| {
        store.go_on_with(end.get_untracked());
        page::focus_soon(prompt);
    };

    view! {
        <div
            class="side"
            role="group"
            aria-label=label
            data-active=move || is_active.get().then_some("true")
        >
            <div class="side-head">
                <h3>{name}</h3>
                <span class="count">{engine} {edited.then_some(t!(transcript.comma_edited_by_you))}</span>
                <Show when=runs>
                    <button type="button" on:click=move |_| store.stop_one()>
                        {t!(common.stop)}
                    </button>
                </Show>
                <button type="button" on:click=go_on>
                    {t!(compare.go_on_with_this)}
                </button>
            </div>
            {move || view! { <SideText id=end.get() /> }}
        </div>
    }
}

/// A model that is asked when those before it have answered.
#[component]
pub fn WaitingSide(
    /// The question.
    question: Id,
    /// The model.
    model: ModelId,
    /// Whether it is the one that a narrow page shows.
    is_active: Signal<bool>,
) -> impl IntoView {
    let stores = use_stores();
    let store = stores.side_by_side;
    let name = short_name(&model.name).to_owned();
    let label = name.clone();
    let engine = stores.engine.shown_name(model.engine.as_deref());
    let running = move || {
        let running = stores.answers.running_in(stores.chats.open_id());
        let model = running.and_then(|id| stores.chats.with_message(id, |m| m.model.clone()));
        let model = model.flatten();
        model.map(|model| t!(compare.waits_for, model = short_name(&model)))
    };
    let words = move || running().unwrap_or_else(|| t!(compare.waiting).to_owned());
    let leave_out = move |_| store.leave_out(question, &model);

    view! {
        <div
            class="side"
            role="group"
            aria-label=label
            data-active=move || is_active.get().then_some("true")
        >
            <div class="side-head">
                <h3>{name}</h3>
                <span class="count">{engine}</span>
                <button type="button" on:click=leave_out>
                    {t!(compare.leave_out)}
                </button>
            </div>
            <p class="note">{words}</p>
        </div>
    }
}
