//! Keys that are pressed where nothing takes them, and the help that lists all keys.

use crate::browser::window_event::use_window_event;
use leptos::ev;
use leptos::html;
use leptos::prelude::*;
use wasm_bindgen::JsCast;
use web_sys::{Element, EventTarget, KeyboardEvent};

/// Fields that take what is typed.
const FIELDS: &str = "textarea, select, input:not([type=radio], [type=checkbox])";

/// Whether the person points with a mouse or the like. On others a keyboard would cover half of the screen as soon
/// as a field has focus.
#[must_use]
pub fn has_fine_pointer() -> bool {
    let query = window().match_media("(pointer: fine)");
    query.is_ok_and(|query| query.is_some_and(|query| query.matches()))
}

/// Whether a field that takes text is the target.
#[must_use]
pub fn is_text_field(target: Option<EventTarget>) -> bool {
    let element = target.and_then(|target| target.dyn_into::<Element>().ok());
    element.is_some_and(|element| element.matches(FIELDS).unwrap_or(false))
}

/// Whether nothing on the page has focus yet.
#[must_use]
pub fn is_focus_free() -> bool {
    let body = document().body().map(Element::from);
    document()
        .active_element()
        .is_none_or(|active| Some(active) == body)
}

/// Has what is typed outside of all fields go into this one. Focus moves while the key is going down, so that
/// its letter is the first to arrive. A dialog keeps its keys: behind it nothing can have focus.
pub fn use_type_into(field: NodeRef<html::Textarea>) {
    use_window_event(ev::keydown, move |event| {
        let typed = !event.default_prevented() && !is_text_field(event.target()) && writes(&event);
        if let Some(field) = field.get_untracked().filter(|_| typed) {
            // Refused where the composer is hidden.
            let _ = field.focus();
        }
    });
}

/// Whether a key writes, or pastes what is to be written.
fn writes(event: &KeyboardEvent) -> bool {
    let key = event.key();
    let control = event.ctrl_key() || event.meta_key();
    if control && !event.alt_key() {
        return key.eq_ignore_ascii_case("v");
    }
    // With Alt held some keyboards write other signs; those of Alt alone are commands.
    let graph = event.get_modifier_state("AltGraph");
    if (control || event.alt_key()) && !graph {
        return false;
    }
    // A space presses buttons and turns pages.
    let one = key.chars().count() == 1 && key != " ";
    // An accent that waits for its letter, a key that an input method works on.
    one || key == "Dead" || key == "Process"
}

/// Calls back at `?` outside of fields, where `single` allows it, and at Ctrl+/ or Cmd+/ everywhere.
pub fn use_help_key(single: impl Fn() -> bool + 'static, help: impl Fn() + 'static) {
    use_window_event(ev::keydown, move |event: KeyboardEvent| {
        let control = (event.ctrl_key() || event.meta_key()) && !event.alt_key();
        let mark = event.key() == "?" && !control && !is_text_field(event.target());
        if control && event.key() == "/" || mark && single() {
            event.prevent_default();
            help();
        }
    });
}

/// Marks the page with what the person last used, pointer or keys: a frame around what has focus is for keys.
pub fn use_pointer_mark() {
    fn mark(by: &str) {
        if let Some(root) = document().document_element() {
            // Its name is a plain one.
            let _ = root.set_attribute("data-by", by);
        }
    }
    use_window_event(ev::pointerdown, |_| mark("pointer"));
    use_window_event(ev::keydown, |event| {
        if event.key() == "Tab" {
            mark("keys");
        }
    });
}
