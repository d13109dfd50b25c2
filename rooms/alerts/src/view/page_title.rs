//! The title of the tab.

use crate::AnswerNotices;
use leptos::prelude::*;
use leptos_meta::Title;
use sash_words::names::visible;

/// The title of the tab: that of the open chat, or that an answer ended.
#[component]
pub fn PageTitle() -> impl IntoView {
    let notices = AnswerNotices::expect();
    let title = move || format!("{} · Sash", visible(&notices.page_title()));

    view! { <Title text=title /> }
}
