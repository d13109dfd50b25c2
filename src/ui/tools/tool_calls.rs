//! The calls in an answer.

use leptos::prelude::*;
use sash_chat::ToolCall;
use sash_markdown::visible;

/// Arguments of more lines are folded.
const UNFOLDED_LINES: usize = 12;

/// The tools that an answer calls, each with its arguments. Empty without calls.
#[component]
pub fn ToolCalls(
    /// The calls so far.
    #[prop(into)]
    calls: Signal<Vec<ToolCall>>,
) -> impl IntoView {
    let numbered = move || calls.get().into_iter().enumerate().collect::<Vec<_>>();

    view! {
        <For each=numbered key=|(at, _)| *at let((_, call))>
            <Call call />
        </For>
    }
}

/// One call.
#[component]
fn Call(
    /// The call.
    call: ToolCall,
) -> impl IntoView {
    let name = visible(&call.function.name);
    let is_empty = call.function.arguments.is_empty();
    let arguments = call.arguments_text();
    let is_open = arguments.lines().count() <= UNFOLDED_LINES;
    let arguments = visible(&arguments);
    match is_empty {
        true => view! {
            <p class="tool-call">"Calls " <code>{name}</code></p>
        }
        .into_any(),
        false => view! {
            <details
                class="file-fold tool-call"
                open=is_open
                data-unfolded=is_open.then_some("")
            >
                <summary>"Calls " <code>{name}</code></summary>
                <pre>{arguments}</pre>
            </details>
        }
        .into_any(),
    }
}
