//! The summary that a tab writes, over a reload.

use crate::Summaries;
use leptos::prelude::*;
use sash_view::browser::tab_storage;

const SUMMARY: &str = "sash:summary";

/// Begins the summary again that a reload of this tab broke off, and remembers the next one.
pub fn remember(summaries: Summaries) {
    let chats = summaries.chats();
    let former = tab_storage::remembered(SUMMARY);
    Effect::new(move || {
        let unfinished = summaries.unfinished.get();
        let kept = unfinished.filter(|chat| !chats.is_temporary(*chat));
        let written = kept.map(|chat| chat.to_string());
        // If there is no room, a reload does not take it up.
        tab_storage::remember(SUMMARY, written.as_deref());
    });
    summaries.resume(former.and_then(|item| item.parse().ok()));
}
