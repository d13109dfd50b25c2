//! Groups the blocks of an answer in parts of about a screen each, with independent layout and painting, so
//! that a change in one part costs the others nothing.

use crate::element::{append, with};
use sash_browser_kit::console::LogError;
use sash_markdown::{Node, Tag};
use web_sys::Element;

/// The most blocks in a part, and the bytes of text after which the next block begins another part.
const MAX_PART_BLOCKS: usize = 32;
const PART_BYTES: usize = 2048;

/// Where the blocks are divided. It depends only on where they begin in the text.
#[derive(Default)]
pub(crate) struct PartDivider {
    start: usize,
    blocks: usize,
}

impl PartDivider {
    /// Whether the next block, which begins at `start` in the text, begins a part.
    pub fn begins(&mut self, start: usize) -> bool {
        let full = self.blocks == MAX_PART_BLOCKS || start.saturating_sub(self.start) >= PART_BYTES;
        let begins = self.blocks == 0 || full;
        if begins {
            *self = Self { start, blocks: 0 };
        }
        self.blocks += 1;
        begins
    }
}

/// A part, and the index of its first block.
#[derive(Debug)]
pub(crate) struct LayoutPart {
    pub element: Element,
    pub first: usize,
    attached: bool,
    laid_out: bool,
}

impl LayoutPart {
    /// An empty part, given the block before it, if there is one.
    pub fn new(first: usize, behind: Option<&Node>) -> Self {
        Self {
            element: with("div", &[("class", class(behind))]),
            first,
            attached: false,
            laid_out: false,
        }
    }

    /// The block before the part has changed.
    pub fn follows(&mut self, block: &Node) {
        self.element
            .set_attribute("class", class(Some(block)))
            .log_error();
    }

    /// Whether the browser never laid it out.
    pub fn is_new(&self) -> bool {
        !self.laid_out
    }

    /// Records that the browser has laid it out.
    pub fn is_laid_out(&mut self) {
        self.laid_out = true;
    }

    /// Appends it to the answer if it is not there. Before that, the browser neither styles nor lays it out.
    pub fn attach(&mut self, place: &Element) {
        if !std::mem::replace(&mut self.attached, true) {
            append(place, &self.element);
        }
    }
}

/// The class for the distance to the block before, whose margin does not reach into the part.
fn class(behind: Option<&Node>) -> &'static str {
    match behind {
        Some(Node::Element(Tag::Heading(_), _)) => "part near",
        Some(Node::Rule) => "part far",
        _ => "part",
    }
}
