//! The dialog of the library.

use super::LibraryContext;
use super::library_tabs::{LibraryTabs, tab_id};
use crate::places::use_places;
use leptos::prelude::*;
use sash_ui_kit::DialogFrame;
use sash_words::t;

/// The dialog. It reads nothing before it is opened for the first time; its content is built when it opens
/// and removed when it closes.
#[component]
pub fn LibraryDialog() -> impl IntoView {
    let library = LibraryContext::new();
    provide_context(library);
    let places = use_places();
    let close = move || library.tab.set(None);
    let tab = Memo::new(move |_| {
        library
            .tab
            .get()
            .filter(|name| library.tab_named(name).is_some())
    });
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
            on_close=close
        >
            <Show when=move || is_open.get()>
                <LibraryTabs />
                {places.all_chats_lines.view()}
            </Show>
            <ShowLet some=tab let:tab>
                <div
                    class="library-panel"
                    id="library-panel"
                    role="tabpanel"
                    aria-labelledby=tab_id(tab)
                >
                    {
                        library.first_field.set_value(None);
                        library.tab_named(tab).map(|tab| tab.place.content.view())
                    }
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
            && let Some(tab) = tab.get_untracked()
        {
            library.focus_tab(tab);
        }
    });
    dialog
}
