//! A question as it was written. A long one is folded: most of what is pasted is not read again.

use crate::browser::page;
use crate::ui::composer::grouped;
use crate::ui::dom::{El, button, el};
use leptos::prelude::*;
use sash_chat::{Id, shown_lines};
use sash_markdown::visible;

/// A question of more lines is folded.
const WHOLE_LINES: usize = 20;

/// The question.
pub fn said(id: Id, text: &str) -> El {
    let lines = shown_lines(text);
    let words = el("div")
        .class("message-text said")
        .attr("id", &format!("said-{id}"))
        .attr("dir", "auto")
        .text(&visible(text));
    if lines <= WHOLE_LINES {
        return words;
    }
    let folded = RwSignal::new(true);
    let all = format!("Show all {} lines", grouped(lines as u64));
    let unfold = button("link fold")
        .attr("aria-controls", &format!("said-{id}"))
        .live_attr("aria-expanded", move || (!folded.get()).to_string())
        .live_text(move || match folded.get() {
            true => all.clone(),
            false => "Show less".to_owned(),
        })
        .click(move || {
            folded.update(|folded| *folded = !*folded);
            if folded.get_untracked() {
                // Much went: the reader is brought back to the question.
                page::bring_near(format!("said-{id}"));
            }
        });
    el("div")
        .child(words.flag("data-folded", move || folded.get()))
        .child(unfold)
}
