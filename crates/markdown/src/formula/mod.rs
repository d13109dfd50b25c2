//! Formulas in an answer: `$…$`, `$$…$$`, `\(…\)`, `\[…\]`, environments like `\begin{align}` on lines of
//! their own, and fences of the language `math`.
//!
//! Some characters mean different things in TeX and in Markdown: `_`, `*`, `\\`, `&`, `|`. The parser
//! therefore gets a masked copy in which these characters within a formula are replaced by control characters
//! of the same length, so that all positions stay the same. Where the text turns out not to be a formula (in
//! code, in a link's address), [`restore`] puts the characters back. A formula does not extend across a blank
//! line, as in TeX, so an answer can be cut at any blank line. Footnote references, `[^1]`, are masked in the
//! same way, because the footnote may be defined much later.
//!
//! | file | what it is for |
//! | --- | --- |
//! | `delimiter` | the kinds of formulas, and their delimiters |
//! | `rules` | whether a delimited text is a formula or, for example, a price |
//! | `signs` | the mask characters |
//! | `mask` | the masked text for the parser |
//! | `search` | the search for the end of a formula |
//! | `split` | parsed text split into text and formulas |

mod delimiter;
mod mask;
mod rules;
mod search;
mod signs;
mod split;

pub(super) use delimiter::may_begin;
pub(super) use mask::mask;
pub(super) use signs::restore;
pub(super) use split::split;

use super::hidden::is_hidden;
use super::node::Node;
use delimiter::DelimiterKind;

/// The TeX source of a formula, without its delimiters.
#[must_use]
pub fn tex(written: &str) -> &str {
    let fenced = written
        .strip_prefix(FENCE)
        .and_then(|inner| inner.strip_suffix("```"));
    if let Some(inner) = fenced {
        return inner;
    }
    for kind in [
        DelimiterKind::Dollars,
        DelimiterKind::Dollar,
        DelimiterKind::Round,
        DelimiterKind::Square,
    ] {
        let inner = written.strip_prefix(kind.opening());
        if let Some(inner) = inner.and_then(|inner| inner.strip_suffix(kind.closing())) {
            return inner;
        }
    }
    written
}

const FENCE: &str = "```math\n";

/// The formula of a code block in the language `math`.
pub(super) fn fenced(children: &[Node]) -> Option<Node> {
    let [Node::Text(source)] = children else {
        return None;
    };
    // Code can contain marks for hidden characters, a formula cannot.
    if source.contains(is_hidden) {
        return None;
    }
    Some(Node::Formula {
        written: format!("{FENCE}{source}```"),
        display: true,
        open: false,
    })
}
