//! The line above the transcript that says that the program was replaced.

use crate::store::About;
use leptos::prelude::*;
use sash_browser_kit::page;
use sash_ui_kit::{IconButton, IconName};
use sash_view::parts::BannerLine;
use sash_words::t;

/// Says once that Sash was updated since this page was loaded, and offers a reload.
#[component]
pub fn UpdatedLine() -> impl IntoView {
    let about = About::expect();

    view! {
        <Show when=move || about.is_announced()>
            <BannerLine words=|| t!(about.sash_was_updated) is_plain=true>
                <ReloadButton class="link" />
                <IconButton
                    label=t!(common.close)
                    icon=IconName::Close
                    on:click=move |_| about.put_off()
                />
            </BannerLine>
        </Show>
    }
}

/// Loads the page again. Drafts, edits and prompts that wait are kept with their chats.
#[component]
pub fn ReloadButton(
    /// Its class.
    #[prop(optional)]
    class: &'static str,
) -> impl IntoView {
    view! {
        <button type="button" class=class on:click=|_| page::reload()>
            {t!(about.reload)}
        </button>
    }
}
