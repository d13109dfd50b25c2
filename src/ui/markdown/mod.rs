//! An answer as the page shows it: [`crate::markdown`]'s nodes to elements.
//!
//! This is the one room that builds elements by hand and not with `view!`. A running answer changes
//! sixty times a second, nearly always by a few letters at the end of one text node: `patch` compares
//! the old and the new tree of the open block and touches just that node, so that selection, focus
//! and sideways scroll survive in the block that is being written, and the cost of a frame does not
//! grow with the answer. No HTML string is ever parsed: text nodes, fixed tags, fixed attributes.

mod build;
mod copy;
mod patch;
#[cfg(test)]
mod tests;

use crate::markdown::Document;
use leptos::html::Div;
use leptos::prelude::*;
use patch::Shown;

/// The answer `text`, which only grows while `running`.
///
/// The element of a block stays the same from when the block is first shown; the text can change
/// to another one at any time, at the price of building everything anew.
#[component]
pub fn MarkdownView(
    /// The whole text so far; set at most once a frame.
    #[prop(into)]
    text: Signal<String>,
    /// Whether more is to come.
    #[prop(into)]
    running: Signal<bool>,
) -> impl IntoView {
    let place = NodeRef::<Div>::new();
    Effect::new(move |state: Option<(Document, Shown)>| {
        let (mut document, mut shown) = state.unwrap_or_default();
        let running = running.get();
        if let Some(place) = place.get() {
            text.with(|text| document.update(text));
            if !running {
                document.finish();
            }
            shown.update(&place, document.blocks());
            if !running {
                // Nothing of a finished answer is kept but its elements.
                return Default::default();
            }
        }
        (document, shown)
    });
    view! { <div class="markdown" node_ref=place on:click=copy::clicked></div> }
}
