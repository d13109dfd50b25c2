//! The calls in an answer that have no result yet.

use leptos::prelude::*;
use sash_chat::{Receipt, ToolCall};
use sash_markdown::visible;
use sash_view::stores::use_kernel;
use sash_view::transcript::MessageState;
use sash_words::{count::grouped, t};

/// Arguments of more lines are folded.
const UNFOLDED_LINES: usize = 12;

/// The tools that an answer calls, each with its arguments. Those that have a result are said with the result, each in a
/// line of its own. Empty without calls.
#[component]
pub fn ToolCalls() -> impl IntoView {
    let MessageState {
        id,
        text,
        thinking,
        calls,
        calls_left_out: left_out,
        receipt,
        ..
    } = MessageState::expect();
    // It is said then that it asked for tools.
    let is_bare =
        Memo::new(move |_| text.with(String::is_empty) && thinking.with(String::is_empty));
    let chats = use_kernel().chats();
    let answered = Memo::new(move |_| match calls.with(Vec::is_empty) {
        true => Vec::new(),
        false => chats
            .path
            .with(|path| chats.open_tree().with(|tree| tree.answered_calls(id, path))),
    });
    let numbered = move || {
        let calls = calls.get().into_iter().enumerate();
        let open = calls.filter(|(at, _)| answered.with(|answered| !answered.contains(at)));
        open.collect::<Vec<_>>()
    };
    let asked = move || {
        let count = answered.with(Vec::len);
        (count > 0 && is_bare.get()).then(|| {
            view! { <p class="tool-asked">{t!(tools.asked_for_tools, count = count as u64)}</p> }
        })
    };
    let over = move || {
        let over = left_out.get();
        (over > 0).then(|| {
            let kept = calls.with(Vec::len);
            let (all, kept) = (grouped((kept + over) as u64), grouped(kept as u64));
            let over = grouped(over as u64);
            view! {
                <p class="note">
                    {t!(tools.calls_left_out, all = &all, kept = &kept, over = &over)}
                </p>
            }
        })
    };

    view! {
        {asked}
        <For each=numbered key=|(at, _)| *at let((_, call))>
            <Call call receipt />
        </For>
        {over}
    }
}

/// One call.
#[component]
fn Call(
    /// The call.
    call: ToolCall,
    /// What the model read for the answer.
    receipt: RwSignal<Option<Receipt>>,
) -> impl IntoView {
    let name = call.function.visible_name();
    let called = call.function.name.clone();
    // A name may look like that of a tool and be another one.
    let is_unknown = receipt.with_untracked(|receipt| {
        let tools = receipt.as_ref().map(|receipt| &receipt.tools);
        tools.is_some_and(|tools| !tools.contains(&called))
    });
    let mark = is_unknown.then(|| view! { " " <span class="chip">{t!(tools.unknown_tool)}</span> });
    let is_empty = call.function.arguments.is_empty();
    let arguments = call.arguments_text();
    let is_open = arguments.lines().count() <= UNFOLDED_LINES;
    let arguments = visible(&arguments);
    match is_empty {
        true => view! {
            <p class="tool-call">{t!(tools.calls)} <code>{name}</code> {mark}</p>
        }
        .into_any(),
        false => view! {
            <details
                class="file-fold tool-call"
                open=is_open
                data-unfolded=is_open.then_some("")
            >
                <summary>{t!(tools.calls)} <code>{name}</code> {mark}</summary>
                <pre>{arguments}</pre>
            </details>
        }
        .into_any(),
    }
}
