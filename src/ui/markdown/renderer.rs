//! What turns an answer's text into elements. It is a program of its own (`src/bin/markdown.rs`).

use super::patch::Shown;
use crate::markdown::Document;
use web_sys::Element;

/// The answer in one place of the page.
pub struct Renderer {
    place: Element,
    document: Document,
    shown: Shown,
    /// Blocks that were frozen when they were last looked at.
    frozen: usize,
}

impl Renderer {
    /// An answer that is to be shown in `place`, whose content is replaced.
    #[must_use]
    pub fn new(place: Element) -> Self {
        Self {
            place,
            document: Document::default(),
            shown: Shown::default(),
            frozen: 0,
        }
    }

    /// Shows what came, after all that came before, or the last of it. The element of a block stays the same from
    /// when the block is first shown.
    pub fn add(&mut self, more: &str, running: bool) {
        match running {
            true => self.document.append(more),
            false => self.document.end_with(more),
        }
        self.shown.update(&self.place, self.document.blocks());
        let (begin, end) = match running {
            true => (self.frozen, self.document.frozen()),
            // The last look may have changed any of them.
            false => (0, self.document.blocks().len()),
        };
        self.shown.finished(begin, end);
        self.frozen = end;
    }
}
