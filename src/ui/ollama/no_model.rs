//! Ollama has no model.

use super::ollama_section::OllamaSection;
use super::pull_form::PullForm;
use leptos::prelude::*;

/// Says that Ollama has no model, and offers to pull one.
#[component]
pub fn NoModel() -> impl IntoView {
    view! {
        <OllamaSection>
            <h2>"No model yet"</h2>
            <p>
                "Ollama is running but has no model that can chat. Pull one by its name; "
                <code>"llama3.2"</code>
                " is a good small one (2 GB). More names are at ollama.com/library."
            </p>
            <PullForm />
        </OllamaSection>
    }
}
