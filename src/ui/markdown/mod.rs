//! An answer as the page shows it: [`crate::markdown`]'s nodes to elements.
//!
//! A running answer changes
//! sixty times a second, nearly always by a few letters at the end of one text node: `patch` compares
//! the old and the new tree of the open block and touches just that node, so that selection, focus
//! and sideways scroll survive in the block that is being written, and the cost of a frame does not
//! grow with the answer. No HTML string is ever parsed: text nodes, fixed tags, fixed attributes.

mod build;
mod copy;
mod patch;
#[cfg(test)]
mod tests;

use super::dom::{El, el, live};
use crate::markdown::Document;
use crate::ui::signal::{ArcRwSignal, Memo};
use patch::Shown;
use std::cell::RefCell;

/// The answer `text`, which only grows while `running`; it is set at most once a frame.
///
/// The element of a block stays the same from when the block is first shown; the text can change
/// to another one at any time, at the price of building everything anew.
pub fn markdown_view(text: ArcRwSignal<String>, running: Memo<bool>) -> El {
    let view = el("div").class("markdown").on("click", copy::clicked);
    let place = view.html();
    let state = RefCell::new((Document::default(), Shown::default()));
    live(move || {
        let running = running.get();
        let (mut document, mut shown) = state.take();
        text.with(|text| document.update(text));
        if !running {
            document.finish();
        }
        shown.update(&place, document.blocks());
        if running {
            state.replace((document, shown));
        }
        // Nothing of a finished answer is kept but its elements.
    });
    view
}
