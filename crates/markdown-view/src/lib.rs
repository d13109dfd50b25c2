//! The view of Markdown: builds elements from [`sash_markdown`]'s nodes, formulas and blocks of code among them.
//!
//! A running answer changes sixty times a second, nearly always by a few letters at the end of one text node:
//! `patch` compares the old and the new tree of the open block and touches just that node, so that selection, focus
//! and sideways scroll survive in the block that is being written, and the cost of a frame does not grow with the
//! answer. A long answer is built in several tasks (`tasks`, `slice`); its blocks stand in parts that a browser lays
//! out on their own (`parts`). No HTML string is ever parsed: text nodes, fixed tags, fixed attributes.
//!
//! It knows no store, no server and no chat. What a page does beside the answers comes in as [`PageHooks`], the colours of
//! code too.
#![cfg(target_arch = "wasm32")]

mod build;
pub mod code;
mod element;
mod finished;
mod folded_text;
mod formula;
mod markdown_text;
mod page_hooks;
mod parts;
mod patch;
mod renderer;
mod rest;
mod rich;
mod slice;
mod table;
mod tasks;
#[cfg(test)]
mod tests;

pub use folded_text::FoldedText;
pub use markdown_text::MarkdownText;
pub use page_hooks::PageHooks;
pub use rich::copy_within;
pub use tasks::{Rendering, finish_answers};

/// Begins to listen to the buttons of blocks of code and to what is copied, and takes the hooks of the page, both as long
/// as it lives. To be called once, before an answer is shown.
pub fn start(hooks: PageHooks) {
    page_hooks::set(hooks);
    code::listen();
    formula::listen();
}
