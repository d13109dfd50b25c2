//! The limit on how much of an answer is parsed. Ordinary answers stay far below it; a text that would block
//! the page is shown as plain text from the limit on. The limit depends only on the text before it, so it is
//! the same however the text is split into pieces.

use super::hidden::is_hidden;
use super::nested::{FenceLine, OpenFence};

/// The most bytes that are parsed; the rest is shown as plain text.
pub const MAX_BYTES: usize = 1 << 20;
/// The most line ends and special characters. Each may become an element of the page, and a browser lays out
/// some ten thousand elements a second.
pub const MAX_SIGNS: usize = 45_000;
/// What a line that is not blank adds to the signs, because it may be a block of its own, and what two
/// constructs add besides: a list item, whose marker is laid out and painted too, takes a browser as long as
/// three paragraphs; a code block is a dozen elements.
const LINE_SIGNS: usize = 2;
const ITEM_SIGNS: usize = 6;
const FENCE_SIGNS: usize = 12;
/// The most bytes without a blank line, code excepted: browser and parser both process a paragraph as a
/// whole.
const MAX_UNBROKEN: usize = 200_000;
/// The highest cost of a part that must be parsed at once because it cannot be cut: about the nanoseconds
/// that the parser takes for a letter, a sign and a line, divided by ten.
const MAX_COST: usize = 4_000_000;
const LETTER_COST: usize = 1;
const SIGN_COST: usize = 8;
const LINE_COST: usize = 32;

/// Scans a growing text for the position where parsing ends.
#[derive(Clone, Debug, Default)]
pub(super) struct Limit {
    /// The position up to which the text was scanned.
    seen: usize,
    /// Start of the current line, and whether it holds more than list and quote markers so far.
    line: usize,
    past_markers: bool,
    signs: usize,
    unbroken: usize,
    /// The cost since the last possible cut.
    cost: usize,
    after_blank: bool,
    /// The fence that is open.
    fence: Option<OpenFence>,
    end: Option<usize>,
}

impl Limit {
    /// The position where parsing ends in `text`, which must begin with the text scanned before; `None` if
    /// the limit is not reached.
    pub fn scan(&mut self, text: &str) -> Option<usize> {
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
        if space && !self.past_markers && !self.is_code() && ends_marker(line) {
            self.signs += ITEM_SIGNS;
        }
        if matches!(c, '\r' | '\n') {
            // The line feed after a carriage return does not end another line.
            if c == '\r' || !first || !text.get(..at).unwrap_or_default().ends_with('\r') {
                self.end_line(line);
            }
            self.line = at + 1;
            self.past_markers = false;
            return;
        }
        // After a blank line, a line that begins with a letter allows a cut.
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
        let counts = sign && (!self.is_code() || is_hidden(c));
        self.signs += usize::from(counts);
        self.cost += if counts { SIGN_COST } else { LETTER_COST };
        if !self.is_code() {
            self.unbroken += c.len_utf8();
        }
    }

    fn end_line(&mut self, line: &str) {
        self.after_blank = line.bytes().all(|b| matches!(b, b' ' | b'\t'));
        let is_code = self.is_code();
        if self.after_blank || is_code {
            self.unbroken = 0;
        }
        if is_code {
            self.cost += LETTER_COST;
        } else {
            self.signs += if self.after_blank { 1 } else { LINE_SIGNS };
            self.cost += LINE_COST;
            if OpenFence::of_line(line).is_some() {
                self.signs += FENCE_SIGNS;
            }
        }
        match &mut self.fence {
            Some(fence) => {
                if fence.read(line) == FenceLine::Closes {
                    self.fence = None;
                }
            }
            None => self.fence = OpenFence::of_line(line),
        }
    }

    /// Whether the text is code however it goes on. A block of Markdown with fences in it may turn out to have ended
    /// at the first of them.
    fn is_code(&self) -> bool {
        self.fence.as_ref().is_some_and(|fence| !fence.has_inner)
    }
}

/// Whether this beginning of a line ends with a list marker.
fn ends_marker(line: &str) -> bool {
    line.ends_with(['-', '+', '*', '.', ')'])
}

/// Whether a character can be part of list and quote markers.
fn is_lead(c: char) -> bool {
    matches!(
        c,
        ' ' | '\t' | '>' | '*' | '+' | '-' | '.' | ')' | '0'..='9'
    )
}
