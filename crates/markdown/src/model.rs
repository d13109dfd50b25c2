//! What a parse is given and what it gives.

use super::node::Node;
use super::reference::{Definition, Label, References};
use std::sync::Arc;

/// What stands behind a text that is parsed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum TextEnd {
    /// More may come.
    Growing,
    /// More of the answer, which does not change what is parsed.
    Cut,
    /// Nothing: the answer ends there.
    Ended,
}

/// What the text before the parsed part means for it.
pub(super) struct Before<'a> {
    /// Links already made.
    pub links: usize,
    /// References that are named or defined there, by [`label`].
    pub references: &'a References,
    /// What stands behind the text: where more may come, a bare address at the end may be half an address.
    pub end: TextEnd,
    /// How much of the text is the model's own: the rest finishes it for show.
    pub own: usize,
}

impl<'a> Before<'a> {
    /// For `text`, which is shown as `shown`.
    pub fn of(
        shown: &str,
        text: &str,
        end: TextEnd,
        links: usize,
        references: &'a References,
    ) -> Self {
        Self {
            links,
            references,
            end,
            // Where nothing was finished for show, all of it is the model's own.
            own: match std::ptr::eq(shown.as_ptr(), text.as_ptr()) {
                true => shown.len(),
                false => {
                    let pairs = shown.bytes().zip(text.bytes());
                    pairs.take_while(|(a, b)| a == b).count()
                }
            },
        }
    }
}

/// A parsed top-level block.
pub(super) struct Parsed {
    pub start: usize,
    pub end: usize,
    pub links: usize,
    pub node: Arc<Node>,
}

/// What a text is.
pub(super) struct Outcome {
    pub blocks: Vec<Parsed>,
    /// The reference definitions in it.
    pub definitions: Vec<Definition>,
    /// References without a definition, and where they stand.
    pub unknown: Vec<(usize, Label)>,
}
