//! A tool of one's own in the dialog.

use crate::ui::stores::use_stores;
use leptos::prelude::*;
use sash_chat::{OwnTool, Tool};

/// A tool that the person described: its name, what it does, and a button that removes it.
#[component]
pub fn OwnToolRow(
    /// The tool.
    tool: OwnTool,
) -> impl IntoView {
    let stores = use_stores();
    let name = tool.name.clone();
    let remove = move |_| {
        let mut tools = stores
            .chats
            .open
            .with_untracked(|chat| chat.head.settings.tools.clone());
        tools.retain(|known| !matches!(known, Tool::Own(own) if own.name == name));
        stores.steering.set_tools(tools);
    };
    let label = format!("Remove the tool {}", tool.name);

    view! {
        <li>
            <div class="tool-own">
                <strong>
                    <code>{tool.name}</code>
                </strong>
                <span class="chip">"answered by you"</span>
                <button type="button" class="link" aria-label=label on:click=remove>
                    "Remove"
                </button>
            </div>
            <p class="hint-line" dir="auto">
                {tool.description}
            </p>
        </li>
    }
}
