//! Instructions to start Ollama.

use leptos::prelude::*;

/// How to start Ollama, install it, or connect to another machine.
#[component]
pub fn StartSteps() -> impl IntoView {
    view! {
        <ul class="steps">
            <li>
                "Installed already? Start it: "
                <code>"ollama serve"</code>
                ", or open the Ollama app."
            </li>
            <li>
                "Not yet? Get it from "
                <a href="https://ollama.com/download" target="_blank" rel="noopener noreferrer">
                    "ollama.com/download"
                </a>
                "."
            </li>
            <li>
                "Somewhere else? Start Sash with "
                <code>"--ollama http://HOST:11434"</code>
                "."
            </li>
        </ul>
    }
}
