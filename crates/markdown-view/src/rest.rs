//! The rest of an answer beyond the limit: folded, and laid out only on demand.

use crate::element::{append, with};
use leptos::prelude::request_animation_frame;
use sash_browser_kit::console::LogError;
use sash_words::{count::tenths, t};
use wasm_bindgen::JsCast;
use wasm_bindgen::closure::Closure;
use web_sys::{Element, Event};

/// The note before a rest of that many bytes, with the button that unfolds it.
pub(crate) fn note(bytes: usize) -> Element {
    let note = with("div", &[("class", "note"), ("role", "note")]);
    let words = with("p", &[]);
    words.set_text_content(Some(t!(markdown.answer_too_long)));
    let details = with("details", &[]);
    append(&details, &with("summary", &[]));
    listen(&details);
    append(&note, &words);
    append(&note, &details);
    update_note(&note, bytes);
    note
}

/// Updates the length of the rest in a note.
pub(crate) fn update_note(note: &Element, bytes: usize) {
    let words = t!(markdown.show_rest, bytes = size(bytes));
    let summary = note
        .last_element_child()
        .and_then(|details| details.first_element_child())
        .filter(|summary| summary.text_content().as_ref() != Some(&words));
    if let Some(summary) = summary {
        summary.set_text_content(Some(&words));
    }
}

/// A piece of the rest, without its text. It is hidden, but not with `until-found`, because a browser would
/// lay out the whole rest for its own search.
pub(crate) fn piece() -> Element {
    let piece = with("div", &[("class", "raw rest")]);
    fold(&piece);
    piece
}

fn fold(piece: &Element) {
    piece.set_attribute("hidden", "").log_error();
}

/// Unfolds a new piece in `place` if the pieces before it are unfolded.
pub(crate) fn follow(place: &Element, piece: &web_sys::Node) {
    let open = place.query_selector(".note > details[open]");
    if let (Ok(Some(_)), Some(piece)) = (open, piece.dyn_ref::<Element>()) {
        unfold(piece);
    }
}

fn unfold(piece: &Element) {
    piece.remove_attribute("hidden").log_error();
}

fn listen(details: &Element) {
    let toggle = |event: Event| {
        if let Some(details) = event.current_target() {
            toggled(details.unchecked_into());
        }
    };
    // The browser frees the closure with the element.
    let toggle = Closure::<dyn Fn(Event)>::new(toggle).into_js_value();
    details
        .add_event_listener_with_callback("toggle", toggle.unchecked_ref())
        .log_error();
}

fn toggled(details: Element) {
    let Ok(Some(place)) = details.closest(".markdown") else {
        return;
    };
    if details.has_attribute("open") {
        return unfold_next(place, details);
    }
    let Ok(pieces) = place.query_selector_all(".rest") else {
        return;
    };
    for at in 0..pieces.length() {
        if let Some(piece) = pieces.get(at) {
            fold(piece.unchecked_ref());
        }
    }
}

/// Unfolds one piece per frame: all at once would block the page for seconds.
fn unfold_next(place: Element, details: Element) {
    let Ok(Some(piece)) = place.query_selector(".rest[hidden]") else {
        return;
    };
    if details.has_attribute("open") && details.is_connected() {
        unfold(&piece);
        request_animation_frame(move || unfold_next(place, details));
    }
}

fn size(bytes: usize) -> String {
    match bytes {
        0..1000 => t!(markdown.bytes, bytes = &bytes),
        1000..100_000 => format!("{} kB", bytes / 1000),
        _ => format!("{} MB", tenths(bytes as u64 / 100_000)),
    }
}
