//! Loads or unloads a model.

use crate::{ModelAction, Models};
use leptos::prelude::*;
use sash_chat::ModelId;
use sash_view::stores::use_kernel;
use sash_wire::short_name;
use sash_words::t;

/// The button that loads a model or unloads it, and while a load runs cancels it.
#[component]
pub fn MemoryButton(
    /// The model.
    model: ModelId,
    /// Whether the model can be loaded by itself: an embedding model is loaded by what embeds with it, and a
    /// cloud model not at all.
    #[prop(into)]
    can_load: Signal<bool>,
) -> impl IntoView {
    let (engine, models) = (use_kernel().engine(), Models::expect());
    let short = short_name(&model.name).to_owned();
    let model = StoredValue::new(model);
    let action = Memo::new(move |_| model.with_value(|model| models.action(model)));
    let is_loaded = Memo::new(move |_| {
        let is_loaded = model.with_value(|model| engine.is_loaded(model));
        is_loaded == Some(true)
    });
    // Another page, or a prompt, may have begun to load it.
    let loading = Memo::new(move |_| model.with_value(|model| engine.loading_of(model)));
    let is_loading = Memo::new(move |_| loading.with(Option::is_some));
    let is_offered =
        move || can_load.get() || is_loaded.get() || is_loading.get() || action.get().is_some();
    let can_cancel = move || match action.get() {
        Some(action) => action == ModelAction::Load,
        None => !is_loaded.get() && is_loading.get(),
    };
    let progress = move || {
        let percent = loading.get()?.percent;
        Some(match percent {
            Some(percent) => t!(models.loading_percent, percent = percent),
            None => t!(models.loading).to_owned(),
        })
    };
    let words = move || match action.get() {
        _ if can_cancel() => t!(models.cancel_loading),
        Some(ModelAction::Delete) => t!(models.deleting),
        Some(_) => t!(models.unloading),
        None if is_loaded.get() => t!(models.unload),
        None => t!(models.load),
    };
    let press = move |model: &ModelId| match action.get() {
        _ if can_cancel() => models.cancel(model),
        Some(_) => {}
        None if is_loaded.get() => models.unload(model),
        None => models.load(model),
    };

    view! {
        <Show when=is_offered>
            <span class="models-hint model-loading">{progress}</span>
            <button
                type="button"
                aria-label={
                    let short = short.clone();
                    move || format!("{} {short}", words())
                }
                disabled=move || !engine.is_reachable()
                on:click=move |_| untrack(|| model.with_value(press))
            >
                {words}
            </button>
        </Show>
    }
}
