//! Tools: which ones a chat has, what the model calls, and the results.

mod own_tool_form;
mod tool_calls;
mod tool_result;
mod tools_button;
mod tools_dialog;
mod waiting_calls;

use leptos::prelude::*;
use sash_chat::Role;
use sash_view::transcript::MessageState;
use tool_calls::ToolCalls;
use tool_result::ToolResult;
pub use tools_button::ToolsButton;
use tools_dialog::tool_title;
pub use tools_dialog::{ToolsDialog, tools_command};
use waiting_calls::WaitingCalls;

/// The calls of an answer, or the result of one. Nothing of other messages.
#[component]
pub fn ToolParts() -> impl IntoView {
    match MessageState::expect().role {
        Role::Assistant => view! {
            <ToolCalls />
            <WaitingCalls />
        }
        .into_any(),
        Role::Tool => view! { <ToolResult /> }.into_any(),
        Role::System | Role::User => ().into_any(),
    }
}
