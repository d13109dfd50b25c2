//! A text shown verbatim.

use crate::parts::use_copied;
use leptos::prelude::*;
use sash_browser_kit::clipboard;
use sash_ui_kit::Icon;
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
    let (icon, follow) = use_copied();
    let copy = move |_| follow(Box::pin(clipboard::copy(text.get_untracked())));

    view! {
        <div class="literal">
            <button type="button" class="copy" aria-label=t!(panel.copy, name = &name) on:click=copy>
                {move || view! { <Icon name=icon.get() /> }}
                {t!(common.copy)}
            </button>
            <pre tabindex="0" role="region" aria-label=name>
                {move || text.get()}
            </pre>
        </div>
    }
}
