//! A text of a model.

use leptos::prelude::*;

/// A text of a model, folded; a line that says so if there is none.
#[component]
pub fn DetailsText(
    /// Its title.
    title: &'static str,
    /// The text.
    text: String,
) -> impl IntoView {
    let is_empty = text.trim().is_empty();

    view! {
        <Show
            when=move || !is_empty
            fallback=move || view! { <p class="models-hint details-none">{title} ": none"</p> }
        >
            <details class="details-text">
                <summary>{title}</summary>
                <pre tabindex="0" role="group" aria-label=title>
                    {text.clone()}
                </pre>
            </details>
        </Show>
    }
}
