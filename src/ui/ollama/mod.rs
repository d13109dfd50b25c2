//! Ollama is not there, or has no model: what to do about it.

mod pull;
mod token;

pub use token::TokenForm;

use super::app::session;
use crate::wire::Upstream;
use leptos::prelude::*;
use pull::{PullDialog, PullForm};

/// The panel; nothing when all is well.
#[component]
pub fn OllamaPanel() -> impl IntoView {
    let session = session();
    let ollama = session.ollama;
    let away = Memo::new(move |_| {
        let state = ollama.state.get()?;
        (!state.reachable && !ollama.needs_token.get()).then(|| {
            let sentence = state.fault.map(|fault| fault.to_string());
            (state.address, sentence)
        })
    });
    let no_model = Memo::new(move |_| {
        ollama.is_reachable() && ollama.listed.get() && ollama.models.with(Vec::is_empty)
    });
    let roomy = Memo::new(move |_| session.path.with(Vec::is_empty));
    view! {
        {move || away.get().map(|(address, sentence)| view! { <Away address sentence roomy/> })}
        <Show when=move || no_model.get()>
            <section class="panel" aria-label="Ollama" data-roomy=move || roomy.get().to_string()>
                <h2>"No model yet"</h2>
                <p>
                    "Ollama is running but has no model that can chat. Pull one by its name; "
                    <code>"llama3.2"</code>" is a good small one (2 GB). More names are at ollama.com/library."
                </p>
                <PullForm/>
            </section>
        </Show>
        <PullDialog/>
    }
}

#[component]
fn Away(address: String, sentence: Option<String>, roomy: Memo<bool>) -> impl IntoView {
    let session = session();
    let refused = sentence.filter(|sentence| !sentence.contains("not reachable"));
    view! {
        <section class="panel" aria-label="Ollama" data-roomy=move || roomy.get().to_string()>
            <h2>"Ollama is not reachable"</h2>
            <p>"Sash looked at "<code>{address}</code>". It keeps looking and goes on by itself."</p>
            {refused.map(|sentence| view! { <p>{sentence}</p> })}
            <Show when=move || roomy.get()>
                <ul class="steps">
                    <li>"Installed already? Start it: "<code>"ollama serve"</code>", or open the Ollama app."</li>
                    <li>
                        "Not yet? Get it from "
                        <a href="https://ollama.com/download" target="_blank" rel="noopener noreferrer">
                            "ollama.com/download"
                        </a>
                        "."
                    </li>
                    <li>"Somewhere else? Start Sash with "<code>"--ollama http://HOST:11434"</code>"."</li>
                </ul>
            </Show>
            <button class="primary" on:click=move |_| session.use_upstream(Upstream::Demo)>"Try the demo"</button>
        </section>
    }
}
