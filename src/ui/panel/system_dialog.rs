//! The open chat's system prompt: written in a dialog, chosen from a small library, or set for new chats. A
//! chat with a system prompt shows it at the top of the transcript and in the panel.

use super::system_editor::SystemEditor;
use crate::ui::parts::Dialog;
use crate::ui::stores::use_stores;
use leptos::prelude::*;

/// The dialog with the system prompt.
#[component]
pub fn SystemDialog() -> impl IntoView {
    let stores = use_stores();
    let text = RwSignal::new(String::new());
    let save = move |()| stores.steering.set_system(&text.get_untracked());

    view! {
        <Dialog class="system" title="System prompt" shown=stores.view.system_shown on_save=save>
            <SystemEditor text />
        </Dialog>
    }
}
