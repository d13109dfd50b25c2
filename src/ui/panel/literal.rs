//! A text shown verbatim.

use crate::browser::clipboard;
use crate::ui::parts::{Copied, Icon};
use leptos::prelude::*;
use sash_words::t;

/// A text shown verbatim, and a button that copies it.
#[component]
pub fn Literal(
    /// Its name.
    name: &'static str,
    /// The text.
    #[prop(into)]
    text: Signal<String>,
) -> impl IntoView {
    let copied = Copied::new();
    let copy = move |_| {
        let text = text.get_untracked();
        leptos::task::spawn_local(async move {
            let is_copied = clipboard::copy(text).await;
            copied.note(is_copied);
        });
    };

    view! {
        <div class="literal">
            <button type="button" class="copy" aria-label=t!(panel.copy, name = &name) on:click=copy>
                {move || view! { <Icon name=copied.icon().get() /> }}
                {t!(common.copy)}
            </button>
            <pre tabindex="0" role="region" aria-label=name>
                {move || text.get()}
            </pre>
        </div>
    }
}
