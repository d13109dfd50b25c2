//! State that all stories of a document share.

use super::numbering::Numbering;
use super::styles::Styles;

/// What all stories of a document share.
#[derive(Debug, Default)]
pub struct Shared {
    /// The styles of its paragraphs.
    pub styles: Styles,
    /// The levels of its lists, and where their counters are.
    pub numbering: Numbering,
}
