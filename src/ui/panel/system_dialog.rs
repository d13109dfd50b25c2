//! The open chat's system prompt: written in a dialog of its own, taken from a small library, and given to new
//! chats. A chat that has one shows it at the top of the transcript and in the panel.

use super::system_editor::SystemEditor;
use crate::ui::parts::Dialog;
use crate::ui::stores::use_stores;
use leptos::prelude::*;

/// The dialog with the system prompt.
#[component]
pub fn SystemDialog() -> impl IntoView {
    let stores = use_stores();

    view! {
        <Dialog class="system" title="System prompt" shown=stores.view.system_shown>
            <SystemEditor />
        </Dialog>
    }
}
