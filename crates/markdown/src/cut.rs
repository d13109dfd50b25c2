//! Finds where a growing text can be cut so that both parts have the same meaning alone as together, whatever
//! follows.

use super::lines::is_blank;
use super::model::Parsed;
use super::nested::is_closed_fence;
use super::node::{Node, Tag};
use super::work::searched;

/// How many blocks are tried, and how many bytes back the beginning of a formula may be: the longest formula
/// is shorter.
const MAX_TRIED_BLOCKS: usize = 64;
const FORMULA_LOOKBACK_BYTES: usize = 8200;

/// The last possible cut in `text` after one of the first `count` blocks: how many blocks are before it, and
/// its position.
pub(super) fn last_cut(text: &str, blocks: &[Parsed], count: usize) -> Option<(usize, usize)> {
    // If none of the last blocks allows a cut, earlier ones can wait.
    (0..count).rev().take(MAX_TRIED_BLOCKS).find_map(|index| {
        let next = blocks.get(index + 1);
        let place = closed(text, &blocks[index]).or_else(|| {
            let next = next?;
            // An indented footnote is nested in the footnote before it; parsed alone it would be code.
            let is_note = matches!(&*next.node, Node::Element(Tag::Footnote(_), _));
            before(text, next.start).filter(|cut| !is_note || *cut == next.start)
        })?;
        Some((index + 1, place))
    })
}

/// The end of a block that closes itself: a heading or a rule at the end of its line, a fence at its last
/// line, a paragraph, a quote or a table at a blank line. A list continues after blank lines.
fn closed(text: &str, block: &Parsed) -> Option<usize> {
    let source = &text[block.start..block.end];
    let end = line_end(text, block.end)?;
    // A formula continues up to a blank line, even across text that would otherwise be a block, and the
    // backticks before it decide where it begins.
    let formula = |text: &str| text.contains(['$', '\\', '`']);
    let by_its_line = match &*block.node {
        Node::Rule => !formula(since_blank(text, block.start)),
        Node::Element(Tag::Heading(_), _) => {
            source.starts_with('#') && !formula(since_blank(text, block.end))
        }
        Node::Element(Tag::CodeBlock(_), _) if is_closed_fence(source) => {
            !formula(since_blank(text, block.start))
        }
        Node::Element(Tag::Paragraph | Tag::Quote | Tag::Table, _) => false,
        _ => return None,
    };
    if by_its_line {
        return Some(end);
    }
    let blank = end + text[end..].find('\n')?;
    is_blank(&text.as_bytes()[end..blank]).then_some(blank + 1)
}

/// The text before `at`, from the last blank line on.
pub(super) fn since_blank(text: &str, at: usize) -> &str {
    let line_start = |at: usize| text[..at].rfind('\n').map_or(0, |at| at + 1);
    let mut start = line_start(at);
    let far = at.saturating_sub(FORMULA_LOOKBACK_BYTES);
    while start > far {
        let above = line_start(start - 1);
        if is_blank(&text.as_bytes()[above..start - 1]) {
            break;
        }
        start = above;
    }
    searched(at - start);
    &text[start..at]
}

/// The position after a block's last line; its range may or may not include the line end.
fn line_end(text: &str, end: usize) -> Option<usize> {
    if text[..end].ends_with('\n') {
        return Some(end);
    }
    let rest = text[end..].find('\n')?;
    is_blank(&text.as_bytes()[end..end + rest]).then_some(end + rest + 1)
}

/// The cut before the block at `start`: the start of its line, if
///
/// - the line is complete, or cannot become a list item whatever follows, so that it cannot continue the
///   block before (`2` may become `2.`), and
/// - the line before is blank, so that no lazy continuation, setext underline, table row, HTML block or
///   definition extends across it.
///
/// The block before is then closed: the parser has seen a line that does not continue it.
fn before(text: &str, start: usize) -> Option<usize> {
    let bytes = text.as_bytes();
    let line_start = |at: usize| {
        bytes[..at]
            .iter()
            .rposition(|b| *b == b'\n')
            .map(|at| at + 1)
    };
    let cut = line_start(start)?;
    let above = line_start(cut - 1).unwrap_or(0);
    let ok = is_blank(&bytes[above..cut - 1])
        && is_blank(&bytes[cut..start])
        && (bytes[start..].contains(&b'\n') || (cut == start && is_no_item(&text[start..])));
    ok.then_some(cut)
}

/// Whether a line that begins with this text, and not with white space, cannot become a list item.
fn is_no_item(line: &str) -> bool {
    let mut letters = line.chars();
    match letters.next() {
        Some('-' | '*' | '+') => letters.next().is_some_and(|c| !c.is_whitespace()),
        Some(first) => !first.is_ascii_digit() && !first.is_whitespace(),
        None => false,
    }
}
