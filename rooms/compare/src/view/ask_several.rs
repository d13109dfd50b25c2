//! The choice of the models for one question: two to four for a draft, one to three beside an answer that is there.

use super::ask_with_dialog::DoesNotFit;
use super::model_groups::ModelGroups;
use crate::{MAX_SIDES, SideBySide};
use leptos::prelude::*;
use recall::RecallLines;
use sash_chat::{Id, ModelId, excerpt};
use sash_view::model_words::{abilities, name};
use sash_view::stores::use_kernel;
use sash_wire::ModelInfo;
use sash_words::t;

/// The question, the models, and the button that asks them.
#[component]
pub fn AskSeveral(
    /// The answer whose question is asked; without one it is the draft's.
    of: Option<Id>,
    /// What goes along with the draft.
    goes_along: ViewFn,
) -> impl IntoView {
    let kernel = use_kernel();
    let store = SideBySide::expect();
    let chosen = RwSignal::new(
        kernel
            .steering()
            .model
            .get_untracked()
            .filter(|model| {
                of.is_none() && untrack(|| !kernel.engine().is_away(model.engine.as_deref()))
            })
            .into_iter()
            .collect::<Vec<ModelId>>(),
    );
    // The answer at which the dialog was opened is a column already.
    let (least, most, hint) = match of {
        Some(_) => (1, MAX_SIDES - 1, t!(compare.choose_one_to_three_more)),
        None => (2, MAX_SIDES, t!(compare.choose_two_to_four_models)),
    };
    let is_blank = move || kernel.drafts().draft.with(|draft| draft.trim().is_empty());
    // The engine of a model may have gone away since it was chosen.
    let asked_models = move || {
        let mut models = chosen.get();
        models.retain(|model| !kernel.engine().is_away(model.engine.as_deref()));
        models
    };
    let is_ready = move || {
        let count = asked_models().len();
        (least..=most).contains(&count)
            && kernel.answers().can_send()
            && (of.is_some() || !is_blank())
    };
    let ask = move |_| {
        if untrack(is_ready) {
            _ = store.ask(of, &untrack(asked_models));
        }
    };
    let asked = of.and_then(|answer| kernel.answers().asked(answer));
    let asked = asked.and_then(|(question, _)| kernel.chats().message(question));
    let question = match asked {
        Some(message) => {
            view! { <p class="sides-question" dir="auto">{excerpt(&message, &[])}</p> }.into_any()
        }
        None => view! {
            <label class="several-question">
                <span>{t!(compare.question)}</span>
                <textarea
                    dir="auto"
                    rows="3"
                    autocomplete="off"
                    prop:value=kernel.drafts().draft.get_untracked()
                    on:input=move |event| kernel.drafts().set_text(&event_target_value(&event))
                ></textarea>
            </label>
        }
        .into_any(),
    };

    view! {
        <div class="ask-with">
            {of.is_none().then(|| goes_along.run())}
            {question}
            <p class="hint-line">{hint}</p>
            <DoesNotFit />
            <ModelGroups row=move |model, is_away| view! { <ModelBox model is_away chosen most /> } />
            <div class="edit-buttons">
                <button
                    type="button"
                    class="primary"
                    disabled=move || !is_ready()
                    on:click=ask
                >
                    {move || t!(compare.ask_models, count = asked_models().len() as u64)}
                </button>
            </div>
        </div>
    }
}

/// A model with its box.
#[component]
fn ModelBox(
    /// The model.
    model: ModelInfo,
    /// Whether its engine does not answer.
    is_away: bool,
    /// The models that are chosen, in the order in which they were.
    chosen: RwSignal<Vec<ModelId>>,
    /// How many can be chosen.
    most: usize,
) -> impl IntoView {
    let id = model.id();
    let of_it = id.clone();
    let is_chosen = Memo::new(move |_| chosen.with(|all| all.contains(&of_it)));
    // What is chosen can be taken back, whatever has become of its engine.
    let is_off = move || !is_chosen.get() && (is_away || chosen.with(Vec::len) >= most);
    let key = id.key().into_owned();
    let toggle = move |event| {
        let on = event_target_checked(&event);
        chosen.update(|all| {
            all.retain(|known| *known != id);
            if on {
                all.push(id.clone());
            }
        });
    };

    view! {
        <label class="model-box" data-model=key>
            <input
                type="checkbox"
                prop:checked=move || is_chosen.get()
                disabled=is_off
                on:change=toggle
            />
            <span>{name(&model, None)}</span>
            " "
            <span class="count">{abilities(&model)}</span>
        </label>
    }
}
