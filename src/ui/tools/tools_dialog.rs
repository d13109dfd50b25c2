//! The dialog with the tools of the chat.

use super::builtin_row::BuiltinRow;
use super::own_tool_form::OwnToolForm;
use super::own_tool_row::OwnToolRow;
use crate::ui::parts::Dialog;
use crate::ui::stores::use_stores;
use leptos::prelude::*;
use sash_chat::window::{MAX_CALLS_OF_QUESTION, MAX_TOOL_ROUNDS};
use sash_chat::{BuiltinTool, MAX_CALLS, Tool};

/// The tools of the open chat, to be switched on and off, and those of one's own.
#[component]
pub fn ToolsDialog() -> impl IntoView {
    let stores = use_stores();
    let unused = Memo::new(move |_| {
        let model = stores.steering.model.get()?;
        (!stores.engine.uses_tools(&model)).then_some(model.name)
    });
    let own = Memo::new(move |_| {
        stores.chats.open.with(|chat| {
            let own = chat
                .head
                .settings
                .tools
                .iter()
                .filter_map(|tool| match tool {
                    Tool::Own(own) => Some(own.clone()),
                    Tool::Builtin(_) => None,
                });
            own.collect::<Vec<_>>()
        })
    });
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
                <For each=move || own.get() key=|tool| tool.name.clone() let:tool>
                    <OwnToolRow tool />
                </For>
            </ul>
            <OwnToolForm />
        </Dialog>
    }
}
