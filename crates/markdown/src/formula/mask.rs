//! Masks a text for the Markdown parser.

use super::super::hidden::is_hidden;
use super::super::model::TextEnd;
use super::super::nested::markdown_blocks;
use super::delimiter::DelimiterKind;
use super::rules::{MAX_FORMULA_BYTES, is_formula, is_half_formula};
use super::search::{End, FormulaScan, Search};
use super::signs::{FOOTNOTE, dollars, is_mask, mask_of};
use std::borrow::Cow;

/// The longest label of a footnote, in bytes.
const MAX_LABEL: usize = 100;

/// The masked text, with every position unchanged. At a `Growing` end, an unclosed formula counts as a
/// formula; at an `Ended` one, it stays as it was written.
pub(crate) fn mask(text: &str, end: TextEnd) -> Cow<'_, str> {
    let bytes = text.as_bytes();
    let tabs = text.contains('\t') && (text.contains("```") || text.contains("~~~"));
    let nested = markdown_blocks(text, end);
    if !tabs
        && nested.iter().all(|block| block.inner_closings.is_empty())
        && !text.contains("[^")
        && !bytes
            .iter()
            .any(|b| matches!(b, b'$' | b'\\') || is_mask(*b))
    {
        return Cow::Borrowed(text);
    }
    let mut out = bytes.to_vec();
    if tabs {
        spaces_behind_fences(text, &mut out);
    }
    // Remove mask characters from the source, so that all that remain are ours.
    for byte in out.iter_mut().filter(|byte| is_mask(**byte)) {
        *byte = 0x7f;
    }
    let mut scan = FormulaScan {
        text,
        end,
        line: 0,
        lead: (0, 0),
        seen: [None; DelimiterKind::COUNT],
        ticks: Default::default(),
    };
    let mut nested = nested.into_iter().peekable();
    let mut at = 0;
    while at < bytes.len() {
        if let Some(block) = nested.next_if(|block| block.start == at && block.fence.has_inner) {
            for line in block.inner_closings {
                // The parser must not see the fences that close inner blocks.
                let mark = line + text[line..].len() - text[line..].trim_start_matches(' ').len();
                out[mark] = mask_of(bytes[mark]).unwrap_or(bytes[mark]);
            }
            scan.line = block.end;
            at = block.end;
            continue;
        }
        while nested.next_if(|block| block.start <= at).is_some() {}
        at = match bytes[at] {
            b'\n' => {
                scan.line = at + 1;
                at + 1
            }
            b'`' => scan.after_code(at),
            b'<' => after_autolink(text, at),
            b'[' => match footnote(text, at) {
                Some(end) if !scan.is_definition(at, end) => {
                    out[at] = FOOTNOTE as u8;
                    for place in at + 1..end {
                        out[place] = mask_of(bytes[place]).unwrap_or(bytes[place]);
                    }
                    end
                }
                Some(end) => end,
                None => at + 1,
            },
            b':' if text[at..].starts_with("://") => after_word(text, at),
            b']' if text[at..].starts_with("](") => after_word(text, at),
            b'$' => {
                let run = dollars(bytes, at);
                match run {
                    1 => scan
                        .formula(at, DelimiterKind::Dollar, &mut out)
                        .unwrap_or(at + 1),
                    2 => scan
                        .formula(at, DelimiterKind::Dollars, &mut out)
                        .unwrap_or(at + 2),
                    run => at + run,
                }
            }
            b'\\' => match bytes.get(at + 1) {
                Some(b'(') => scan
                    .formula(at, DelimiterKind::Round, &mut out)
                    .unwrap_or(at + 2),
                Some(b'[') => scan
                    .formula(at, DelimiterKind::Square, &mut out)
                    .unwrap_or(at + 2),
                Some(b'b') => match DelimiterKind::environment(&text[at..]) {
                    Some(kind) => scan.formula(at, kind, &mut out).unwrap_or(at + 2),
                    None => at + 2,
                },
                Some(b'\n') => at + 1,
                _ => at + 2,
            },
            _ => at + 1,
        }
    }
    // Only ASCII bytes were replaced, each by another ASCII byte, so this cannot fail.
    String::from_utf8(out).map_or(Cow::Borrowed(text), Cow::Owned)
}

/// The end of the footnote reference that begins at `at`, if there is one. `[^a](b)` and `[^a][b]` are links.
fn footnote(text: &str, at: usize) -> Option<usize> {
    let label = text[at..].strip_prefix("[^")?;
    let inner = |c: char| !(c.is_control() || is_hidden(c) || "[]\\`$<|".contains(c));
    let length = label.find(|c| !inner(c)).filter(|end| *end <= MAX_LABEL)?;
    let after = label[length..].strip_prefix(']')?;
    let is_link = after.starts_with('(') || after.starts_with('[') && !after.starts_with("[^");
    let blank = label[..length].trim().is_empty();
    (!blank && !is_link).then_some(at + "[^".len() + length + 1)
}

/// Replaces tabs after a fence by spaces: the parser does not accept tabs in a closing line.
fn spaces_behind_fences(text: &str, out: &mut [u8]) {
    let mut start = 0;
    for line in text.split_inclusive('\n') {
        let marks = line.trim_end();
        let end = start + line.len();
        let fenced = marks.ends_with("```") || marks.ends_with("~~~");
        if fenced && marks.len() < line.len() {
            let behind = &mut out[start + marks.len()..end];
            let tabs = behind.iter_mut().filter(|byte| **byte == b'\t');
            tabs.for_each(|byte| *byte = b' ');
        }
        start = end;
    }
}

impl FormulaScan<'_> {
    /// Masks the formula that begins at `at`, if there is one; returns its end.
    fn formula(&mut self, at: usize, kind: DelimiterKind, out: &mut [u8]) -> Option<usize> {
        let (text, bytes) = (self.text, self.text.as_bytes());
        let alone = self.is_after_markers(at);
        let row = first_sign(text, self.line) == Some(b'|');
        // A table cell that holds only a currency sign.
        if row
            && kind == DelimiterKind::Dollar
            && bytes[at - 1] == b'|'
            && bytes.get(at + 1) == Some(&b'|')
        {
            return None;
        }
        let start = at + kind.opening().len();
        let Search { to, end, .. } = self.close(start, kind);
        let long = to.saturating_sub(at) > MAX_FORMULA_BYTES;
        let close = match end {
            _ if long => return None,
            End::Crossed => return None,
            End::Closed => {
                let after = &text[to + kind.closing().len()..];
                if !is_formula(kind, &text[..at], &text[start..to], after, alone) {
                    return None;
                }
                true
            }
            End::Open if kind == DelimiterKind::Round || (kind.is_display() && alone) => {
                let half = match self.end {
                    TextEnd::Growing => true,
                    TextEnd::Cut => false,
                    TextEnd::Ended => is_half_formula(&text[start..to]),
                };
                if !half {
                    return None;
                }
                false
            }
            End::Open => return None,
        };
        let quoted = first_sign(text, self.line) == Some(b'>');
        out[at] = kind.mark() as u8;
        let mut lead = false;
        for place in at + 1..to {
            let byte = bytes[place];
            if byte == b'\n' {
                self.line = place + 1;
            }
            let leads = matches!(byte, b' ' | b'\t') || (quoted && byte == b'>');
            lead = byte == b'\n' || (lead && leads);
            // Two spaces at the end of a line would be a line break.
            let breaks = matches!(bytes.get(place + 1), None | Some(b'\n' | b' '));
            if !lead
                && (byte != b' ' || breaks)
                && let Some(mask) = mask_of(byte)
            {
                out[place] = mask;
            }
        }
        if !close {
            return Some(to);
        }
        out[to] = kind.mark() as u8;
        let end = to + kind.closing().len();
        for place in to + 1..end {
            if let Some(mask) = mask_of(bytes[place]) {
                out[place] = mask;
            }
        }
        Some(end)
    }
}

impl FormulaScan<'_> {
    /// Whether the label from `at` to `end` begins a footnote definition.
    fn is_definition(&mut self, at: usize, end: usize) -> bool {
        self.text[end..].starts_with(':') && self.is_after_markers(at)
    }
}

/// The first character of the line that begins at `line`, after at most a few spaces.
fn first_sign(text: &str, line: usize) -> Option<u8> {
    let mut bytes = text.as_bytes()[line..].iter().take(100);
    bytes.find(|b| !matches!(b, b' ' | b'\t')).copied()
}

/// The position after the autolink `<https://…>`, or after the `<`.
fn after_autolink(text: &str, at: usize) -> usize {
    let link = &text[at + 1..];
    let end = link.find(|c: char| matches!(c, '<' | '>') || c.is_whitespace());
    match end {
        Some(end) if link[end..].starts_with('>') && link[..end].contains(':') => at + 1 + end,
        _ => at + 1,
    }
}

/// The position after an address.
fn after_word(text: &str, at: usize) -> usize {
    let end = text[at..].find(|c: char| c.is_whitespace() || c == ')');
    end.map_or(text.len(), |end| at + end)
}
