//! The dialog of the library.

use super::LibraryContext;
use super::backup_section::BackupSection;
use super::export_reminder::ExportReminder;
use super::export_section::ExportSection;
use super::import_section::ImportSection;
use super::library_tabs::{LibraryTabs, tab_id};
use super::search_tab::SearchTab;
use super::storage_tab::StorageTab;
use super::trash_tab::TrashTab;
use crate::ui::stores::use_stores;
use leptos::either::EitherOf4;
use leptos::prelude::*;
use sash_state::LibraryTab;
use sash_ui_kit::DialogFrame;
use sash_words::t;

/// The dialog. It reads nothing before it is opened for the first time; its content is built when it opens
/// and removed when it closes.
#[component]
pub fn LibraryDialog() -> impl IntoView {
    let library = LibraryContext::new(use_stores());
    provide_context(library);
    let close = move || library.tab.set(None);
    let tab = Memo::new(move |_| library.tab.get());
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
                <ExportReminder />
            </Show>
            <ShowLet some=tab let:tab>
                <div
                    class="library-panel"
                    id="library-panel"
                    role="tabpanel"
                    aria-labelledby=tab_id(tab)
                >
                    {match tab {
                        LibraryTab::Search => EitherOf4::A(view! { <SearchTab /> }),
                        LibraryTab::Trash => EitherOf4::B(view! { <TrashTab /> }),
                        LibraryTab::Storage => EitherOf4::C(view! { <StorageTab /> }),
                        LibraryTab::Transfer => EitherOf4::D(view! { <TransferTab /> }),
                    }}
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

/// Backup, export and import.
#[component]
fn TransferTab() -> impl IntoView {
    view! {
        <div class="storage">
            <BackupSection />
            <ExportSection />
            <ImportSection />
        </div>
    }
}
