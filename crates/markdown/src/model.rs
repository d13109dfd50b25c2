//! Input and output of a parse.

use super::node::Node;
use super::reference::{Definition, Label, References};
use std::sync::Arc;

/// What follows a text that is parsed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum TextEnd {
    /// More text may follow.
    Growing,
    /// More of the answer follows, but it does not change this part.
    Cut,
    /// The answer ends there.
    Ended,
}

/// The context that the text before gives to the parsed part.
pub(super) struct ParseContext<'a> {
    /// Number of links made before.
    pub links: usize,
    /// References that are used or defined before, by their label.
    pub references: &'a References,
    /// What follows the text: if more may follow, a bare address at the end may be incomplete.
    pub end: TextEnd,
    /// Length of the model's own text: the rest was added to complete it for display.
    pub own: usize,
}

impl<'a> ParseContext<'a> {
    /// The context for `text`, which is shown as `shown`.
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
            // If nothing was added for display, all of it is the model's own.
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

/// The result of a parse.
pub(super) struct ParseOutput {
    pub blocks: Vec<Parsed>,
    /// The reference definitions in it.
    pub definitions: Vec<Definition>,
    /// References without a definition, and their positions.
    pub unknown: Vec<(usize, Label)>,
}
