//! An answer as the page shows it: [`sash_markdown`]'s nodes to elements.
//!
//! A running answer changes
//! sixty times a second, nearly always by a few letters at the end of one text node: `patch` compares
//! the old and the new tree of the open block and touches just that node, so that selection, focus
//! and sideways scroll survive in the block that is being written, and the cost of a frame does not
//! grow with the answer. What is long is built in several tasks (`slice`), which `public/answers.js` begins one after the
//! other; its blocks stand in parts that a browser lays out for themselves (`parts`). No HTML string is ever parsed: text nodes, fixed tags, fixed attributes.
//!
//! [`Renderer`] is a program of its own, loaded when the first answer is to be shown: a page that is
//! still empty is there sooner. Until it has come, and should it not come, an answer is plain text.

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
#[cfg(test)]
mod tests;

#[cfg(test)]
pub(in crate::ui) use code::block;
pub use renderer::Renderer;
pub use rich::copy;

use super::composer::grouped;
use super::dom::{El, button, el, live};
use super::session::Session;
#[cfg(not(test))]
use crate::browser::markdown::{self, Rendering};
use crate::browser::markdown::{PLAIN, folds};
use leptos::prelude::*;
#[cfg(not(test))]
use std::cell::Cell;
use std::cell::RefCell;
use web_sys::{Element, Event};

/// The answer `text`, which only grows while `running`; it is set at most once a frame.
pub fn markdown_view(text: ArcRwSignal<String>, running: Memo<bool>) -> El {
    let length = text.with_untracked(|text| text.chars().count());
    let session = use_context::<Session>();
    let chat = session.map(|session| session.open.with_untracked(|chat| chat.head.id.to_string()));
    let chat = chat.unwrap_or_default();
    if running.get_untracked() || length == 0 || !folds(&chat) {
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
    let plain = text.clone();
    let view = el("div")
        .class("markdown")
        .attr("data-chat", chat)
        .attr("data-plain", "")
        .attr("dir", "auto");
    let place = view.html();
    let stopped = place.clone();
    let view = view.on(PLAIN, move |_: Event| {
        plain.with_untracked(|text| stopped.set_text_content(Some(text)));
        set_plain(&stopped, true);
    });
    let state = RefCell::new(None::<(_, usize)>);
    live(move || {
        let running = running.get();
        let shown = text.with(|text| {
            // Only what came since is handed over: a running answer is long, and the next frame near.
            let former = state
                .take()
                .and_then(|(former, length)| Some((former, text.get(length..)?)));
            let former = former.or_else(|| Some((rendering(&place)?, text.as_str())));
            let shown = former.filter(|(rendering, more)| rendering.add(more, running));
            if shown.is_none() {
                place.set_text_content(Some(text));
            }
            shown.map(|(rendering, _)| (rendering, text.len()))
        });
        set_plain(&place, shown.is_none());
        // Nothing of a finished answer is kept but its elements.
        state.replace(shown.filter(|_| running));
    });
    view
}

/// Says whether an answer stands there as it was written. The blocks of one that is shown have directions of their own:
/// a browser would look through all of them for that of the whole, each time that one is added.
fn set_plain(place: &Element, plain: bool) {
    if place.has_attribute("data-plain") == plain {
        return;
    }
    // None can fail: they are plain names.
    let _ = match plain {
        true => place.set_attribute("data-plain", ""),
        false => place.remove_attribute("data-plain"),
    };
    let _ = place.set_attribute("dir", if plain { "auto" } else { "ltr" });
}

/// What shows an answer in `place`, if its program is there; if not, whoever asks is told when it is.
#[cfg(not(test))]
fn rendering(place: &Element) -> Option<Rendering> {
    thread_local! {
        static LOADED: ArcRwSignal<bool> = ArcRwSignal::new(false);
        /// A running answer comes by here with each frame.
        static ASKED: Cell<bool> = const { Cell::new(false) };
    }
    if let Some(rendering) = markdown::render(place) {
        return Some(rendering);
    }
    LOADED.with(ArcRwSignal::track);
    if !ASKED.replace(true) {
        leptos::task::spawn_local(async {
            let there = markdown::load().await;
            ASKED.set(false);
            // One that was there and has stopped is not told of again.
            let loaded = LOADED.with(Clone::clone);
            if there && !loaded.get_untracked() {
                loaded.set(true);
            }
        });
    }
    None
}

/// In tests it is part of the program.
#[cfg(test)]
fn rendering(place: &Element) -> Option<tests::Rendering> {
    Some(tests::Rendering::new(place))
}
