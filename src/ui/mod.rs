//! The page: one folder for each room, a file for each component that has a second user or 60 lines, and the `stores` they
//! share. Nothing outside names anything in here but [`start`].

mod address;
mod alerts;
mod all_commands;
mod all_settings;
mod app;
mod appearance;
mod attachments;
mod backup;
mod commands;
mod compare;
mod composer;
mod export;
mod files;
mod header;
mod highlight;
mod import;
mod keys;
mod library;
mod links;
mod model_words;
mod models;
mod numbers;
mod ollama;
mod page;
mod palette;
mod panel;
mod parameters;
mod parts;
mod phone;
mod places;
mod prompts;
mod provide_stores;
mod queue;
mod read_ahead;
mod recall;
mod receipt_facts;
mod room_edges;
mod settings;
mod sidebar;
mod speech;
mod storage;
mod stores;
mod summary;
mod system;
mod titles;
mod token_form;
mod tools;
mod transcript;
mod versions;

use crate::browser::{early, erase, journal, language, showing, token};
use leptos::prelude::use_context;
use sash_markdown_view::PageHooks;
use sash_state::Stores;

/// Mounts the page. Before the log is opened, an interrupted deletion is finished and the journal is
/// replayed.
pub async fn start() {
    language::load();
    if erase::is_unfinished() {
        erase::finish().await;
    }
    journal::start().await;
    token::load(provide_stores::SECRETS).await;
    mount();
    early::show_ready();
}

fn mount() {
    showing::start();
    sash_markdown_view::start(PageHooks {
        chat: shown_chat,
        is_folded: showing::was_interrupted,
        begins: showing::mark_chat_of,
        builds: showing::set_current_answer,
        are_shown: showing::unmark,
        code_is_finished: highlight::finished,
    });
    leptos::mount::mount_to_body(app::App);
}

/// The chat whose answers are shown where the current owner is; empty outside the page.
fn shown_chat() -> String {
    let stores = use_context::<Stores>();
    let chat = stores.map(|stores| stores.chats().open_id().to_string());
    chat.unwrap_or_default()
}
