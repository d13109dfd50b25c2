//! Helpers for short pieces of text.

use super::hidden::{coded, is_hidden, run_len};
use super::node::Node;

/// Splits text at hidden characters: at most `room` marks, then codes within the text. Returns the number of
/// marks.
pub(super) fn split(text: &str, room: usize, out: &mut Vec<Node>) -> usize {
    let mut marks = 0;
    let mut rest = text;
    while !rest.is_empty() {
        let shown = match marks < room {
            true => rest.find(is_hidden).unwrap_or(rest.len()),
            false => rest.len(),
        };
        if shown > 0 {
            out.push(Node::Text(coded(&rest[..shown])));
        }
        let hidden = run_len(&rest[shown..]);
        if hidden > 0 {
            marks += 1;
            out.push(Node::Hidden(rest[shown..shown + hidden].to_owned()));
        }
        rest = &rest[shown + hidden..];
    }
    marks
}

/// Whether a piece of HTML is `<br>`.
pub(super) fn is_br(html: &str) -> bool {
    let name = html
        .trim_start_matches('<')
        .trim_end_matches(['/', '>', ' ']);
    name.eq_ignore_ascii_case("br")
}

/// The language of a fence: the first word of its info string, if it looks like a name.
pub(super) fn language(info: &str) -> String {
    let word = info.split([' ', ',', '{', '\t']).next().unwrap_or_default();
    // The exact answer for other scripts needs Unicode tables.
    let other = |c: char| !(c.is_ascii() || c.is_whitespace() || c.is_control() || is_hidden(c));
    let named = |c: char| c.is_ascii_alphanumeric() || "+-#._/".contains(c) || other(c);
    let is_name = word.len() <= 40 && word.chars().all(named);
    if is_name {
        word.to_owned()
    } else {
        String::new()
    }
}

/// A destination that is only shown: its first 300 characters.
pub(super) fn shortened(destination: &str) -> String {
    let mut text: String = destination
        .chars()
        .filter(|c| !is_hidden(*c))
        .take(300)
        .collect();
    if text.len() < destination.len() {
        text.push('…');
    }
    text
}
