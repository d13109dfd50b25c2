//! The result of a call, in a line.

use super::tool_title;
use leptos::prelude::*;
use sash_chat::{BuiltinTool, TOOL_ERROR};
use sash_markdown::visible;
use sash_view::stores::use_kernel;
use sash_view::transcript::MessageState;
use sash_words::{count::grouped_decimal, t};

/// The most characters of a result in its line.
const LINE_CHARS: usize = 120;

/// What a tool was called for: "Used Calculator: 42". It unfolds to the call and to the result as the model reads them.
#[component]
pub fn ToolResult() -> impl IntoView {
    let chats = use_kernel().chats();
    let MessageState { id, text, .. } = MessageState::expect();
    let text = text.get_untracked();
    let name = chats.with_message(id, |message| message.tool_name.clone());
    let name = name.flatten();
    let tree = chats.open_tree();
    let call = tree.with_untracked(|tree| tree.call_of(id));
    let called = call.as_ref().map(|call| call.function.name.clone());
    let name = name.or(called).unwrap_or_default();
    let title = match name.is_empty() {
        true => t!(common.tool).to_owned(),
        false => tool_title(&name),
    };
    // A number of another tool may be a year or an id.
    let is_calculated = BuiltinTool::named(&name) == Some(BuiltinTool::Calculate);
    let first = text.lines().map(str::trim).find(|line| !line.is_empty());
    let first = first.unwrap_or(t!(tools.nothing));
    let failed = first.strip_prefix(TOOL_ERROR).map(str::trim);
    let mut line: String = failed.unwrap_or(first).chars().take(LINE_CHARS).collect();
    if is_calculated && let Some(grouped) = grouped_decimal(&line) {
        line = grouped;
    } else if line.len() < text.trim().len() {
        line.push('…');
    }
    let words = match failed {
        Some(_) => t!(tools.failed),
        // The title says then that it is a tool, and in some languages this word does too.
        None if name.is_empty() => "",
        None => t!(tools.used),
    };
    let arguments = call.map(|call| {
        let function = format!("{} {}", call.function.visible_name(), call.arguments_text());
        view! {
            <p class="tool-part">{t!(tools.called)}</p>
            <pre>{visible(&function)}</pre>
        }
    });

    view! {
        <details class="file-fold tool-call tool-line" data-failed=failed.map(|_| "")>
            <summary>
                <span>
                    {words} " " <em><bdi>{title}</bdi></em> ": " <span dir="auto">{visible(&line)}</span>
                </span>
            </summary>
            {arguments}
            <p class="tool-part">{t!(tools.returned)}</p>
            <pre dir="auto">{visible(&text)}</pre>
        </details>
    }
}
