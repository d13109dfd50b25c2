//! The start of the page: what has to be done before the log is opened, and the stores of the chat.

use crate::app::App;
use leptos::prelude::*;
use sash_markdown_view::PageHooks;
use sash_records::KINDS;
use sash_stores::Kernel;
use sash_view::browser::edges::edges;
use sash_view::browser::focus_refs::FocusRefs;
use sash_view::browser::log::open_log;
use sash_view::browser::{early, erase, journal, showing, tab_storage, token};
use sash_view::follow_browser;

/// What rooms keep in the database of the browser.
pub const DATABASE_STORES: &[&str] = &[recall::VECTORS, backup::DIRECTORIES];

/// Mounts the page. Before the log is opened, an interrupted deletion is finished and the journal is
/// replayed.
pub async fn start() {
    appearance::load_language();
    if erase::is_unfinished() {
        erase::finish().await;
    }
    journal::start(DATABASE_STORES).await;
    token::load(backup::SECRETS).await;
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
        let kernel = provide_kernel();

        view! { <App kernel /> }
    });
}

/// The chat whose answers are shown where the current owner is; empty outside the page.
fn shown_chat() -> String {
    let kernel = use_context::<Kernel>();
    let chat = kernel.map(|kernel| kernel.chats().open_id().to_string());
    chat.unwrap_or_default()
}

/// Opens the log of this browser, creates the stores of the chat, and provides them as a context.
fn provide_kernel() -> Kernel {
    let edges = edges(FocusRefs::provide());
    let (log, state) = open_log(KINDS);
    let kernel = Kernel::new(edges, log, state, tab_storage::remembered_tab());
    provide_context(kernel);
    follow_browser::remember_tab(kernel);
    kernel.storage().measure();
    kernel
}
