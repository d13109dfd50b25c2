//! Turns the text of an answer into elements.

use crate::patch::BuiltBlocks;
use crate::slice::TaskBudget;
use sash_markdown::Document;
use web_sys::Element;

/// Bytes of text that are parsed in one step.
const PARSE_STEP_BYTES: usize = 32 * 1024;

/// An answer in an element of the page.
pub struct Renderer {
    place: Element,
    document: Document,
    shown: BuiltBlocks,
    /// The received text, and how much of it was parsed.
    came: String,
    fed: usize,
    running: bool,
    ended: bool,
}

impl Renderer {
    /// An answer to be shown in `place`, whose content is replaced.
    #[must_use]
    pub fn new(place: Element) -> Self {
        Self {
            place,
            document: Document::default(),
            shown: BuiltBlocks::default(),
            came: String::new(),
            fed: 0,
            running: true,
            ended: false,
        }
    }

    /// Appends text; without `running` it is the last.
    pub fn add(&mut self, more: &str, running: bool) {
        self.came.push_str(more);
        self.running = running;
    }

    /// Shows more of the received text, for about `millis` milliseconds; returns whether all is shown. A
    /// block keeps its element from when it is first shown.
    pub fn advance(&mut self, millis: f64) -> bool {
        let mut slice = TaskBudget::new(millis);
        if !self.feed(&mut slice) {
            return false;
        }
        let blocks = self.document.blocks();
        let final_blocks = match self.running {
            true => self.document.frozen(),
            false => blocks.len(),
        };
        self.shown
            .update(&self.place, blocks, final_blocks, self.running, &mut slice)
    }

    /// Parses received text as long as there is time; returns whether all is parsed.
    fn feed(&mut self, slice: &mut TaskBudget) -> bool {
        while self.fed < self.came.len() {
            if slice.is_over() {
                return false;
            }
            let rest = self.came.get(self.fed..).unwrap_or_default();
            let next = rest
                .get(..rest.floor_char_boundary(PARSE_STEP_BYTES))
                .unwrap_or(rest);
            self.fed += next.len();
            match self.running || self.fed < self.came.len() {
                true => self.document.append(next),
                false => self.document.finish_with(next),
            }
            self.ended = !self.running && self.fed == self.came.len();
        }
        self.came.clear();
        self.fed = 0;
        if !self.running && !std::mem::replace(&mut self.ended, true) {
            self.document.finish();
        }
        true
    }

    /// Shows everything now.
    pub(crate) fn finish(&mut self) {
        while !self.advance(f64::INFINITY) {}
    }
}
