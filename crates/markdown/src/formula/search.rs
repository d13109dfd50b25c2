//! Searches the end of a formula without reading any text twice.

use super::super::model::TextEnd;
use super::super::work::searched;
use super::delimiter::DelimiterKind;
use super::rules::{MAX_FORMULA_BYTES, ends_formula};
use super::signs::dollars;
use std::collections::HashMap;

/// The state of the search through a text.
pub(super) struct FormulaScan<'a> {
    pub(super) text: &'a str,
    pub(super) end: TextEnd,
    /// Start of the current line.
    pub(super) line: usize,
    /// A line, and the position up to which it holds only list and quote markers, so that they are read once.
    pub(super) lead: (usize, usize),
    /// The last search for the end of each kind, so that many openers without an end do not each read the
    /// rest.
    pub(super) seen: [Option<Search>; DelimiterKind::COUNT],
    /// The end of the current paragraph, and the position of its last run of backticks of each length: a run
    /// without a partner does not scan the paragraph again.
    pub(super) ticks: (usize, HashMap<usize, usize>),
}

/// A search for the end of a formula: its range and its result.
#[derive(Clone, Copy)]
pub(super) struct Search {
    pub(super) from: usize,
    pub(super) to: usize,
    pub(super) end: End,
}

#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum End {
    Closed,
    /// A line that ends every formula.
    Crossed,
    /// The end was not found so far.
    Open,
}

impl FormulaScan<'_> {
    /// Whether the line up to `at` holds only list and quote markers.
    pub(super) fn is_after_markers(&mut self, at: usize) -> bool {
        let bytes = self.text.as_bytes();
        let (line, known) = self.lead;
        let mut end = if line == self.line { known } else { self.line };
        while end < at && MARKER_CHARS.contains(&bytes[end]) {
            end += 1;
        }
        self.lead = (self.line, end);
        end >= at
    }

    /// The end of the formula whose content begins at `start`.
    pub(super) fn close(&mut self, start: usize, kind: DelimiterKind) -> Search {
        let known = self.seen[kind.index()].filter(|seen| seen.from <= start && start <= seen.to);
        let search = match known {
            Some(seen) if seen.end != End::Open => seen,
            known => {
                let from = known.map_or(start, |seen| seen.to);
                let (to, end) = self.search(from, start + MAX_FORMULA_BYTES, kind);
                searched(to.saturating_sub(from));
                Search {
                    from: start,
                    to,
                    end,
                }
            }
        };
        self.seen[kind.index()] = Some(search);
        search
    }

    /// Searches the end of a formula from `at`, up to about `limit`.
    fn search(&self, mut at: usize, limit: usize, kind: DelimiterKind) -> (usize, End) {
        let (text, bytes) = (self.text, self.text.as_bytes());
        while at < bytes.len() && at <= limit {
            match bytes[at] {
                b'\\'
                    if kind.closing().starts_with('\\')
                        && text[at..].starts_with(kind.closing()) =>
                {
                    return (at, End::Closed);
                }
                // Formulas do not nest; otherwise all openers before one end would read up to it.
                b'\\'
                    if kind.closing().starts_with('\\')
                        && text[at..].starts_with(kind.opening()) =>
                {
                    return (at, End::Crossed);
                }
                // A line break is examined even after a backslash.
                b'\\' if bytes.get(at + 1) != Some(&b'\n') => at += 2,
                b'$' if matches!(kind, DelimiterKind::Dollar | DelimiterKind::Dollars) => {
                    let run = dollars(bytes, at);
                    if run == kind.closing().len() {
                        return (at, End::Closed);
                    }
                    if kind == DelimiterKind::Dollar {
                        return (at, End::Crossed);
                    }
                    at += run; // `\text{if $x$}`
                }
                b'`' if kind == DelimiterKind::Dollar => return (at, End::Crossed),
                b'\n' if ends_formula(&text[at + 1..], kind) => return (at, End::Crossed),
                _ => at += 1,
            }
        }
        (at.min(bytes.len()), End::Open)
    }

    /// Whether the run of backticks at `at` is followed by another one of the same length in its paragraph.
    fn has_partner(&mut self, at: usize, run: usize) -> bool {
        if at >= self.ticks.0 {
            self.ticks = last_runs(self.text, at);
        }
        self.ticks.1.get(&run).is_some_and(|last| *last > at)
    }

    /// The position after the code span that begins at `at`, or after its backticks if there is none. A fence
    /// is not a span; masked text in a code block is restored later.
    pub(super) fn after_code(&mut self, at: usize) -> usize {
        let text = self.text;
        let run = text[at..].bytes().take_while(|b| *b == b'`').count();
        let start = at + run;
        let fence = run > 2 && self.is_after_markers(at);
        if !fence && !self.has_partner(at, run) {
            return start;
        }
        let mut line = self.line;
        let mut rest = &text[start..];
        loop {
            let Some(next) = rest.find(['`', '\n']) else {
                return start;
            };
            searched(next);
            let found = &rest[next..];
            if let Some(below) = found.strip_prefix('\n') {
                if fence || is_blank_line(below) {
                    return start;
                }
                line = text.len() - below.len();
                rest = below;
                continue;
            }
            let length = found.bytes().take_while(|b| *b == b'`').count();
            rest = &found[length..];
            if length == run {
                self.line = line;
                return text.len() - rest.len();
            }
        }
    }
}

/// The end of the paragraph around `at`, and the position of its last run of backticks of each length after
/// `at`.
fn last_runs(text: &str, at: usize) -> (usize, HashMap<usize, usize>) {
    let bytes = text.as_bytes();
    let mut last = HashMap::new();
    let mut end = at;
    while let Some(byte) = bytes.get(end) {
        match byte {
            b'`' => {
                let run = bytes[end..].iter().take_while(|b| **b == b'`').count();
                last.insert(run, end);
                end += run;
            }
            b'\n' if is_blank_line(&text[end + 1..]) => break,
            _ => end += 1,
        }
    }
    searched(end - at);
    (end.max(at + 1), last)
}

/// Whether a text begins with a blank line.
fn is_blank_line(text: &str) -> bool {
    let line = text.split('\n').next();
    line.is_none_or(|line| line.trim().is_empty())
}

/// The characters of list and quote markers.
const MARKER_CHARS: &[u8] = b" \t>*+-.)0123456789";
