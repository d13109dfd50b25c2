//! The dialog with the tools of the chat.

use super::own_tool_form::OwnToolForm;
use crate::ui::parts::Dialog;
use crate::ui::stores::use_stores;
use leptos::prelude::*;
use sash_chat::window::{MAX_CALLS_OF_QUESTION, MAX_TOOL_ROUNDS};
use sash_chat::{BuiltinTool, ChatSettingsStoreFields, MAX_CALLS, OwnTool, Tool};
use web_sys::Event;

/// The tools of the open chat, to be switched on and off, and those of one's own.
#[component]
pub fn ToolsDialog() -> impl IntoView {
    let stores = use_stores();
    let unused = Memo::new(move |_| {
        let model = stores.steering.model.get()?;
        (!stores.engine.uses_tools(&model)).then_some(model.name)
    });
    let own = move || {
        stores.chats.open_settings().tools().with(|tools| {
            let own = tools.iter().filter_map(|tool| match tool {
                Tool::Own(own) => Some(own.clone()),
                Tool::Builtin(_) => None,
            });
            own.collect::<Vec<_>>()
        })
    };
    let rounds = format!(
        "After {MAX_TOOL_ROUNDS} rounds of calls or {MAX_CALLS_OF_QUESTION} calls for one question, or more than {MAX_CALLS} calls in one answer, Sash stops and asks you."
    );

    view! {
        <Dialog class="tools" title="Tools of this chat" shown=stores.view.tools_shown>
            <p class="hint-line">
                "A tool is a function that the model may call. Which tools there are goes with every prompt of this chat; each call and its result stand in the chat. "
                {rounds.clone()}
            </p>
            {move || {
                unused
                    .get()
                    .map(|model| {
                        view! {
                            <p class="note">
                                {model}
                                " does not call tools. They are not sent as long as it is chosen."
                            </p>
                        }
                    })
            }}
            <ul class="tool-list">
                {BuiltinTool::ALL.map(|tool| view! { <BuiltinRow tool /> }).collect_view()}
                <For each=own key=|tool| tool.name.clone() let:tool>
                    <OwnToolRow tool />
                </For>
            </ul>
            <OwnToolForm />
        </Dialog>
    }
}

/// A built-in tool with its switch and a sentence on what it does.
#[component]
fn BuiltinRow(
    /// The tool.
    tool: BuiltinTool,
) -> impl IntoView {
    let stores = use_stores();
    let tools = stores.chats.open_settings().tools();
    let is_on = move || tools.with(|tools| tools.contains(&Tool::Builtin(tool)));
    let switch = move |event: Event| {
        let on = event_target_checked(&event);
        let mut tools = tools.get_untracked();
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
                <input type="checkbox" prop:checked=is_on on:change=switch />
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

/// A tool that the person described: its name, what it does, and a button that removes it.
#[component]
fn OwnToolRow(
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
