//! The choice of other models for a question.

use super::does_not_fit::DoesNotFit;
use crate::{Compare, MAX_SIDES};
use leptos::prelude::*;
use sash_browser_kit::page;
use sash_chat::{Id, ModelId, excerpt};
use sash_stores::{SettingsStoreFields, models_to_choose};
use sash_view::model_words::{abilities, name};
use sash_view::stores::use_kernel;
use sash_wire::ModelInfo;
use sash_words::t;

/// One model for the question of an answer: a press asks it. The model that the chat has chosen stays chosen.
#[component]
pub fn ChooseModel(
    /// The answer.
    answer: Id,
) -> impl IntoView {
    let (kernel, compare) = (use_kernel(), Compare::expect());
    let ask = move |model: &ModelId| {
        if kernel.answers().answer_again_with(answer, model) {
            compare.close();
            // The answer from which it was asked is not on the branch any more.
            let last = kernel
                .chats()
                .path
                .with_untracked(|path| path.last().copied());
            if let Some(last) = last {
                page::focus_id_soon(format!("more-{last}"));
            }
        }
    };
    let row = move |model: ModelInfo, is_away: bool| {
        let id = model.id();
        view! {
            <button
                type="button"
                class="choice"
                data-model=id.key().into_owned()
                disabled=is_away
                on:click=move |_| ask(&id)
            >
                <span>{name(&model, None)}</span>
                " "
                <span class="count">{abilities(&model)}</span>
            </button>
        }
    };

    view! {
        <div class="ask-with one">
            <p class="hint-line">{t!(compare.answered_beside)}</p>
            <DoesNotFit />
            <ModelGroups row />
        </div>
    }
}

/// Several models for a question, and the button that asks them: two to four for a draft, one to three beside an answer that
/// is there.
#[component]
pub fn ChooseModels(
    /// The answer whose question is asked; without one it is the draft's.
    of: Option<Id>,
    /// What goes along with the draft.
    goes_along: ViewFn,
) -> impl IntoView {
    let (kernel, compare) = (use_kernel(), Compare::expect());
    let is_away = move |model: &ModelId| kernel.engine().is_away(model.engine.as_deref());
    let model = kernel.steering().model.get_untracked();
    let model = model.filter(|model| of.is_none() && untrack(|| !is_away(model)));
    let chosen = RwSignal::new(model.into_iter().collect::<Vec<ModelId>>());
    // The answer at which the dialog was opened is a column already.
    let (least, most, hint) = match of {
        Some(_) => (1, MAX_SIDES - 1, t!(compare.beside_answer_hint)),
        None => (2, MAX_SIDES, t!(compare.several_models_hint)),
    };
    let draft = kernel.drafts().draft;
    let is_blank = move || draft.with(|draft| draft.trim().is_empty());
    // The engine of a model may have gone away since it was chosen.
    let asked_models = move || {
        let mut models = chosen.get();
        models.retain(|model| !is_away(model));
        models
    };
    let is_ready = move || {
        (least..=most).contains(&asked_models().len())
            && kernel.answers().can_send()
            && (of.is_some() || !is_blank())
    };
    let ask = move |_| {
        if untrack(is_ready) {
            _ = compare.ask(of, &untrack(asked_models));
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
                    prop:value=draft.get_untracked()
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
            all.extend(on.then(|| id.clone()));
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

/// The models, those used last first, under the name of their engine where there are several; behind them those of the
/// engines that do not answer.
#[component]
fn ModelGroups<F, V>(
    /// A row of the list, by its model and whether the engine of that does not answer.
    row: F,
) -> impl IntoView
where
    F: Fn(ModelInfo, bool) -> V + Copy + Send + 'static,
    V: IntoView + 'static,
{
    let kernel = use_kernel();
    let engine = kernel.engine();
    let groups = Memo::new(move |_| {
        let recent = kernel.settings().current.recent_models().get();
        let models = engine.models;
        let models = models.with(|models| models_to_choose(models, &recent, ""));
        let away = models_to_choose(&engine.away_models(), &recent, "");
        let mut groups: Vec<(Option<String>, Vec<ModelInfo>)> = Vec::new();
        for model in models.into_iter().chain(away) {
            let mut known = groups.iter_mut();
            match known.find(|(engine, _)| *engine == model.engine) {
                Some((_, models)) => models.push(model),
                None => groups.push((model.engine.clone(), vec![model])),
            }
        }
        let named = groups.into_iter().map(|(of_engine, models)| {
            let is_away = engine.is_away(of_engine.as_deref());
            (engine.shown_name(of_engine.as_deref()), is_away, models)
        });
        let unknown = engine.away_without_models().into_iter();
        let unknown = unknown.map(|name| (Some(name), true, Vec::new()));
        named.chain(unknown).collect::<Vec<_>>()
    });
    let group = move |(title, is_away, models): (Option<String>, bool, Vec<ModelInfo>)| {
        let note = is_away.then(|| {
            view! { <span class="count">" · " {t!(common.engine_not_reachable)}</span> }
        });
        let rows = models.into_iter();
        let rows: Vec<_> = rows
            .map(|model| view! { <li>{row(model, is_away)}</li> })
            .collect();
        view! {
            {title.map(|title| view! { <h3>{title} {note}</h3> })}
            {(!rows.is_empty()).then(|| view! { <ul>{rows}</ul> })}
        }
    };

    move || groups.get().into_iter().map(group).collect_view()
}
