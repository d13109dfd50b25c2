//! The tabs of the library.

use super::export_section::TransferTab;
use super::library_context::tab_id;
use super::search_tab::{FIELD_ID, SearchTab};
use super::storage_tab::StorageTab;
use super::trash_tab::TrashTab;
use crate::browser::language::along_line;
use crate::ui::stores::use_stores;
use leptos::prelude::*;
use sash_browser_kit::page;
use sash_state::View;
use sash_words::t;
use web_sys::KeyboardEvent;

/// A tab of the library.
pub struct LibraryTab {
    /// Its name.
    pub name: &'static str,
    /// Its title.
    title: fn() -> &'static str,
    /// The id of the element that takes the focus when the library opens at the tab; `None` for the tab's button.
    pub first: Option<&'static str>,
    /// What it shows.
    pub view: fn() -> AnyView,
}

/// All tabs, in the order of display.
pub const TABS: [LibraryTab; 4] = [
    LibraryTab {
        name: "search",
        title: || t!(common.search),
        first: Some(FIELD_ID),
        view: || view! { <SearchTab /> }.into_any(),
    },
    LibraryTab {
        name: "trash",
        title: || t!(common.trash),
        first: None,
        view: || view! { <TrashTab /> }.into_any(),
    },
    LibraryTab {
        name: "storage",
        title: || t!(common.storage),
        first: None,
        view: || view! { <StorageTab /> }.into_any(),
    },
    LibraryTab {
        name: "transfer",
        title: || t!(library.export_import),
        first: None,
        view: || view! { <TransferTab /> }.into_any(),
    },
];

/// The list of tabs. The arrow keys, Home and End select a tab.
#[component]
pub fn LibraryTabs() -> impl IntoView {
    let shown = use_stores().view();
    let tabs = TABS.map(|tab| {
        let name = tab.name;
        let chosen = move || {
            shown
                .all_chats
                .with(|all| all.is_some_and(|all| all.tab == name))
        };
        view! {
            <button
                type="button"
                class="library-tab"
                role="tab"
                id=tab_id(name)
                aria-selected=move || chosen().to_string()
                aria-controls=move || chosen().then_some("library-panel")
                tabindex=move || if chosen() { "0" } else { "-1" }
                on:click=move |_| shown.show_all_chats(name)
            >
                {(tab.title)()}
            </button>
        }
    });

    view! {
        <div
            class="library-tabs"
            role="tablist"
            aria-labelledby="library-title"
            on:keydown=move |event| choose_by_key(shown, &event)
        >
            {tabs.into_iter().collect_view()}
        </div>
    }
}

fn choose_by_key(view: View, event: &KeyboardEvent) {
    let now = view.all_chats.get_untracked().map(|shown| shown.tab);
    let at = TABS.iter().position(|tab| Some(tab.name) == now);
    let at = at.unwrap_or_default();
    let to = match along_line(&event.key()) {
        "ArrowRight" => (at + 1) % TABS.len(),
        "ArrowLeft" => (at + TABS.len() - 1) % TABS.len(),
        "Home" => 0,
        "End" => TABS.len() - 1,
        _ => return,
    };
    event.prevent_default();
    view.show_all_chats(TABS[to].name);
    page::focus_id_soon(tab_id(TABS[to].name));
}
