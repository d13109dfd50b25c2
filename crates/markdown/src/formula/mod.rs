//! Formulas in an answer: `$…$`, `$$…$$`, `\(…\)`, `\[…\]`, environments like `\begin{align}` on lines of
//! their own, and fences of the language `math`.
//!
//! What means something in TeX means something else in Markdown: `_`, `*`, `\\`, `&`, `|`. So the parser is given
//! a copy in which the signs within a formula are control characters, each as long as what it stands for: all
//! places in the text stay what they are. Where the formula turns out to be none (in code, in a link's address),
//! [`restore`] gives the signs back. Formulas are looked for between one blank line and the next, as in TeX, so that
//! an answer can be cut at any blank line. References to footnotes, `[^1]`, are kept out of its hands in the same way:
//! whether there is such a footnote may be known much later.
//!
//! | file | what it is for |
//! | --- | --- |
//! | `kind` | the kinds of formulas, and their delimiters |
//! | `rules` | what is a formula and what is a price |
//! | `signs` | what stands in place of Markdown's signs |
//! | `mask` | the text that the parser is given |
//! | `search` | where a formula ends |
//! | `split` | what the parser gives back, with its formulas |

mod kind;
mod mask;
mod rules;
mod search;
mod signs;
mod split;

pub(super) use kind::may_begin;
pub(super) use mask::mask;
pub(super) use signs::restore;
pub(super) use split::split;

use super::hidden::is_hidden;
use super::node::Node;
use kind::Kind;

/// The TeX of a formula as it was written, without its delimiters.
#[must_use]
pub fn tex(written: &str) -> &str {
    let fenced = written
        .strip_prefix(FENCE)
        .and_then(|inner| inner.strip_suffix("```"));
    if let Some(inner) = fenced {
        return inner;
    }
    for kind in [Kind::Dollars, Kind::Dollar, Kind::Round, Kind::Square] {
        let inner = written.strip_prefix(kind.opening());
        if let Some(inner) = inner.and_then(|inner| inner.strip_suffix(kind.closing())) {
            return inner;
        }
    }
    written
}

const FENCE: &str = "```math\n";

/// A block of code in the language `math` is a formula.
pub(super) fn fenced(children: &[Node]) -> Option<Node> {
    let [Node::Text(source)] = children else {
        return None;
    };
    // Marks can be put into code, not into a formula.
    if source.contains(is_hidden) {
        return None;
    }
    Some(Node::Formula {
        written: format!("{FENCE}{source}```"),
        display: true,
        open: false,
    })
}
