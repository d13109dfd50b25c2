//! The engine that answers.

use crate::ui::parts::plural;
use crate::ui::stores::use_stores;
use leptos::prelude::*;
use sash_state::Stores;
use sash_wire::SubPage;

/// The engine that answers: where it is, whether it can be reached, and how many models it has.
#[component]
pub fn EngineSection() -> impl IntoView {
    let stores = use_stores();

    view! {
        <section aria-labelledby="settings-engine">
            <h3 id="settings-engine">"Engine"</h3>
            <p role="status">{move || engine_words(stores)}</p>
            <div class="setting-buttons">
                <button
                    type="button"
                    disabled=move || stores.engine.looking.get()
                    on:click=move |_| stores.engine.look_again()
                >
                    "Look again"
                </button>
                <Show when=move || stores.engine.is_reachable() && !stores.engine.is_demo()>
                    <button
                        type="button"
                        on:click=move |_| stores.view.sub_page.set(Some(SubPage::Models))
                    >
                        "Manage models…"
                    </button>
                </Show>
            </div>
        </section>
    }
}

/// "Ollama 0.33.0 at 127.0.0.1:11434 answers. 3 models."
fn engine_words(stores: Stores) -> String {
    let engine = stores.engine;
    engine.state.with(|state| match state {
        None if engine.server_gone.get() => "Sash itself does not answer.".to_owned(),
        None => "Looking for Ollama …".to_owned(),
        Some(_) if engine.is_demo() => {
            "The demo answers. It is no language model: it only tells what it was given.".to_owned()
        }
        Some(state) if state.reachable => {
            let version = state.version.as_deref().unwrap_or_default();
            let models = plural(engine.models.with(Vec::len), "model");
            format!("Ollama {version} at {} answers. {models}.", state.address)
        }
        Some(state) => format!("Ollama at {} does not answer.", state.address),
    })
}
