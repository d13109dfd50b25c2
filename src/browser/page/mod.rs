//! The document and the window.

mod events;
mod focus;
mod popover;
mod scroll;
mod tab_storage;

pub use events::{follow_deletion, on_leaving, on_return, on_search_key, on_undo};
pub use focus::{bring_near, bring_up, focus, focus_soon, scroll_to, show_around};
use leptos::prelude::{document, window};
pub use popover::place_popover;
pub use scroll::{Watched, is_selected, keeps_place, note_gutters};
pub use tab_storage::{is_panel_remembered, remember_chat, remember_panel, remembered_chat};

/// Sets the title of the tab.
pub fn set_title(title: &str) {
    document().set_title(title);
}

/// Takes the frame away that stood in place of the page, and says that the page is there: to the stylesheet and to tests.
pub fn show_ready() {
    let document = document();
    if let Some(shell) = document.get_element_by_id("shell") {
        shell.remove();
    }
    if let Some(root) = document.document_element() {
        // A plain name, and a plain value.
        let _ = root.set_attribute("data-state", "ready");
    }
}

/// Where the page came from: scheme, host and port.
#[must_use]
pub fn origin() -> String {
    window().location().origin().unwrap_or_default()
}

/// Whether the page can be seen: its tab is the one that is shown.
#[must_use]
pub fn is_in_sight() -> bool {
    !document().hidden()
}

/// Loads the page anew.
pub fn reload() {
    // Refused only where there is no page.
    let _ = window().location().reload();
}
