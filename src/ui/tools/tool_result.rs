//! The result of a call.

use crate::ui::parts::plural;
use leptos::prelude::*;
use sash_chat::visible_name;
use sash_markdown::visible;

/// A result of more lines, or of more bytes, is folded.
const UNFOLDED_LINES: usize = 12;
const UNFOLDED_BYTES: usize = 2_000;

/// The result of a call, as the model reads it.
#[component]
pub fn ToolResult(
    /// The tool's name, where it is known.
    name: Option<String>,
    /// The result.
    text: String,
) -> impl IntoView {
    let lines = text.lines().count();
    let is_open = lines <= UNFOLDED_LINES && text.len() <= UNFOLDED_BYTES;
    let name = name.map(|name| view! { " of " <code>{visible_name(&name)}</code> });
    let size = (!is_open).then(|| format!(", {}", plural(lines, "line")));
    let text = visible(&text);

    view! {
        <details class="file-fold tool-call" open=is_open data-unfolded=is_open.then_some("")>
            <summary>"Result" {name} {size}</summary>
            <pre dir="auto">
                {text}
            </pre>
        </details>
    }
}
