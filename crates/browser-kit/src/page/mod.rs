//! The document and the window.

mod events;
mod focus;
mod marks;
mod popover;
mod print;
mod scroll;
mod viewport;

use crate::console::LogError;
use crate::media::matches_media;
pub use events::{ask_before_leaving, is_undo, on_leaving, on_return, on_seen, on_undo};
pub use focus::{
    drop_selection, focus, focus_id_soon, focus_if_lost, focus_on_load, focus_soon, highlight,
    scroll_to, scroll_to_id,
};
use leptos::prelude::{document, window};
pub use marks::mark;
pub use popover::place_popover;
pub use print::{are_images_complete, print, use_print_title};
pub use scroll::{is_selected, keeps_place, record_gutters};
pub use viewport::follow_visual_viewport;

/// The language of the root element with its region: `en-GB`. Dates are written by its rules.
#[must_use]
pub fn language() -> String {
    let root = document().document_element();
    let tag = root.and_then(|root| root.get_attribute("lang"));
    tag.filter(|tag| !tag.is_empty())
        .unwrap_or_else(|| "en".to_owned())
}

/// The origin of the page: scheme, host and port.
#[must_use]
pub fn origin() -> String {
    window().location().origin().unwrap_or_default()
}

/// Whether the page came by HTTPS.
#[must_use]
pub fn is_https() -> bool {
    let scheme = window().location().protocol();
    scheme.is_ok_and(|scheme| scheme == "https:")
}

/// Whether the address of the page is one of this machine alone.
#[must_use]
pub fn is_loopback() -> bool {
    let host = window().location().hostname().unwrap_or_default();
    host == "localhost" || host == "[::1]" || host.starts_with("127.")
}

/// Whether the page is so narrow that the list of chats lies over it, as in the styles.
#[must_use]
pub fn is_narrow() -> bool {
    matches_media("(max-width: 50rem)")
}

/// The width of the page, in CSS pixels.
#[must_use]
pub fn width() -> f64 {
    let width = window().inner_width().ok();
    width.and_then(|width| width.as_f64()).unwrap_or_default()
}

/// Whether a modal dialog is open: it has what is dropped and pasted to itself.
#[must_use]
pub fn has_dialog() -> bool {
    let found = document().query_selector("dialog[open]");
    found.is_ok_and(|found| found.is_some())
}

/// Whether the page is visible: its tab is the selected one.
#[must_use]
pub fn is_visible() -> bool {
    !document().hidden()
}

/// Whether the page is visible and has the focus of the system: a window may be visible behind another one.
#[must_use]
pub fn is_seen() -> bool {
    is_visible() && document().has_focus().unwrap_or(true)
}

/// Whether the person has the browser save data. Only some browsers tell.
#[must_use]
pub fn saves_data() -> bool {
    let get = |of: &wasm_bindgen::JsValue, name: &str| js_sys::Reflect::get(of, &name.into()).ok();
    let connection = get(&window().navigator(), "connection");
    let saves = connection.and_then(|connection| get(&connection, "saveData"));
    saves.is_some_and(|saves| saves.is_truthy())
}

/// Loads the page anew.
pub fn reload() {
    window().location().reload().log_error();
}
