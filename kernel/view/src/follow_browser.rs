//! Listeners by which the stores of the chat hear of the browser, and what a tab remembers of them.

use crate::browser::token::{self, UseSecrets};
use crate::browser::{storage, tab_storage};
use leptos::prelude::*;
use sash_browser_kit::page;
use sash_stores::Kernel;
use sash_words::t;

/// Connects the stores to events of the browser, as long as the owner is there.
pub fn follow_events(kernel: Kernel) {
    storage::on_other_tab(move |key, there| {
        if key == Some(storage::DELETING) {
            storage::follow_deletion(there);
        }
        if !storage::is_closed() {
            kernel.tabs().on_storage_event(key, there);
        }
    });
    page::on_leaving(move || kernel.answers().write_everything());
    page::ask_before_leaving(move || {
        let chats = kernel.chats();
        let is_temporary = chats.is_temporary_untracked(chats.open_id_untracked());
        is_temporary && chats.path.with_untracked(|path| !path.is_empty())
    });
    page::on_undo(move || kernel.chats().undo_last());
    page::on_return(move || {
        // With a wrong token each check would count as an attempt.
        if !kernel.engine().needs_token.get_untracked() {
            kernel.engine().refresh();
        }
    });
}

/// Uses the token and the other secrets of the page's address and of later ones, and provides how as a context. The engine
/// is checked once they are there. Whether the page needs the others, `needs_others` says.
pub fn follow_secrets(
    kernel: Kernel,
    others: UseSecrets,
    needs_others: impl Fn() -> bool + 'static,
) {
    provide_context(others);
    let needed = move |mut secrets: token::Secrets| {
        let needs_token = kernel.engine().needs_token.get_untracked();
        secrets.token = secrets.token.filter(|_| needs_token);
        let needs_others = needs_others();
        secrets.others.retain(|_, _| needs_others);
        secrets
    };
    token::on_arrival(others.names, needed, move |arrived| {
        match arrived {
            Ok(secrets) => others.take.run(secrets),
            Err(fault) => {
                kernel.notices().show(fault.to_string());
                kernel.engine().token_fault.set(Some(fault));
            }
        }
        kernel.engine().refresh();
    });
}

/// Remembers what the tab shows for a reload, and says what the last one ended.
pub fn remember_tab(kernel: Kernel) {
    if tab_storage::ended_temporary() {
        let notices = kernel.notices();
        notices.show(t!(state.temporary_ended_by_reload));
    }
    Effect::new(move || {
        let open = kernel.chats().open_id();
        tab_storage::remember_chat((!kernel.chats().is_temporary(open)).then_some(open));
    });
    let is_temporary = Memo::new(move |_| kernel.has_temporary_words());
    Effect::new(move || tab_storage::remember_temporary(is_temporary.get()));
    Effect::new(move || tab_storage::remember_panel(kernel.view().panel_shown.get()));
}
