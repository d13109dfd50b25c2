//! The root of the page, and its rooms: a folder for each, a file for each component that has a second user or 60 lines. The
//! page of the chat itself is `sash_view`. Nothing outside names anything in here but [`start`].

mod all_commands;
mod all_settings;
mod app;
mod backup;
mod provide_stores;
mod room_edges;
mod stores;

use crate::browser::DATABASE_STORES;
use leptos::prelude::use_context;
use sash_markdown_view::PageHooks;
use sash_state::Stores;
use sash_view::browser::{early, erase, journal, showing, token};

/// Mounts the page. Before the log is opened, an interrupted deletion is finished and the journal is
/// replayed.
pub async fn start() {
    appearance::load_language();
    if erase::is_unfinished() {
        erase::finish().await;
    }
    journal::start(DATABASE_STORES).await;
    token::load(provide_stores::SECRETS).await;
    mount();
    early::show_ready();
}

fn mount() {
    showing::start();
    // The colours of code are gone with the page, as its stores are.
    leptos::mount::mount_to_body(|| {
        let colours = highlight::Highlighter::start();
        sash_markdown_view::start(PageHooks {
            chat: shown_chat,
            is_folded: showing::was_interrupted,
            begins: showing::mark_chat_of,
            builds: showing::set_current_answer,
            are_shown: showing::unmark,
            code_is_finished: Some(Box::new(move |block| colours.finished(block))),
        });
        app::App()
    });
}

/// The chat whose answers are shown where the current owner is; empty outside the page.
fn shown_chat() -> String {
    let stores = use_context::<Stores>();
    let chat = stores.map(|stores| stores.kernel().chats().open_id().to_string());
    chat.unwrap_or_default()
}
