//! How much of an answer is parsed. Honest answers stay far below; a text that would hold up the page is shown as
//! plain text from where it has had its share. The place depends on nothing but the text before it, so it is the same
//! in whatever pieces the text comes.

use super::fence::{closes, fence};
use super::hidden::is_hidden;

/// How much of an answer is parsed, in bytes; the rest is shown as plain text.
pub const MAX_BYTES: usize = 1 << 20;
/// How many line ends and signs of Markdown that is. Each may be an element of the page, of which a browser lays out some
/// ten thousand a second.
pub const MAX_SIGNS: usize = 45_000;
/// What a line that is not blank counts, because it may be a block of its own, and what two things count besides: an item
/// of a list, whose marker is laid out and painted too, takes a browser as long as three paragraphs; a block of code is a
/// dozen elements.
const LINE_SIGNS: usize = 2;
const ITEM_SIGNS: usize = 6;
const FENCE_SIGNS: usize = 12;
/// How many bytes without a blank line that is, code aside: a browser lays out a paragraph as a whole, and the parser takes
/// one as a whole.
const MAX_UNBROKEN: usize = 200_000;
/// What a part may cost that is parsed at once, because it has no place where it can be cut: about the nanoseconds
/// that the parser takes for a letter, a sign and a line, divided by ten.
const MAX_COST: usize = 4_000_000;
const LETTER: usize = 1;
const SIGN: usize = 8;
const LINE: usize = 32;

/// The look through a growing text for the place where its parsing ends.
#[derive(Clone, Debug, Default)]
pub(super) struct Limit {
    /// Up to where it was looked.
    seen: usize,
    /// Where the line begins in which that is, and whether nothing but markers of lists and quotes is in it so far.
    line: usize,
    past_markers: bool,
    signs: usize,
    unbroken: usize,
    /// Since the last place where it can be cut.
    cost: usize,
    after_blank: bool,
    fence: Option<(char, usize)>,
    end: Option<usize>,
}

impl Limit {
    /// Where parsing ends in `text`, which begins with all that was looked at before; nothing if it ends nowhere so
    /// far.
    pub fn look(&mut self, text: &str) -> Option<usize> {
        for (at, c) in text.get(self.seen..).unwrap_or_default().char_indices() {
            if self.end.is_some() {
                break;
            }
            let at = self.seen + at;
            if at + c.len_utf8() > MAX_BYTES || self.is_spent() {
                self.end = Some(at);
            } else {
                self.count(text, at, c);
            }
        }
        self.seen = text.len();
        self.end
    }

    fn is_spent(&self) -> bool {
        self.signs >= MAX_SIGNS || self.cost >= MAX_COST || self.unbroken >= MAX_UNBROKEN
    }

    fn count(&mut self, text: &str, at: usize, c: char) {
        let line = text.get(self.line..at).unwrap_or_default();
        let first = at == self.line;
        let space = matches!(c, ' ' | '\t' | '\r' | '\n');
        if space && !self.past_markers && self.fence.is_none() && ends_marker(line) {
            self.signs += ITEM_SIGNS;
        }
        if matches!(c, '\r' | '\n') {
            // A line feed behind a carriage return ends no other line.
            if c == '\r' || !first || !text.get(..at).unwrap_or_default().ends_with('\r') {
                self.end_line(line);
            }
            self.line = at + 1;
            self.past_markers = false;
            return;
        }
        // A line that begins with a letter ends what stands before a blank one.
        if first && self.after_blank && !is_lead(c) && self.fence.is_none() {
            self.cost = 0;
        }
        let marker = !self.past_markers && is_lead(c);
        self.past_markers |= !marker;
        let sign = match c {
            '-' | '+' | '.' | ')' => marker,
            '`' | '*' | '_' | '~' | '[' | ']' | '<' | '>' | '|' | '#' | '@' | '$' | '\\' | '&'
            | '!' => true,
            _ => is_hidden(c),
        };
        let counts = sign && (self.fence.is_none() || is_hidden(c));
        self.signs += usize::from(counts);
        self.cost += if counts { SIGN } else { LETTER };
        if self.fence.is_none() {
            self.unbroken += c.len_utf8();
        }
    }

    fn end_line(&mut self, line: &str) {
        self.after_blank = line.bytes().all(|b| matches!(b, b' ' | b'\t'));
        if self.after_blank || self.fence.is_some() {
            self.unbroken = 0;
        }
        match self.fence {
            Some((mark, length)) => {
                self.cost += LETTER;
                if closes(line, mark, length) {
                    self.fence = None;
                }
            }
            None => {
                self.signs += if self.after_blank { 1 } else { LINE_SIGNS };
                self.cost += LINE;
                self.fence = fence(line).filter(|(mark, length)| {
                    let info = line.get(*length..).unwrap_or_default();
                    *mark == '~' || !info.contains('`')
                });
                if self.fence.is_some() {
                    self.signs += FENCE_SIGNS;
                }
            }
        }
    }
}

/// Whether so much of a line ends with a marker of a list.
fn ends_marker(line: &str) -> bool {
    line.ends_with(['-', '+', '*', '.', ')'])
}

/// Whether markers of lists and quotes are made of it.
fn is_lead(c: char) -> bool {
    matches!(
        c,
        ' ' | '\t' | '>' | '*' | '+' | '-' | '.' | ')' | '0'..='9'
    )
}
