//! A text shown verbatim.

use crate::browser::clipboard;
use crate::ui::parts::{Icon, IconName};
use crate::ui::stores::use_stores;
use leptos::prelude::*;

/// A text shown verbatim, and a button that copies it.
#[component]
pub fn Literal(
    /// Its name.
    name: &'static str,
    /// The text.
    #[prop(into)]
    text: Signal<String>,
) -> impl IntoView {
    let stores = use_stores();
    let copy = move |_| {
        let text = text.get_untracked();
        leptos::task::spawn_local(async move {
            let copied = clipboard::copy(text).await;
            stores.notices.announce_copied(copied);
        });
    };

    view! {
        <div class="literal">
            <button type="button" class="copy" aria-label=format!("Copy {name}") on:click=copy>
                <Icon name=IconName::Copy />
                "Copy"
            </button>
            <pre tabindex="0" role="region" aria-label=name>
                {move || text.get()}
            </pre>
        </div>
    }
}
