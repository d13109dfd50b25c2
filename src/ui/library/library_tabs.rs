//! The tabs of the library.

use super::LibraryContext;
use crate::browser::language::along_line;
use leptos::prelude::*;
use sash_browser_kit::page;
use sash_state::LibraryTab;
use sash_words::t;
use web_sys::KeyboardEvent;

/// The list of tabs. The arrow keys, Home and End select a tab.
#[component]
pub fn LibraryTabs() -> impl IntoView {
    let library = expect_context::<LibraryContext>();
    let tabs = LibraryTab::ALL.map(|tab| {
        let chosen = move || library.tab.get() == Some(tab);
        view! {
            <button
                type="button"
                class="library-tab"
                role="tab"
                id=tab_id(tab)
                node_ref=library.tab_button(tab)
                aria-selected=move || chosen().to_string()
                aria-controls=move || chosen().then_some("library-panel")
                tabindex=move || if chosen() { "0" } else { "-1" }
                on:click=move |_| library.tab.set(Some(tab))
            >
                {title(tab)}
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
            {tabs.into_iter().collect_view()}
        </div>
    }
}

/// The id of a tab's button.
pub fn tab_id(tab: LibraryTab) -> String {
    format!("library-{}", tab.name())
}

/// The title of a tab.
fn title(tab: LibraryTab) -> &'static str {
    match tab {
        LibraryTab::Search => t!(common.search),
        LibraryTab::Trash => t!(common.trash),
        LibraryTab::Storage => t!(common.storage),
        LibraryTab::Transfer => t!(library.export_import),
    }
}

fn choose_by_key(library: LibraryContext, event: &KeyboardEvent) {
    let all = LibraryTab::ALL;
    let now = library.tab.get_untracked();
    let at = all.iter().position(|tab| Some(*tab) == now);
    let at = at.unwrap_or_default();
    let to = match along_line(&event.key()) {
        "ArrowRight" => (at + 1) % all.len(),
        "ArrowLeft" => (at + all.len() - 1) % all.len(),
        "Home" => 0,
        "End" => all.len() - 1,
        _ => return,
    };
    event.prevent_default();
    library.tab.set(Some(all[to]));
    page::focus(library.tab_button(all[to]));
}
