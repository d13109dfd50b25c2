//! The pulls.

use super::pull_fault::PullFault;
use super::pull_name_form::PullNameForm;
use super::pull_progress::PullProgress;
use crate::{PullState, Pulls};
use leptos::prelude::*;
use sash_chat::ModelId;
use sash_view::stores::use_kernel;
use sash_wire::{EngineAction, Fault};
use sash_words::t;

/// The form for a name, and all pulls that are not complete.
#[component]
pub fn PullSection() -> impl IntoView {
    let kernel = use_kernel();
    let pulls = Pulls::expect();
    let models = Memo::new(move |_| {
        let models = |all: &Vec<PullState>| {
            let models = all.iter().map(|pull| pull.model.clone());
            models.collect::<Vec<_>>()
        };
        pulls.all.with(models)
    });
    let refused = RwSignal::new(None::<Fault>);
    let hint = move || {
        refused
            .with(|fault| fault.as_ref().map(Fault::to_string))
            .unwrap_or_else(|| {
                let engine = pulls.target();
                match kernel.engine().is_openai(engine.as_deref()) {
                    true => t!(
                        models.by_its_name_at_hugging_face,
                        engine = kernel.engine().title(engine.as_deref())
                    ),
                    false => t!(models.by_its_name_in_ollamas_library).to_owned(),
                }
            })
    };

    view! {
        <section aria-labelledby="pull-section-title">
            <h3 id="pull-section-title">{t!(common.pull)}</h3>
            <PullTarget />
            <PullNameForm
                label=t!(models.name_of_a_model_to_pull)
                hint_id="pull-hint"
                refused
                start=move |model| pulls.start(model)
            />
            <p class="models-hint" id="pull-hint" role="status">
                {hint}
            </p>
            <ul class="pulls">
                <For each=move || models.get() key=Clone::clone let:model>
                    <PullRow model />
                </For>
            </ul>
        </section>
    }
}

/// The choice of the engine that a pull goes into, where several can pull.
#[component]
fn PullTarget() -> impl IntoView {
    let kernel = use_kernel();
    let pulls = Pulls::expect();
    let able = Memo::new(move |_| kernel.engine().all_that_can(EngineAction::Pull));
    let are_several = Memo::new(move |_| able.with(Vec::len) > 1);
    let options = move || {
        let name = |engine: &Option<String>| kernel.engine().name_of(engine.as_deref());
        let able = able.get();
        let options = able.iter().filter_map(name);
        options
            .map(|name| view! { <option value=name.clone()>{name.clone()}</option> })
            .collect_view()
    };
    let choose = move |chosen: String| {
        let is_it = |engine: &Option<String>| {
            kernel.engine().name_of(engine.as_deref()).as_ref() == Some(&chosen)
        };
        let found = able.with_untracked(|able| able.iter().find(|engine| is_it(engine)).cloned());
        pulls.chosen.set(found);
    };

    view! {
        <Show when=move || are_several.get()>
            <label class="pull-target">
                {t!(models.pull_into)} " "
                <select
                    prop:value=move || {
                        kernel.engine().name_of(pulls.target().as_deref()).unwrap_or_default()
                    }
                    on:change:target=move |event| choose(event.target().value())
                >
                    {options}
                </select>
            </label>
        </Show>
    }
}

/// A pull with its bars, why it failed, and the buttons that stop, resume and remove it.
#[component]
fn PullRow(
    /// The model.
    model: ModelId,
) -> impl IntoView {
    let kernel = use_kernel();
    let pulls = Pulls::expect();
    // Two engines may pull models of one name.
    let name = match untrack(|| kernel.engine().shown_name(model.engine.as_deref())) {
        Some(engine) => model.name.clone() + &t!(models.on_engine, name = &engine),
        None => model.name.clone(),
    };
    let name = StoredValue::new(name);
    let of = StoredValue::new(model.clone());
    let is_active = Memo::new(move |_| of.with_value(|of| pulls.with(of, PullState::is_active)));
    let fault = Memo::new(move |_| of.with_value(|of| pulls.with(of, |p| p.fault().cloned())));
    let can_resume = Memo::new(move |_| of.with_value(|of| pulls.with(of, PullState::can_resume)));
    let words = move || match is_active.get() {
        true => t!(common.stop),
        false => t!(models.resume),
    };
    let toggle = move |_| {
        of.with_value(|of| match is_active.get_untracked() {
            true => pulls.stop(of),
            false => pulls.resume(of),
        });
    };

    view! {
        <li class="pull">
            <PullProgress model />
            <ShowLet some=fault let:fault>
                <PullFault fault />
            </ShowLet>
            <div class="panel-buttons">
                <Show when=move || is_active.get() || can_resume.get()>
                    <button
                        type="button"
                        aria-label=move || name.with_value(|name| format!("{} {name}", words()))
                        on:click=toggle
                    >
                        {words}
                    </button>
                </Show>
                <Show when=move || !is_active.get()>
                    <button
                        type="button"
                        aria-label=name.with_value(|name| t!(models.remove, name = &name))
                        on:click=move |_| of.with_value(|of| pulls.remove(of))
                    >
                        {t!(common.remove)}
                    </button>
                </Show>
            </div>
        </li>
    }
}
