//! The dialog of the library.

use super::LibraryContext;
use super::export_reminder::ExportReminder;
use super::library_context::tab_id;
use super::library_tabs::{LibraryTabs, TABS};
use crate::ui::stores::use_stores;
use leptos::prelude::*;
use sash_browser_kit::page;
use sash_state::AllChatsPlace;
use sash_ui_kit::DialogFrame;
use sash_words::t;

/// The dialog. It reads nothing before it is opened for the first time; its content is built when it opens
/// and removed when it closes.
#[component]
pub fn LibraryDialog() -> impl IntoView {
    let library = LibraryContext::new(use_stores());
    provide_context(library);
    let shown = library.stores.view().all_chats;
    let tab = Memo::new(move |_| shown.get().map(|shown| shown.tab));
    let is_open = Memo::new(move |_| tab.get().is_some());
    Effect::new(move |has_begun: Option<bool>| {
        let has_begun = has_begun.unwrap_or(false);
        if is_open.get() && !has_begun {
            untrack(|| library.begin());
        }
        has_begun || is_open.get()
    });

    let dialog = view! {
        <DialogFrame
            class="dialog-tall library"
            title_id="library-title"
            title=t!(library.all_chats)
            shown=is_open
            on_close=move || shown.set(None)
        >
            <Show when=move || is_open.get()>
                <LibraryTabs />
                <ExportReminder />
            </Show>
            <ShowLet some=tab let:tab>
                <div
                    class="library-panel"
                    id="library-panel"
                    role="tabpanel"
                    aria-labelledby=tab_id(tab)
                >
                    {TABS.iter().find(|other| other.name == tab).map(|tab| (tab.view)())}
                </div>
            </ShowLet>
            // The page's live region is inert while the dialog is open.
            <div role="status" class="visually-hidden">
                {move || library.status.get()}
            </div>
        </DialogFrame>
    };
    // After the dialog's own effect, because opening it focuses its first button.
    Effect::new(move || {
        if is_open.get()
            && let Some(shown) = shown.get_untracked()
        {
            focus_first(shown);
        }
    });
    dialog
}

/// Moves focus to what a tab begins with, where no other element is named.
fn focus_first(shown: AllChatsPlace) {
    let tab = TABS.iter().find(|tab| tab.name == shown.tab);
    let first = shown.focus.or_else(|| tab?.first);
    let id = first.map_or_else(|| tab_id(shown.tab), str::to_owned);
    page::focus_id_soon(id);
}
