//! An answer in JSON.

use super::message_state::MessageState;
use crate::ui::markdown::MarkdownText;
use leptos::prelude::*;
use sash_state::{JSON_BLOCK_BEGINNING, json_block};

/// An answer in JSON as a block of code: as it comes while it runs, with a line for each field when it has
/// ended. What the model reads of it later is the text as it came.
#[component]
pub fn StructuredText() -> impl IntoView {
    let message = MessageState::expect();
    let running = message.running;
    let ended = move || {
        let text = message.text.with_untracked(|text| json_block(text));
        let text = ArcRwSignal::new(text);
        view! { <MarkdownText text running /> }
    };

    view! {
        <Show when=move || running.get() fallback=ended>
            <MarkdownText text=growing_block(message) running />
        </Show>
    }
}

/// The answer so far as a block of code. Only the new text is appended: the whole would cost more with each frame.
fn growing_block(message: MessageState) -> ArcRwSignal<String> {
    let so_far = message.text.get_untracked();
    let block = ArcRwSignal::new(format!("{JSON_BLOCK_BEGINNING}{so_far}"));
    Effect::new({
        let block = block.clone();
        move |shown: Option<usize>| {
            let shown = shown.unwrap_or(so_far.len());
            message.text.with(|text| {
                // The last text may come when the answer has ended, and then the whole block is made anew.
                let more = text.get(shown..).unwrap_or_default();
                if !more.is_empty() && message.running.get_untracked() {
                    block.update(|block| block.push_str(more));
                }
                text.len()
            })
        }
    });
    block
}
