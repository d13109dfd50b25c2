//! Keys, and the fields and devices that they are typed on.

use crate::console::LogError;
use crate::media::matches_media;
use leptos::ev;
use leptos::html;
use leptos::prelude::*;
use leptos_use_event_listener::{
    UseEventListenerOptions, use_event_listener, use_event_listener_with_options,
};
use wasm_bindgen::JsCast;
use web_sys::{Element, EventTarget, HtmlSelectElement, KeyboardEvent};

/// Fields that accept typed text.
const FIELDS: &str = "textarea, select, input:not([type=radio], [type=checkbox])";

/// Whether the main pointer is fine, like a mouse. On other devices an on-screen keyboard would cover half of
/// the screen as soon as a field has focus.
#[must_use]
pub fn has_fine_pointer() -> bool {
    matches_media("(pointer: fine)")
}

/// Whether the device has a keyboard, as far as a page can tell: one that is used by fingers alone has none.
#[must_use]
pub fn has_keyboard() -> bool {
    !matches_media("(pointer: coarse) and (hover: none)")
}

/// Whether the keyboard is one of Apple's, with ⌘ in the place of Ctrl.
#[must_use]
pub fn has_apple_keyboard() -> bool {
    // Firefox and Safari have nothing newer that tells it.
    let platform = window().navigator().platform().unwrap_or_default();
    ["Mac", "iPad", "iPhone"]
        .iter()
        .any(|name| platform.starts_with(name))
}

/// Whether an input method has this key press: Enter and Escape end a composition then, and nothing else.
fn is_composing(event: &KeyboardEvent) -> bool {
    // The key code of a key that an input method processes. Safari ends the composition before the key press that
    // ended it, and reports nothing but this code.
    const PROCESSED: u32 = 229;
    event.is_composing() || event.key_code() == PROCESSED
}

/// Keeps the keys that an input method uses in a field from all handlers of the page: Enter would send half a word,
/// arrows would move through a list behind the suggestions. The listener is the first that sees a key, so no handler has to
/// ask whether a word is being composed.
pub fn use_input_method() {
    let first = UseEventListenerOptions::default().capture(true);
    let on_keydown = |event: KeyboardEvent| {
        if !is_composing(&event) || !is_text_field(event.target()) {
            return;
        }
        event.stop_propagation();
        // The browser would close the dialog around the field, or empty a field of a search.
        if event.key() == "Escape" {
            event.prevent_default();
        }
    };
    _ = use_event_listener_with_options(window(), ev::keydown, on_keydown, first);
}

/// Whether the target is a field that accepts text.
#[must_use]
pub fn is_text_field(target: Option<EventTarget>) -> bool {
    let element = target.and_then(|target| target.dyn_into::<Element>().ok());
    element.is_some_and(|element| element.matches(FIELDS).unwrap_or(false))
}

/// Whether the target has an undo of its own for Ctrl+Z; a `select` has none.
#[must_use]
pub fn has_own_undo(target: Option<EventTarget>) -> bool {
    let is_select = target
        .as_ref()
        .is_some_and(|target| target.has_type::<HtmlSelectElement>());
    !is_select && is_text_field(target)
}

/// Whether no element of the page has focus.
#[must_use]
pub fn is_focus_free() -> bool {
    let body = document().body().map(Element::from);
    document()
        .active_element()
        .is_none_or(|active| Some(active) == body)
}

/// Moves focus to this field when text is typed outside of all fields. Focus moves on keydown, so that the
/// typed character arrives in the field. An open dialog keeps its keys, because nothing behind it can have
/// focus.
pub fn use_type_into(field: NodeRef<html::Textarea>) {
    _ = use_event_listener(window(), ev::keydown, move |event| {
        let typed = !event.default_prevented() && !is_text_field(event.target()) && writes(&event);
        if let Some(field) = field.get_untracked().filter(|_| typed) {
            field.focus().log_error();
        }
    });
}

/// Whether a key writes a character or pastes text.
fn writes(event: &KeyboardEvent) -> bool {
    let key = event.key();
    let control = event.ctrl_key() || event.meta_key();
    if control && !event.alt_key() {
        return key.eq_ignore_ascii_case("v");
    }
    // With AltGraph some keyboards write other characters; with Alt alone, keys are commands.
    let graph = event.get_modifier_state("AltGraph");
    if (control || event.alt_key()) && !graph {
        return false;
    }
    // A space presses buttons and scrolls.
    let one = key.chars().count() == 1 && key != " ";
    // A dead key that waits for its letter, or a key that an input method processes.
    one || key == "Dead" || key == "Process"
}

/// Whether a key press is `?` outside of fields.
#[must_use]
pub fn is_help_key(event: &KeyboardEvent) -> bool {
    let is_held = event.ctrl_key() || event.meta_key() || event.alt_key();
    event.key() == "?" && !is_held && !is_text_field(event.target())
}

/// Calls back for each key press that no element has used; prevents the browser's default where it returns true.
pub fn use_key_press(on_press: impl Fn(&KeyboardEvent) -> bool + 'static) {
    _ = use_event_listener(window(), ev::keydown, move |event: KeyboardEvent| {
        if !event.default_prevented() && !is_composing(&event) && on_press(&event) {
            event.prevent_default();
        }
    });
}

/// Marks the page with the last input device, pointer or keyboard: the focus ring is shown for the keyboard.
pub fn use_pointer_mark() {
    fn mark(by: &str) {
        if let Some(root) = document().document_element() {
            root.set_attribute("data-by", by).log_error();
        }
    }
    _ = use_event_listener(window(), ev::pointerdown, |_| mark("pointer"));
    _ = use_event_listener(window(), ev::keydown, |event| {
        if event.key() == "Tab" {
            mark("keys");
        }
    });
}
