//! What the model thought: folded, unless nothing else has come yet.

use crate::ui::dom::{El, el};
use crate::ui::session::Live;
use leptos::prelude::*;
use sash_markdown::visible;

/// The fold.
pub fn thinking(parts: &Live) -> El {
    let any = parts.thinking.clone();
    let parts = parts.clone();
    el("div").when(
        move || any.with(|text| !text.is_empty()),
        move || {
            let running = parts.running();
            let (text, shown) = (parts.text.clone(), parts.thinking.clone());
            let receipt = parts.receipt.clone();
            let still = Memo::new(move |_| running.get() && text.with(String::is_empty));
            el("details")
                .class("thinking")
                .flag("open", move || still.get())
                .child(el("summary").live_text(move || match still.get() {
                    true => "Thinking…".to_owned(),
                    false => {
                        let time = receipt.with(|r| r.as_ref().and_then(|r| r.thinking_ms));
                        time.map_or_else(|| "Thought".to_owned(), thought_for)
                    }
                }))
                .child(
                    el("div")
                        .class("thinking-text")
                        .attr("dir", "auto")
                        .live_text(move || shown.with(|text| visible(text))),
                )
        },
    )
}

/// How long was thought, in words.
fn thought_for(millis: u64) -> String {
    let seconds = (millis + 500) / 1000;
    let count = |n: u64, what: &str| format!("{n} {what}{}", if n == 1 { "" } else { "s" });
    let time = match (seconds / 60, seconds % 60) {
        (0, 0) => "a moment".to_owned(),
        (0, seconds) => count(seconds, "second"),
        (minutes, 0) => count(minutes, "minute"),
        (minutes, seconds) => format!("{} {}", count(minutes, "minute"), count(seconds, "second")),
    };
    format!("Thought for {time}")
}
