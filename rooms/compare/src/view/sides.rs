//! The answers to a question side by side.

use super::column::{AnswerText, Column};
use super::waiting::WaitingWords;
use crate::Compare;
use leptos::prelude::*;
use sash_browser_kit::page;
use sash_chat::{Id, ModelId, Role, excerpt};
use sash_view::browser::focus_refs::FocusRefs;
use sash_view::parts::is_send;
use sash_view::stores::use_kernel;
use sash_wire::short_name;
use sash_words::t;
use web_sys::KeyboardEvent;

/// A column: an answer, or a model that waits.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
enum Side {
    Answer(Id),
    Waiting(ModelId),
}

/// The answers in columns; on a narrow page one at a time, with a button for each.
#[component]
pub fn Sides(
    /// The question.
    question: Id,
    /// What goes along with the draft.
    goes_along: ViewFn,
) -> impl IntoView {
    let (kernel, compare) = (use_kernel(), Compare::expect());
    let sides = Memo::new(move |_| {
        let waiting = compare.waiting_for(question).into_iter().map(Side::Waiting);
        let (answers, older) = compare.sides(question);
        let answers = answers.into_iter().map(Side::Answer);
        (answers.chain(waiting).collect::<Vec<_>>(), older as u64)
    });
    let columns = move || sides.with(|(sides, _)| sides.clone());
    let count = move || sides.with(|(sides, _)| sides.len());
    let older = Memo::new(move |_| sides.with(|(_, older)| *older));
    let chosen = RwSignal::new(0_usize);
    // A model that is left out takes its column with it.
    let active = Memo::new(move |_| chosen.get().min(count().saturating_sub(1)));
    let tab_name = move |side: &Side| {
        let model = match side {
            Side::Waiting(model) => Some(model.name.clone()),
            Side::Answer(id) => kernel
                .chats()
                .with_message(*id, |m| m.model.clone())
                .flatten(),
        };
        short_name(&model.unwrap_or_default()).to_owned()
    };
    let is_answering = Memo::new(move |_| kernel.answers().is_busy(kernel.chats().open_id()));
    let has_more = move || is_answering.get() || compare.has_waiting();
    let asked = kernel.chats().message(question);
    let asked = asked.map(|message| excerpt(&message, &[]));

    view! {
        <div class="sides-head">
            <p class="sides-question" dir="auto">{asked}</p>
            <Show when=has_more>
                <button type="button" on:click=move |_| compare.stop_all()>
                    {t!(compare.stop_all)}
                </button>
            </Show>
        </div>
        <Show when=move || { older.get() > 0 }>
            <p class="hint-line">{move || t!(compare.older_versions, count = older.get())}</p>
        </Show>
        <div class="side-tabs" role="group" aria-label=t!(compare.answers)>
            <ForEnumerate
                each=columns
                key=Clone::clone
                children=move |at, side| {
                    view! {
                        <button
                            type="button"
                            aria-pressed=move || (active.get() == at.get()).to_string()
                            on:click=move |_| chosen.set(at.get_untracked())
                        >
                            {tab_name(&side)}
                        </button>
                    }
                }
            />
        </div>
        <div class="sides several" style=("--sides", move || count().to_string())>
            <ForEnumerate
                each=columns
                key=Clone::clone
                children=move |at, side| {
                    let is_active = Signal::derive(move || active.get() == at.get());
                    match side {
                        Side::Answer(id) => view! { <SideAnswer id is_active /> }.into_any(),
                        Side::Waiting(model) => {
                            let title = short_name(&model.name).to_owned();
                            let note = engine_name(&model);
                            view! {
                                <Column title note is_active>
                                    <WaitingWords question model />
                                </Column>
                            }
                            .into_any()
                        }
                    }
                }
            />
        </div>
        <Show when=move || !has_more() && { count() > 1 }>
            <FollowUp question goes_along=goes_along.clone() />
        </Show>
    }
}

/// The name of a model's engine, where there are several.
fn engine_name(model: &ModelId) -> String {
    let engine = model.engine.as_deref();
    use_kernel().engine().shown_name(engine).unwrap_or_default()
}

/// An answer with its model and its receipt in short, what was asked after it, and the buttons that stop it or go on with
/// it.
#[component]
fn SideAnswer(
    /// The answer: the first one behind the question, if it calls tools.
    id: Id,
    /// Whether it is the one that a narrow page shows.
    is_active: Signal<bool>,
) -> impl IntoView {
    let (kernel, compare) = (use_kernel(), Compare::expect());
    let prompt = FocusRefs::expect().prompt;
    let column = Memo::new(move |_| compare.column(id));
    let message = kernel.chats().message(id);
    let edited = message
        .as_ref()
        .is_some_and(|message| message.edited.is_some());
    let model = message.and_then(|message| message.model_id());
    let title = model.as_ref().map(|model| short_name(&model.name));
    let title = title.unwrap_or(t!(common.answer)).to_owned();
    let note = model.as_ref().map(engine_name).unwrap_or_default();
    let note = note
        + if edited {
            t!(transcript.comma_edited_by_you)
        } else {
            ""
        };
    let runs = move || {
        let running = kernel.answers().running_in(kernel.chats().open_id());
        running.is_some_and(|running| column.with(|column| column.contains(&running)))
    };
    let end = Memo::new(move |_| column.with(|column| column.last().copied().unwrap_or(id)));
    let can_go_on = Memo::new(move |_| kernel.answers().can_go_on_with(end.get()));
    let go_on = move |_| {
        compare.go_on_with(end.get_untracked());
        page::focus_soon(prompt);
    };
    let buttons = move || {
        view! {
            <Show when=runs>
                <button type="button" on:click=move |_| compare.stop_one()>
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
    // An answer, or a question that was asked after one, with the model that it waits for.
    let row = move |id: Id| {
        let message = kernel.chats().message(id)?;
        Some(match message.role {
            Role::User => view! {
                <p class="sides-question side-next" dir="auto">{excerpt(&message, &[])}</p>
                <WaitingWords question=id />
            }
            .into_any(),
            _ => view! { <AnswerText id /> }.into_any(),
        })
    };

    view! {
        <Column title note is_active buttons>
            <For each=move || column.get() key=|id| *id children=row />
        </Column>
    }
}

/// The field below the answers, which asks all of their models. Its text is the draft of the chat, so it is kept when the
/// dialog is closed.
#[component]
fn FollowUp(
    /// The question whose answers are side by side.
    question: Id,
    /// What goes along with the draft.
    goes_along: ViewFn,
) -> impl IntoView {
    let (kernel, compare) = (use_kernel(), Compare::expect());
    let draft = kernel.drafts().draft;
    let is_blank = move || draft.with(|draft| draft.trim().is_empty());
    let may_ask = move || kernel.answers().can_send() && !is_blank();
    let ask = move || {
        if untrack(may_ask) {
            _ = compare.ask_all(question);
        }
    };
    let on_keydown = move |event: KeyboardEvent| {
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
