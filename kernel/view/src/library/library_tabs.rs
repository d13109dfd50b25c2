//! The tabs of the library.

use super::LibraryContext;
use super::library_context::LibraryTab;
use leptos::prelude::*;
use sash_browser_kit::page;
use sash_ui_kit::{ListEnds, along_line, walk};
use web_sys::KeyboardEvent;

/// The list of tabs. The arrow keys, Home and End select a tab.
#[component]
pub fn LibraryTabs() -> impl IntoView {
    let library = expect_context::<LibraryContext>();
    let tabs = library
        .tabs()
        .into_iter()
        .map(|LibraryTab { place, button }| {
            let name = place.name;
            let chosen = move || library.tab.get() == Some(name);
            view! {
                <button
                    type="button"
                    class="library-tab"
                    role="tab"
                    id=tab_id(name)
                    node_ref=button
                    aria-selected=move || chosen().to_string()
                    aria-controls=move || chosen().then_some("library-panel")
                    tabindex=move || if chosen() { "0" } else { "-1" }
                    on:click=move |_| library.tab.set(Some(name))
                >
                    {(place.title)()}
                </button>
            }
        });

    view! {
        <div
            class="library-tabs"
            role="tablist"
            aria-labelledby="library-title"
            on:keydown=move |event| choose_by_key(library, &event)
        >
            {tabs.collect_view()}
        </div>
    }
}

/// The id of a tab's button.
pub fn tab_id(name: &str) -> String {
    format!("library-{name}")
}

fn choose_by_key(library: LibraryContext, event: &KeyboardEvent) {
    let all = library.tabs();
    let now = library.tab.get_untracked();
    let at = all.iter().position(|tab| Some(tab.place.name) == now);
    let key = event.key();
    let key = match along_line(&key) {
        "ArrowRight" => "ArrowDown",
        "ArrowLeft" => "ArrowUp",
        "Home" | "End" => &key,
        _ => return,
    };
    let to = walk(key, at.unwrap_or_default(), all.len(), ListEnds::Wrap);
    if let Some(to) = to.and_then(|to| all.get(to)) {
        event.prevent_default();
        library.tab.set(Some(to.place.name));
        page::focus(to.button);
    }
}
