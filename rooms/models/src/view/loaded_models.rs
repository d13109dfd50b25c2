//! The models in memory.

use super::memory_button::MemoryButton;
use super::words::{place, stay};
use crate::Models;
use leptos::prelude::*;
use sash_chat::ModelId;
use sash_view::stores::use_kernel;
use sash_wire::{LoadedModel, short_name};
use sash_words::{count::grouped, t};

/// What is loaded now, where, and until when.
#[component]
pub fn LoadedModels() -> impl IntoView {
    let engine = use_kernel().engine();
    let loaded = Memo::new(move |_| engine.loaded());

    view! {
        <section aria-labelledby="loaded-title">
            <h3 id="loaded-title">{t!(models.loaded)}</h3>
            <Show
                when=move || !loaded.with(Vec::is_empty)
                fallback=|| {
                    view! {
                        <p class="models-hint">
                            {t!(models.no_model_loaded)}
                        </p>
                    }
                }
            >
                <ul class="loaded-models">
                    <For
                        each=move || loaded.get()
                        key=|(id, model)| (id.clone(), model.size, model.size_vram, model.is_asleep)
                        let((id, model))
                    >
                        <LoadedModelRow loaded id model />
                    </For>
                </ul>
            </Show>
        </section>
    }
}

/// A loaded model: how much memory it takes and where, its context, the time left, and *Unload*.
#[component]
fn LoadedModelRow(
    /// All loaded models, for what changes of this one.
    loaded: Memo<Vec<(ModelId, LoadedModel)>>,
    /// The model with its engine.
    id: ModelId,
    /// What its engine says of it.
    model: LoadedModel,
) -> impl IntoView {
    let kernel = use_kernel();
    let models = Models::expect();
    let of_it = id.clone();
    let of_engine = id.engine.clone();
    let engine = move || {
        let name = kernel.engine().shown_name(of_engine.as_deref())?;
        Some(view! { <span class="models-hint">{t!(models.on_engine, name = &name)} " · "</span> })
    };
    let facts = move || {
        let now = models.now.get();
        loaded.with(|all| {
            let model = all.iter().find(|(other, _)| *other == id);
            let facts = model.map(|(_, model)| {
                let context = model.context_length.map(grouped);
                let context = context.map_or_else(String::new, |n| t!(models.context, n = &n));
                [context, stay(model, now)]
            });
            let facts = facts.into_iter().flatten();
            let facts = facts.filter(|fact| !fact.is_empty());
            facts.map(|fact| format!(" · {fact}")).collect::<String>()
        })
    };

    view! {
        <li class="loaded-model">
            <span class="loaded-words">
                <strong>
                    <bdi>{short_name(&model.name).to_owned()}</bdi>
                </strong>
                " "
                {engine}
                <span class="models-hint">{place(&model)}{facts}</span>
            </span>
            <MemoryButton model=of_it can_load=false />
        </li>
    }
}
