//! The models in memory.

use super::loaded_model::LoadedModelRow;
use crate::ui::stores::use_stores;
use leptos::prelude::*;

/// What is loaded now, where, and until when.
#[component]
pub fn LoadedModels() -> impl IntoView {
    let engine = use_stores().engine;
    let loaded = Memo::new(move |_| engine.loaded());

    view! {
        <section aria-labelledby="loaded-title">
            <h3 id="loaded-title">"Loaded"</h3>
            <Show
                when=move || !loaded.with(Vec::is_empty)
                fallback=|| {
                    view! {
                        <p class="models-hint">
                            "No model is in memory. Ollama loads one with its first prompt, or here."
                        </p>
                    }
                }
            >
                <ul class="loaded-models">
                    <For
                        each=move || loaded.get()
                        key=|(id, model)| (id.clone(), model.size, model.size_vram)
                        let((id, model))
                    >
                        <LoadedModelRow loaded id model />
                    </For>
                </ul>
            </Show>
        </section>
    }
}
