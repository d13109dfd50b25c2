//! Printing the open chat: all of its messages, in a form of its own (`style/print.css`).

use crate::browser::page;
use leptos::prelude::*;
use leptos::task::spawn_local;
use sash_state::Stores;

/// Puts all messages of the open chat on the page and prints it. Returns false for an empty chat, which is left to the
/// browser.
pub fn print_chat(stores: Stores) -> bool {
    if stores.chats.path.with_untracked(Vec::is_empty) {
        return false;
    }
    let printing = stores.view.printing;
    if !printing.get_untracked() {
        printing.set(true);
        spawn_local(async move {
            page::print_when_built().await;
            printing.set(false);
        });
    }
    true
}
