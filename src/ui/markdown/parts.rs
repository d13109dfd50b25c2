//! The blocks of an answer stand in parts of about a screen each, which a browser lays out and paints for themselves:
//! what changes in one costs the others nothing.

use super::build::{append, with};
use sash_markdown::{Node, Tag};
use web_sys::Element;

/// Blocks in a part at most, and bytes of text behind which the next block begins another part.
const BLOCKS: usize = 32;
const BYTES: usize = 2048;

/// Where the blocks are divided. It depends on nothing but where they begin in the text.
#[derive(Default)]
pub(super) struct Division {
    start: usize,
    blocks: usize,
}

impl Division {
    /// Whether the next block, which begins there in the text, begins a part.
    pub fn begins(&mut self, start: usize) -> bool {
        let full = self.blocks == BLOCKS || start.saturating_sub(self.start) >= BYTES;
        let begins = self.blocks == 0 || full;
        if begins {
            *self = Self { start, blocks: 0 };
        }
        self.blocks += 1;
        begins
    }
}

/// A part, and the first of its blocks.
#[derive(Debug)]
pub(super) struct Part {
    pub element: Element,
    pub first: usize,
    attached: bool,
    laid_out: bool,
}

impl Part {
    /// A part without blocks, behind a block if there is one.
    pub fn new(first: usize, behind: Option<&Node>) -> Self {
        Self {
            element: with("div", &[("class", class(behind))]),
            first,
            attached: false,
            laid_out: false,
        }
    }

    /// The block before the first one is another now.
    pub fn follows(&mut self, block: &Node) {
        // A name of ours is always valid.
        let _ = self.element.set_attribute("class", class(Some(block)));
    }

    /// Whether the page never laid it out.
    pub fn is_new(&self) -> bool {
        !self.laid_out
    }

    /// The page has laid it out.
    pub fn is_laid_out(&mut self) {
        self.laid_out = true;
    }

    /// Puts it at the end of the answer, if it is not there. Until then nothing in it is styled or laid out.
    pub fn attach(&mut self, place: &Element) {
        if !std::mem::replace(&mut self.attached, true) {
            append(place, &self.element);
        }
    }
}

/// How far a part stands off what is before it, whose margin does not reach it.
fn class(behind: Option<&Node>) -> &'static str {
    match behind {
        Some(Node::Element(Tag::Heading(_), _)) => "part near",
        Some(Node::Rule) => "part far",
        _ => "part",
    }
}
