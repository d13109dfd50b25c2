//! The tab about the browser's storage.

use super::LibraryContext;
use super::erase_section::EraseSection;
use super::journal_section::JournalSection;
use super::packing_section::PackingSection;
use super::set_aside_section::SetAsideSection;
use super::sizes::Sizes;
use super::storage_gauge::StorageGauge;
use leptos::prelude::*;

/// The browser's storage: how much is used and for what, packing, unreadable records, the journal, and
/// deleting everything.
#[component]
pub fn StorageTab() -> impl IntoView {
    let library = expect_context::<LibraryContext>();
    let sizes = Memo::new(move |_| {
        library.changed.track();
        Sizes::count(|chat, message| {
            let is_deleted = library.with_log(|log| match message {
                Some(message) => log.is_removed(chat, message),
                None => log.is_deleted(chat),
            });
            is_deleted.unwrap_or(false)
        })
    });

    view! {
        <div class="storage">
            <StorageGauge sizes />
            <PackingSection />
            <SetAsideSection sizes />
            <JournalSection />
            <EraseSection />
        </div>
    }
}
