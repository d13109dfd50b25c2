//! Splits masked, parsed text into text and formulas.

use super::super::hidden::is_hidden;
use super::super::node::Node;
use super::signs::{BACKSLASH, DOLLAR, DOLLARS, FOOTNOTE, mask_of, restore};

/// Splits text into text, formulas, and the footnote references that are `known`, at most `room` of them;
/// returns their number. With `growing` more text may follow, and an unclosed formula is held; in a `cell` no
/// formula is a display.
pub(crate) fn split(
    text: &str,
    growing: bool,
    cell: bool,
    room: usize,
    mut known: impl FnMut(&str) -> bool,
    out: &mut Vec<Node>,
) -> usize {
    let mut count = 0;
    let mut rest = text;
    while let Some(at) = rest.find([DOLLAR, DOLLARS, BACKSLASH, FOOTNOTE]) {
        push(&rest[..at], out);
        rest = &rest[at..];
        if rest.starts_with(FOOTNOTE) {
            let length = footnote(rest);
            let written = restore(&rest[..length]);
            let label = written.strip_prefix("[^");
            let label = label.and_then(|label| label.strip_suffix(']'));
            match label.filter(|label| known(label) && count < room) {
                Some(label) => {
                    count += 1;
                    out.push(Node::FootnoteReference(label.to_owned()));
                }
                None => push(&written, out),
            }
            rest = &rest[length..];
            continue;
        }
        let (length, open) = match end(rest) {
            Some(length) => (length, false),
            None if growing => (rest.len(), true),
            None => {
                push(&rest[..1], out);
                rest = &rest[1..];
                continue;
            }
        };
        let written = restore(&rest[..length]);
        if written.contains(is_hidden) || count == room {
            push(&written, out);
        } else {
            count += 1;
            let display = ["$$", "\\[", "\\b"];
            let display = display.iter().any(|begin| written.starts_with(begin));
            out.push(Node::Formula {
                written: written.into_owned(),
                display: display && !cell,
                open,
            });
        }
        rest = &rest[length..];
    }
    push(rest, out);
    count
}

/// The length of the footnote reference that masked text begins with; for an incomplete one, of its first
/// character.
fn footnote(text: &str) -> usize {
    let close = mask_of(b']').map(char::from);
    let close = close.and_then(|close| text.find(close));
    close.map_or(FOOTNOTE.len_utf8(), |close| close + 1)
}

/// The length of the formula that masked text begins with, if it ends.
fn end(text: &str) -> Option<usize> {
    let mut signs = text.chars();
    let mark = signs.next()?;
    let mut start = 2;
    let second = match (mark, signs.next()?) {
        (DOLLAR, _) => {
            start = 1;
            None
        }
        (DOLLARS, '$') => Some(b'$'),
        (BACKSLASH, '(') => mask_of(b')'),
        (BACKSLASH, 'b') => Some(b'e'),
        (BACKSLASH, _) => mask_of(b']'),
        _ => return None,
    };
    let close = start + text.get(start..)?.find([DOLLAR, DOLLARS, BACKSLASH])?;
    let ends = text[close..].starts_with(mark)
        && second.is_none_or(|second| text.as_bytes().get(close + 1) == Some(&second));
    let length = match second {
        Some(b'e') => text[close..].find('}')? + 1,
        _ => start,
    };
    ends.then_some(close + length)
}

/// Appends restored text, joined to the text before it.
fn push(text: &str, out: &mut Vec<Node>) {
    match out.last_mut() {
        _ if text.is_empty() => {}
        Some(Node::Text(last)) => last.push_str(&restore(text)),
        _ => out.push(Node::Text(restore(text).into_owned())),
    }
}
