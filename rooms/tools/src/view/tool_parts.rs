//! Calls and results of tools in a message.

use super::{ToolCalls, ToolResult, WaitingCalls};
use leptos::prelude::*;
use sash_chat::Role;
use sash_view::transcript::MessageState;

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
