//! A column of answers side by side.

use super::side_text::SideText;
use super::waiting_note::WaitingWords;
use crate::SideBySide;
use leptos::prelude::*;
use sash_browser_kit::page;
use sash_chat::{Id, ModelId, Role, excerpt};
use sash_view::browser::focus_refs::FocusRefs;
use sash_view::stores::use_kernel;
use sash_wire::short_name;
use sash_words::t;

/// A column: its head with the model, and what stands below it.
#[component]
fn Side(
    /// The model; `None` where the record does not say it.
    model: Option<ModelId>,
    /// Whether the person changed what the model wrote.
    #[prop(optional)]
    edited: bool,
    /// Whether it is the column that a narrow page shows.
    is_active: Signal<bool>,
    /// The buttons of the head.
    #[prop(into)]
    buttons: ViewFn,
    /// What stands below.
    children: Children,
) -> impl IntoView {
    let name = model.as_ref().map(|model| short_name(&model.name));
    let name = name.unwrap_or(t!(common.answer)).to_owned();
    let label = name.clone();
    let engine = model.and_then(|model| {
        let engine = model.engine.as_deref();
        use_kernel().engine().shown_name(engine)
    });

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
                {buttons.run()}
            </div>
            {children()}
        </div>
    }
}

/// An answer with its model and its receipt in short, what was asked after it, and the buttons that stop it or go on with
/// it.
#[component]
pub fn SideAnswer(
    /// The answer: the first one behind the question, if it calls tools.
    id: Id,
    /// Whether it is the one that a narrow page shows.
    is_active: Signal<bool>,
) -> impl IntoView {
    let kernel = use_kernel();
    let store = SideBySide::expect();
    let prompt = FocusRefs::expect().prompt;
    let column = Memo::new(move |_| store.column(id));
    let message = kernel.chats().message(id);
    let edited = message
        .as_ref()
        .is_some_and(|message| message.edited.is_some());
    let model = message.and_then(|message| message.model_id());
    let runs = move || {
        let running = kernel.answers().running_in(kernel.chats().open_id());
        running.is_some_and(|running| column.with(|column| column.contains(&running)))
    };
    let end = Memo::new(move |_| column.with(|column| column.last().copied().unwrap_or(id)));
    let can_go_on = Memo::new(move |_| kernel.answers().can_go_on_with(end.get()));
    let go_on = move |_| {
        store.go_on_with(end.get_untracked());
        page::focus_soon(prompt);
    };
    let buttons = move || {
        view! {
            <Show when=runs>
                <button type="button" on:click=move |_| store.stop_one()>
                    {t!(common.stop)}
                </button>
            </Show>
            <Show when=move || can_go_on.get()>
                <button type="button" on:click=go_on>
                    {t!(compare.go_on_with_this)}
                </button>
            </Show>
        }
    };

    view! {
        <Side model edited is_active buttons>
            <For each=move || column.get() key=|id| *id let(id)>
                <SideMessage id />
            </For>
        </Side>
    }
}

/// A message of a column: an answer, or a question that was asked after one, with the model that it waits for.
#[component]
fn SideMessage(
    /// The message.
    id: Id,
) -> impl IntoView {
    let message = use_kernel().chats().message(id)?;
    Some(match message.role {
        Role::User => view! {
            <p class="sides-question side-next" dir="auto">{excerpt(&message, &[])}</p>
            <WaitingWords question=id />
        }
        .into_any(),
        _ => view! { <SideText id /> }.into_any(),
    })
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
    view! {
        <Side model=Some(model.clone()) is_active buttons=|| ()>
            <WaitingWords question model />
        </Side>
    }
}
