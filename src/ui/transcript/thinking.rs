//! What the model thought: folded, unless nothing else has come yet.

use crate::ui::dom::{El, el};
use crate::ui::session::Live;
use crate::ui::signal::Memo;

/// The fold.
pub fn thinking(parts: &Live) -> El {
    let any = parts.thinking.clone();
    let parts = parts.clone();
    el("div").when(
        move || any.with(|text| !text.is_empty()),
        move || {
            let running = parts.running();
            let (text, shown) = (parts.text.clone(), parts.thinking.clone());
            let still = Memo::new(move |_| running.get() && text.with(String::is_empty));
            el("details")
                .class("thinking")
                .flag("open", move || still.get())
                .child(el("summary").live_text(move || {
                    if still.get() {
                        "Thinking…"
                    } else {
                        "Thought"
                    }
                    .to_owned()
                }))
                .child(
                    el("div")
                        .class("thinking-text")
                        .attr("dir", "auto")
                        .live_text(move || shown.get()),
                )
        },
    )
}
