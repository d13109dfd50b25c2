//! The page: one folder for each room, a file for each component that has a second user or 60 lines, and the `stores` they
//! share. Nothing outside names anything in here but [`start`].

mod address;
mod app;
mod attachments;
mod code;
mod compare;
mod composer;
mod formula;
mod header;
mod keys;
mod library;
mod markdown;
mod model_words;
mod models;
mod numbers;
mod ollama;
mod palette;
mod panel;
mod parameters;
mod parts;
mod phone;
mod prompts;
mod recall;
mod receipt_facts;
mod settings;
mod share;
mod sidebar;
mod stores;
mod summary;
mod system;
mod tools;
mod transcript;

use crate::browser::{erase, journal, language, page, showing, token};

/// Mounts the page. Before the log is opened, an interrupted deletion is finished and the journal is
/// replayed.
pub async fn start() {
    language::load();
    if erase::is_unfinished() {
        erase::finish().await;
    }
    journal::start().await;
    token::load().await;
    mount();
    page::show_ready();
}

fn mount() {
    showing::start();
    code::listen();
    formula::listen();
    leptos::mount::mount_to_body(app::App);
}
