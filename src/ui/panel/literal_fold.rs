//! A disclosure with a text to copy.

use super::literal::Literal;
use leptos::html::Details;
use leptos::prelude::*;

/// A disclosure with a verbatim text, which is computed only while it is open.
#[component]
pub fn LiteralFold(
    /// Its name.
    name: &'static str,
    /// The text.
    text: Signal<String>,
) -> impl IntoView {
    let details = NodeRef::<Details>::new();
    let open = RwSignal::new(false);
    let note_toggle = move |_| {
        if let Some(details) = details.get_untracked() {
            open.set(details.open());
        }
    };

    view! {
        <details node_ref=details on:toggle=note_toggle>
            <summary>{name}</summary>
            <Show when=move || open.get()>
                <Literal name text />
            </Show>
        </details>
    }
}
