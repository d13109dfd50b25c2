//! Lists in HTML within a table's cell, the only way to write one there: each item begins a line.

use super::words::is_br;
use pulldown_cmark::{Event, Tag};

/// The lists that are open in a cell.
#[derive(Default)]
pub(super) struct CellLists {
    depth: usize,
    /// Whether what follows begins a line.
    pub breaks: bool,
}

impl CellLists {
    /// Reads a tag that `rest` follows; `false` if it is none of a list. `<ul>` in a sentence begins no list.
    pub fn read(&mut self, html: &str, rest: &str) -> bool {
        let tag = html.trim_start_matches('<');
        let (tag, closes) = match tag.strip_prefix('/') {
            Some(tag) => (tag, true),
            None => (tag, false),
        };
        let is_item = is_named(tag, "li");
        if !is_item && !is_named(tag, "ul") && !is_named(tag, "ol") {
            return false;
        }
        let item_follows = || {
            let next = rest.trim_start_matches(' ').strip_prefix('<');
            next.is_some_and(|next| is_named(next, "li"))
        };
        if self.depth == 0 && (closes || is_item || !item_follows()) {
            return false;
        }
        match (is_item, closes) {
            (false, true) => self.depth -= 1,
            (false, false) => self.depth += 1,
            (true, _) => {}
        }
        self.breaks = true;
        true
    }

    /// Whether a line begins before this event, which has content. White space between tags has none.
    pub fn begins_line(&mut self, event: &Event) -> bool {
        let content = match event {
            Event::Text(text) => !text.trim().is_empty(),
            Event::InlineHtml(html) => !is_br(html),
            Event::End(_) | Event::Start(Tag::TableCell) | Event::SoftBreak => false,
            _ => true,
        };
        self.breaks && content && std::mem::take(&mut self.breaks)
    }
}

fn is_named(tag: &str, name: &str) -> bool {
    let end = tag.find(|c: char| !c.is_ascii_alphanumeric());
    let found = tag.get(..end.unwrap_or(tag.len())).unwrap_or_default();
    found.eq_ignore_ascii_case(name)
}
