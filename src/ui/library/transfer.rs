//! Chats out and in, as files.

use super::Library;
use super::export::export_section;
use super::import::import_section;
use crate::ui::dom::{El, el};

/// The tab.
pub fn transfer(library: Library) -> El {
    el("div")
        .class("storage")
        .child(export_section(library))
        .child(import_section(library))
}
