//! Code that grows: new text is appended without parsing the block again. Long code is split into pieces,
//! because a browser lays out a text as a whole.

use super::fence::may_close;
use super::hidden::is_hidden;
use super::lines::cut_line;
use super::model::{Parsed, TextEnd};
use super::nested::{FenceLine, MarkdownBlock, OpenFence, markdown_blocks};
use super::node::{Node, Tag};
use std::sync::Arc;

/// Lines in a piece of code. The first piece is a direct child of the code block, each further one is in a
/// [`Tag::Lines`], so that short code is a single text.
pub const PIECE: usize = 64;

/// A code block at the end of a growing answer, whose fence is open.
#[derive(Clone, Debug)]
pub(super) struct GrowingCode {
    fence: OpenFence,
    /// The end, in the answer, of the text that the block contains.
    done: usize,
    /// The position after the closing line, once it has arrived.
    pub closed: Option<usize>,
}

impl GrowingCode {
    /// `Some` if `block`, the last one of `text`, is a code block with an open fence; `text` begins at
    /// `start` in the answer.
    pub fn find(text: &str, block: &Parsed, start: usize) -> Option<Self> {
        let source = &text[block.start..];
        let at_line = block.start == 0 || text[..block.start].ends_with('\n');
        let mut fence = OpenFence::of_line(source).filter(|_| at_line)?;
        let code = matches!(&*block.node, Node::Element(Tag::CodeBlock(_), _));
        let mut lines = source.split_inclusive('\n').skip(1);
        // The last line may be incomplete; one that could close the block was held back.
        let read = |line: &str| fence.read(line.trim_end_matches(['\n', '\r']));
        let open = lines
            .by_ref()
            .map(read)
            .all(|line| line != FenceLine::Closes);
        let known = !fence.is_markdown || {
            let blocks = markdown_blocks(text, TextEnd::Growing);
            let of_it = |last: &MarkdownBlock| last.start == block.start && !last.is_closed;
            blocks.last().is_some_and(of_it)
        };
        (code && open && known && source.contains('\n')).then_some(Self {
            fence,
            done: start + text.len(),
            closed: None,
        })
    }

    /// Whether the block shows all of `text`, the whole answer, except for a last line that closes the fence.
    pub fn shows_all(&self, text: &str) -> bool {
        let rest = text.get(self.done..).unwrap_or_default();
        let at_line = text.as_bytes().get(self.done.wrapping_sub(1)) == Some(&b'\n');
        let mut fence = self.fence.clone();
        let is_closed = at_line && fence.read(rest) == FenceLine::Closes;
        // Without its closing line a block with inner ones is parsed again: then CommonMark's reading holds.
        is_closed || rest.is_empty() && !fence.has_inner
    }

    /// The part of `text`, the whole answer, to append to the block, and how many bytes were examined. `None`
    /// if the block must be parsed again, because the new text contains special characters.
    pub fn next<'a>(&mut self, text: &'a str) -> Option<(&'a str, usize)> {
        let more = &text[self.done..];
        let special = |c: char| matches!(c, '\r' | '\0') || is_hidden(c);
        if more.contains(special) {
            return None;
        }
        let at_line = text[..self.done].ends_with('\n');
        let mut end = match (at_line, more.find('\n')) {
            (true, _) => 0,
            (false, None) => more.len(),
            (false, Some(at)) => {
                let line = cut_line(&text[..self.done]).0.len();
                // It was shown before its end came, so it does not close the block.
                self.fence.read(&text[line..self.done + at]);
                at + 1
            }
        };
        while end < more.len() {
            let line = &more[end..];
            let (line, whole) = match line.find('\n') {
                Some(at) => (&line[..at], true),
                None => (line, false),
            };
            if whole && self.fence.read(line) == FenceLine::Closes {
                self.closed = Some(self.done + end + line.len() + 1);
                break;
            }
            if !whole && may_close(line, self.fence.mark, self.fence.length) {
                break;
            }
            end += line.len() + usize::from(whole);
        }
        self.done += end;
        Some((&more[..end], more.len()))
    }
}

/// Splits the text and marks of a code block into pieces.
pub(super) fn in_pieces(all: Vec<Node>) -> Vec<Node> {
    let mut out = Vec::with_capacity(1);
    let mut lines = 0;
    for node in all {
        match node {
            Node::Text(text) => push_after(&mut out, &mut lines, &text),
            node => piece(&mut out, &mut lines).push(node),
        }
    }
    out
}

/// Appends code without marks.
pub(super) fn push(children: &mut Vec<Node>, more: &str) {
    let last = match children.last() {
        Some(Node::Element(Tag::Lines, piece)) => piece.as_slice(),
        _ => children.as_slice(),
    };
    let lines = last.iter().map(|node| match node {
        Node::Text(text) => text.bytes().filter(|b| *b == b'\n').count(),
        _ => 0,
    });
    let mut lines = lines.sum();
    push_after(children, &mut lines, more);
}

/// Appends code to a piece that already has `lines` lines.
fn push_after(children: &mut Vec<Node>, lines: &mut usize, mut more: &str) {
    while !more.is_empty() {
        let piece = piece(children, lines);
        let newline = more.match_indices('\n').nth(PIECE - *lines - 1);
        let (now, rest) = more.split_at(newline.map_or(more.len(), |(at, _)| at + 1));
        *lines += now.bytes().filter(|b| *b == b'\n').count();
        match piece.last_mut() {
            Some(Node::Text(text)) => text.push_str(now),
            _ => piece.push(Node::Text(now.to_owned())),
        }
        more = rest;
    }
}

/// The piece to append to; a new one if the last is full.
fn piece<'a>(children: &'a mut Vec<Node>, lines: &mut usize) -> &'a mut Vec<Node> {
    if *lines >= PIECE {
        children.push(Node::element(Tag::Lines, Vec::new()));
        *lines = 0;
    }
    match children.last() {
        Some(Node::Element(Tag::Lines, _)) => match children.last_mut() {
            Some(Node::Element(_, piece)) => Arc::make_mut(piece),
            _ => unreachable!("it was just looked at"),
        },
        _ => children,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pieces_are_the_same_however_they_grow() {
        let code: String = (0..PIECE * 2 + 3).map(|n| format!("line {n}\n")).collect();
        let whole = in_pieces(vec![Node::Text(code.clone())]);
        assert_eq!(whole.len(), 3);
        for step in [1, 7, 1000] {
            let mut grown = Vec::new();
            for piece in code.as_bytes().chunks(step) {
                push(&mut grown, std::str::from_utf8(piece).unwrap());
            }
            assert_eq!(grown, whole, "in steps of {step}");
        }
        let mark = Node::Hidden("\u{202e}".into());
        let marked = in_pieces(vec![Node::Text(code), mark.clone()]);
        assert!(
            matches!(&marked[2], Node::Element(Tag::Lines, piece) if piece.last() == Some(&mark))
        );
    }
}
