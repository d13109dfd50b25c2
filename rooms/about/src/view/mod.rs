//! The view: the section of the settings, and the line that the page is older than the program.

mod about_section;
mod changelog;
mod updated_line;

pub use about_section::{ABOUT, AboutSection};
pub use updated_line::UpdatedLine;

use leptos::prelude::document;

/// The file that this page runs from, as index.html names it for boot.js.
pub fn own_page() -> Option<String> {
    let script = document().query_selector("script[data-wasm]").ok()??;
    script.get_attribute("data-wasm")
}
