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
    /// The model's key.
    #[prop(into)]
    model: String,
    /// Whether the model can be loaded by itself: an embedding model is loaded by what embeds with it, and a
    /// cloud model not at all.
    #[prop(into)]
    can_load: Signal<bool>,
) -> impl IntoView {
    let kernel = use_kernel();
    let models = Models::expect();
    let id = ModelId::from(&*model);
    let short = short_name(&id.name).to_owned();
    let model = StoredValue::new(model);
    let action = Memo::new(move |_| model.with_value(|model| models.action(model)));
    let loaded = id.clone();
    let is_loaded = Memo::new(move |_| kernel.engine().is_loaded(&loaded) == Some(true));
    // Another page, or a prompt, may have begun to load it.
    let loading = Memo::new(move |_| kernel.engine().loading_of(&id));
    let is_loading = Memo::new(move |_| loading.with(Option::is_some));
    let is_offered =
        move || can_load.get() || is_loaded.get() || is_loading.get() || action.get().is_some();
    let progress = move || {
        let percent = loading.get()?.percent;
        Some(match percent {
            Some(percent) => t!(models.loading_percent, percent = percent),
            None => t!(models.loading).to_owned(),
        })
    };
    let words = move || match (action.get(), is_loaded.get()) {
        (Some(ModelAction::Load), _) => t!(models.cancel_loading),
        (None, false) if is_loading.get() => t!(models.cancel_loading),
        (Some(ModelAction::Unload), _) => t!(models.unloading),
        (Some(ModelAction::Delete), _) => t!(models.deleting),
        (None, true) => t!(models.unload),
        (None, false) => t!(models.load),
    };
    let press = move |_| {
        model.with_value(
            |model| match (action.get_untracked(), is_loaded.get_untracked()) {
                (Some(ModelAction::Load), _) => models.cancel(model),
                (Some(_), _) => {}
                (None, false) if is_loading.get_untracked() => models.cancel(model),
                (None, true) => models.unload(model),
                (None, false) => models.load(model),
            },
        );
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
                disabled=move || !kernel.engine().is_reachable()
                on:click=press
            >
                {words}
            </button>
        </Show>
    }
}
