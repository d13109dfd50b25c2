//! The pulls.

use super::pull_dialog::PullNameForm;
use super::pull_row::PullRow;
use crate::{PullState, Pulls};
use leptos::prelude::*;
use sash_view::stores::use_kernel;
use sash_wire::EngineAction;
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
    let hint = Signal::derive(move || {
        let engine = pulls.target();
        match kernel.engine().is_openai(engine.as_deref()) {
            true => t!(
                models.pull_hint_hugging_face,
                engine = kernel.engine().title(engine.as_deref())
            ),
            false => t!(models.pull_hint_ollama).to_owned(),
        }
    });

    view! {
        <section aria-labelledby="pull-section-title">
            <h3 id="pull-section-title">{t!(common.pull)}</h3>
            <PullTarget />
            <PullNameForm label=t!(models.pull_name_label) chooses=false hint />
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
