//! An answer as the page shows it: [`sash_markdown`]'s nodes to elements.
//!
//! A running answer changes
//! sixty times a second, nearly always by a few letters at the end of one text node: `patch` compares
//! the old and the new tree of the open block and touches just that node, so that selection, focus
//! and sideways scroll survive in the block that is being written, and the cost of a frame does not
//! grow with the answer. What is long is built in several tasks (`tasks`, `slice`); its blocks stand in parts that a browser
//! lays out for themselves (`parts`). No HTML string is ever parsed: text nodes, fixed tags, fixed attributes.

mod build;
mod code;
mod finished;
mod math;
mod parts;
mod patch;
mod renderer;
mod rest;
mod rich;
mod slice;
mod table;
#[cfg(not(test))]
mod tasks;
#[cfg(test)]
mod tests;

use crate::ui::stores::Stores;
#[cfg(test)]
pub(in crate::ui) use code::block;
use renderer::Renderer;
pub use rich::copy_beside;
#[cfg(not(test))]
pub use tasks::Rendering;
#[cfg(test)]
use tests::Rendering;

use super::composer::grouped;
use super::dom::{El, button, el, live};
use crate::browser::showing;
use leptos::prelude::*;
use std::cell::RefCell;

/// The answer `text`, which only grows while `running`; it is set at most once a frame.
pub fn markdown_view(text: ArcRwSignal<String>, running: Memo<bool>) -> El {
    let length = text.with_untracked(|text| text.chars().count());
    let stores = use_context::<Stores>();
    let chat = stores.map(|stores| {
        stores
            .chats
            .open
            .with_untracked(|chat| chat.head.id.to_string())
    });
    let chat = chat.unwrap_or_default();
    if running.get_untracked() || length == 0 || !showing::is_left(&chat) {
        return shown(text, running, &chat);
    }
    let folded = RwSignal::new(true);
    el("div").choose(
        move || folded.get(),
        move |now| {
            Some(match now {
                true => fold(length, folded),
                false => shown(text.clone(), running, &chat),
            })
        },
    )
}

/// What stands in place of an answer that the page may not have been able to show.
fn fold(length: usize, folded: RwSignal<bool>) -> El {
    let words = format!(
        "An answer of {} characters. The page was closed before it was all shown, so it is folded now.",
        grouped(length as u64)
    );
    el("div").class("folded").child(el("p").text(&words)).child(
        button("")
            .text("Show answer")
            .click(move || folded.set(false)),
    )
}

fn shown(text: ArcRwSignal<String>, running: Memo<bool>, chat: &str) -> El {
    // The blocks have directions of their own: a browser would look through all of them for that of the whole, each time
    // that one is added.
    let view = el("div")
        .class("markdown")
        .attr("data-chat", chat)
        .attr("dir", "ltr");
    let place = view.html();
    let state = RefCell::new(None::<(Rendering, usize)>);
    live(move || {
        let running = running.get();
        let shown = text.with(|text| {
            // Only what came since is handed over: a running answer is long, and the next frame near.
            let former = state
                .take()
                .and_then(|(former, length)| Some((former, text.get(length..)?)));
            let (rendering, more) =
                former.unwrap_or_else(|| (Rendering::new(place.clone().into()), text.as_str()));
            rendering.add(more, running);
            (rendering, text.len())
        });
        // Nothing of a finished answer is kept but its elements.
        state.replace(Some(shown).filter(|_| running));
    });
    view
}
