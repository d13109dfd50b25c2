//! Grows the open block at the end of an answer in place: code by its lines, a paragraph by its words, a
//! table by its rows, a list by its items. Its finished part is not parsed, copied or compared again.

use super::code::{self, GrowingCode};
use super::model::{ParseContext, ParseOutput};
use super::node::Node;
use super::parts::BlockParts;
use super::prose::{self, GrowingProse};
use super::reference::References;
use std::sync::Arc;

/// An open block that can grow in place.
#[derive(Clone, Debug)]
pub(super) enum GrowingBlock {
    Code(GrowingCode),
    Prose(GrowingProse),
    Parts(BlockParts),
}

impl GrowingBlock {
    /// `Some` if `blocks`, the blocks of `tail`, end with such a block. `start` is where `tail` begins in the
    /// answer, and `before` what it was parsed with. With `altered`, the tail was completed for display.
    pub fn find(
        tail: &str,
        outcome: &ParseOutput,
        altered: bool,
        start: usize,
        before: &ParseContext,
    ) -> Option<Self> {
        let (last, earlier) = outcome.blocks.split_last()?;
        if !altered && let Some(code) = GrowingCode::find(tail, last, start) {
            return Some(Self::Code(code));
        }
        // A definition may be used anywhere in the tail.
        if !outcome.definitions.is_empty() {
            return None;
        }
        if !altered && let Some(prose) = GrowingProse::find(tail, last, start) {
            return Some(Self::Prose(prose));
        }
        let links = before.links + earlier.iter().map(|block| block.links).sum::<usize>();
        BlockParts::find(tail, last, start, links, before.references).map(Self::Parts)
    }

    /// Grows the block `node` to the end of `text`, the whole answer; returns the cost in bytes. `Err` holds
    /// the bytes parsed in vain if the block must be parsed from its beginning.
    pub fn grow(
        &mut self,
        text: &str,
        references: &References,
        node: &mut Arc<Node>,
    ) -> Result<usize, usize> {
        match self {
            Self::Code(code) => {
                let (more, cost) = code.next(text).ok_or(0usize)?;
                if let Node::Element(_, children) = Arc::make_mut(node)
                    && !more.is_empty()
                {
                    code::push(Arc::make_mut(children), more);
                }
                Ok(cost)
            }
            Self::Prose(prose) => {
                let (more, cost) = prose.next(text).ok_or(0usize)?;
                if let Node::Element(_, children) = Arc::make_mut(node)
                    && !more.is_empty()
                {
                    let children: &mut Vec<Node> = Arc::make_mut(children);
                    prose::push(children, &more);
                }
                Ok(cost)
            }
            Self::Parts(parts) => parts.grow(text, references, node),
        }
    }
}
