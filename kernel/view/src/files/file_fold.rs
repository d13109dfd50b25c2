//! A file of a question, folded.

use leptos::prelude::*;
use sash_markdown::visible;

/// A file that goes with a question. Its text is in the page once it was unfolded.
#[component]
pub fn FileFold(
    /// Its name.
    name: String,
    /// Its text.
    text: String,
    /// How long it is.
    #[prop(into)]
    length: Signal<String>,
    /// The beginning of its text, where that helps to know it.
    #[prop(optional)]
    beginning: String,
) -> impl IntoView {
    let unfolded = RwSignal::new(false);
    let text = StoredValue::new(visible(&text));

    view! {
        <details class="file-fold" on:toggle=move |_| unfolded.set(true)>
            <summary>
                <span dir="auto">{visible(&name)}</span>
                {(!beginning.is_empty())
                    .then(|| {
                        view! {
                            <span class="file-beginning" dir="auto">
                                {visible(&beginning)}
                            </span>
                        }
                    })}
                <span class="library-note">{length}</span>
            </summary>
            <Show when=move || unfolded.get()>
                <pre tabindex="0" dir="auto">
                    {text.get_value()}
                </pre>
            </Show>
        </details>
    }
}
