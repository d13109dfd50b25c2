//! The pulls of a tab, over a reload.

use crate::Pulls;
use leptos::prelude::*;
use sash_view::browser::tab_storage;

const PULLS: &str = "sash:pulls";

/// Takes up the pulls of this tab before a reload, and remembers them for the next one.
pub fn remember_pulls(pulls: Pulls) {
    // Before anything is remembered: that would be nothing yet.
    let former = tab_storage::remembered(PULLS);
    let former = former.and_then(|item| serde_json::from_str(&item).ok());
    pulls.restore(former.unwrap_or_default());
    // A pull changes many times a second, what a reload needs of it hardly ever.
    let remembered = Memo::new(move |_| pulls.remembered());
    Effect::new(move || {
        // If there is no room, a reload does not take them up; Ollama keeps what is downloaded.
        let written = remembered.with(|pulls| serde_json::to_string(pulls).ok());
        let written = written.filter(|_| remembered.with(|pulls| !pulls.is_empty()));
        tab_storage::remember(PULLS, written.as_deref());
    });
}
