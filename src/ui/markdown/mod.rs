//! An answer as the page shows it: [`crate::markdown`]'s nodes to elements.
//!
//! A running answer changes
//! sixty times a second, nearly always by a few letters at the end of one text node: `patch` compares
//! the old and the new tree of the open block and touches just that node, so that selection, focus
//! and sideways scroll survive in the block that is being written, and the cost of a frame does not
//! grow with the answer. No HTML string is ever parsed: text nodes, fixed tags, fixed attributes.
//!
//! [`Renderer`] is a program of its own, loaded when the first answer is to be shown: a page that is
//! still empty is there sooner. Until it has come, and should it not come, an answer is plain text.

mod build;
mod code;
mod finished;
mod math;
mod patch;
mod renderer;
mod rich;
mod table;
#[cfg(test)]
mod tests;

#[cfg(test)]
pub(in crate::ui) use code::block;
pub use renderer::Renderer;
pub use rich::copy;

use super::dom::{El, el, live};
use super::signal::{ArcRwSignal, Memo};
#[cfg(not(test))]
use crate::browser::markdown::{self, Rendering};
use std::cell::RefCell;
use web_sys::Element;

/// The answer `text`, which only grows while `running`; it is set at most once a frame.
pub fn markdown_view(text: ArcRwSignal<String>, running: Memo<bool>) -> El {
    let view = el("div").class("markdown");
    let place = view.html();
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
        // Neither can fail: it is a plain name.
        let _ = match shown {
            Some(_) => place.remove_attribute("data-plain"),
            None => place.set_attribute("data-plain", ""),
        };
        // Nothing of a finished answer is kept but its elements.
        state.replace(shown.filter(|_| running));
    });
    view
}

/// What shows an answer in `place`, if its program is there; if not, whoever asks is told when it is.
#[cfg(not(test))]
fn rendering(place: &Element) -> Option<Rendering> {
    thread_local! {
        // Asked for once, by the first who needs it: a running answer comes by here with each frame.
        static LOADED: ArcRwSignal<bool> = {
            let loaded = ArcRwSignal::new(false);
            let teller = loaded.clone();
            leptos::task::spawn_local(async move {
                if markdown::load().await {
                    teller.set(true);
                }
            });
            loaded
        };
    }
    if let Some(rendering) = markdown::render(place) {
        return Some(rendering);
    }
    LOADED.with(ArcRwSignal::track);
    None
}

/// In tests it is part of the program.
#[cfg(test)]
fn rendering(place: &Element) -> Option<tests::Rendering> {
    Some(tests::Rendering::new(place))
}
