//! A built-in tool in the dialog.

use crate::ui::stores::use_stores;
use leptos::prelude::*;
use sash_chat::{BuiltinTool, Tool};
use web_sys::Event;

/// A built-in tool with its switch and a sentence on what it does.
#[component]
pub fn BuiltinRow(
    /// The tool.
    tool: BuiltinTool,
) -> impl IntoView {
    let stores = use_stores();
    let is_on = Memo::new(move |_| {
        let open = stores.chats.open;
        open.with(|chat| chat.head.settings.tools.contains(&Tool::Builtin(tool)))
    });
    let switch = move |event: Event| {
        let on = event_target_checked(&event);
        let mut tools = stores
            .chats
            .open
            .with_untracked(|chat| chat.head.settings.tools.clone());
        tools.retain(|known| *known != Tool::Builtin(tool));
        if on {
            tools.push(Tool::Builtin(tool));
        }
        stores.steering.set_tools(tools);
    };
    let (name, words) = (tool.name(), words(tool));

    view! {
        <li>
            <label class="tool-switch">
                <input type="checkbox" prop:checked=move || is_on.get() on:change=switch />
                <span>
                    <strong>{words.0}</strong>
                    " "
                    <code>{name}</code>
                </span>
            </label>
            <p class="hint-line">{words.1}</p>
        </li>
    }
}

/// A name and a sentence for the person.
fn words(tool: BuiltinTool) -> (&'static str, &'static str) {
    match tool {
        BuiltinTool::CurrentTime => (
            "Date and time",
            "Tells the model the date and the time of your clock.",
        ),
        BuiltinTool::Calculate => (
            "Calculator",
            "Calculates exactly, with units. It runs on the server of Sash and reaches nothing else.",
        ),
        BuiltinTool::ReadFile => (
            "Attached files",
            "Lets the model read the files that you added to this chat again, part by part, also when they have left the window.",
        ),
    }
}
