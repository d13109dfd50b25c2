//! Deleting everything.

use super::confirm_button::ConfirmButton;
use crate::browser::{erase, page};
use leptos::prelude::*;
use leptos::task::spawn_local;

/// Deletes everything that the page stores, and reloads it.
#[component]
pub fn EraseSection() -> impl IntoView {
    let question = "All chats and settings gone for good? This cannot be undone.".to_owned();
    let on_confirm = |()| {
        spawn_local(async {
            erase::delete_everything().await;
            page::reload();
        });
    };

    view! {
        <section>
            <h3>"Delete everything"</h3>
            <p class="library-note">
                "All chats, the trash and the settings, here and in the journal. Export first what you want to keep."
            </p>
            <ConfirmButton
                label="Delete everything…"
                question=Signal::stored(question)
                keep="Keep everything"
                deed="Delete everything"
                on_confirm
            />
        </section>
    }
}
