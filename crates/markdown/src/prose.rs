//! A growing paragraph: words without Markdown characters are appended to its text without parsing it again.

use super::hidden::is_hidden;
use super::model::Parsed;
use super::node::{Node, Tag};

/// A paragraph at the end of a growing answer that ends with plain words.
#[derive(Clone, Debug)]
pub(super) struct GrowingProse {
    /// The end, in the answer, of the text in the paragraph: after its last word.
    done: usize,
}

impl GrowingProse {
    /// `Some` if `block`, the last one of `text`, is such a paragraph; `text` begins at `start` in the
    /// answer.
    pub fn find(text: &str, block: &Parsed, start: usize) -> Option<Self> {
        let Node::Element(Tag::Paragraph, children) = &*block.node else {
            return None;
        };
        let shown = text.trim_end_matches([' ', '\n']);
        let source = shown.get(block.start..)?;
        // A paragraph that begins with a bracket may become a definition.
        let line = source.rsplit('\n').next().unwrap_or_default();
        let closed = !source.starts_with('[') && begins_plain(line) && is_closed(text);
        let plain = closed && is_plain(last_word(source));
        let Some(Node::Text(last)) = children.last().filter(|_| plain) else {
            return None;
        };
        // The paragraph must end with the text that is shown last.
        (!last.is_empty() && source.ends_with(last_word(last))).then_some(Self {
            done: start + shown.len(),
        })
    }

    /// The part of `text`, the whole answer, to append to the paragraph, and how many bytes were examined;
    /// `None` if the paragraph must be parsed.
    pub fn next(&mut self, text: &str) -> Option<(String, usize)> {
        let more = text.get(self.done..)?.trim_end_matches([' ', '\n']);
        let word = last_word(text.get(..self.done)?);
        let touched = text.get(self.done - word.len()..self.done + more.len())?;
        if !is_plain(touched) {
            return None;
        }
        let mut next = String::with_capacity(more.len());
        for (at, line) in more.split('\n').enumerate() {
            // Two spaces at the end of a line are a hard break.
            if at > 0 {
                if !begins_plain(line) || next.ends_with("  ") {
                    return None;
                }
                next.truncate(next.trim_end_matches(' ').len());
                next.push('\n');
            }
            next.push_str(line);
        }
        self.done += more.len();
        Some((next, touched.len()))
    }
}

/// Appends words to a paragraph.
pub(super) fn push(children: &mut [Node], more: &str) {
    if let Some(Node::Text(last)) = children.last_mut() {
        last.push_str(more);
    }
}

/// Whether a line begins with a letter, so that it cannot begin another block.
fn begins_plain(line: &str) -> bool {
    line.starts_with(|c: char| {
        c.is_ascii_alphabetic() || c > '\u{bf}' && !is_hidden(c) && !c.is_whitespace()
    })
}

/// Whether no link, HTML or formula is open at the end of a text, and its lines end in the usual way.
fn is_closed(text: &str) -> bool {
    let since = |mark: &str| text.rfind(mark).and_then(|at| text.get(at + mark.len()..));
    let link = since("[").is_none_or(|label| label.contains(']'));
    let destination = since("](").is_none_or(|to| {
        let end = to.split(')').next().unwrap_or_default();
        end.len() < to.len() && !end.contains(['"', '\'', '(', '<'])
    });
    link && destination && !text.contains(['<', '$', '\\', '\r'])
}

/// The text after the last white space.
fn last_word(text: &str) -> &str {
    let blank = text.rfind([' ', '\n']);
    text.get(blank.map_or(0, |at| at + 1)..).unwrap_or_default()
}

/// Whether a text is plain whatever follows it: no markup, no incomplete address or entity.
fn is_plain(text: &str) -> bool {
    let special = |c: char| {
        matches!(
            c,
            '`' | '*' | '_' | '~' | '[' | ']' | '<' | '>' | '$' | '\\' | '&' | '|' | ':' | '@'
        ) || c.is_control() && c != '\n'
            || is_hidden(c)
    };
    let www = |three: &[u8]| three.eq_ignore_ascii_case(b"www");
    !text.contains(special) && !text.as_bytes().windows(3).any(www)
}
