//! Formulas in an answer: `$…$`, `$$…$$`, `\(…\)`, `\[…\]`, and fences of the language `math`.
//!
//! What means something in TeX means something else in Markdown: `_`, `*`, `\\`, `&`, `|`. So the parser is given
//! a copy in which the signs within a formula are control characters, each as long as what it stands for: all
//! places in the text stay what they are. Where the formula turns out to be none (in code, in a link's address),
//! [`restore`] gives the signs back. Formulas are looked for between one blank line and the next, as in TeX, so that
//! an answer can be cut at any blank line.

use super::formula_rules::{is_crossed, is_formula};
use super::hidden::is_hidden;
use super::node::Node;
use std::borrow::Cow;

/// Signs of Markdown, and the space that breaks a line when two of it end it.
const SIGNS: &[u8; 18] = b"*_~`[]<>&|\\#-+=.) ";
/// What stands in their place, in this order.
const MASKS: &[u8; 18] =
    b"\x01\x02\x03\x04\x05\x06\x07\x08\x0e\x0f\x10\x11\x12\x13\x14\x15\x16\x17";
/// In place of a `$` that begins or ends a formula, of the first of `$$`, of the backslash of `\(`, `\)`, `\[`, `\]`.
const DOLLAR: char = '\x18';
const DOLLARS: char = '\x19';
const BACKSLASH: char = '\x1a';

/// The longest formula, delimiters included. Also how long an open one is held.
const LONGEST: usize = 8196;

fn mask_of(sign: u8) -> Option<u8> {
    let at = SIGNS.iter().position(|one| *one == sign)?;
    Some(MASKS[at])
}

fn is_mask(byte: u8) -> bool {
    MASKS.contains(&byte) || (0x18..=0x1a).contains(&byte)
}

/// What kind of formula begins somewhere.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    Dollar,
    Dollars,
    Round,
    Square,
}

impl Kind {
    fn opening(self) -> &'static str {
        match self {
            Kind::Dollar => "$",
            Kind::Dollars => "$$",
            Kind::Round => "\\(",
            Kind::Square => "\\[",
        }
    }

    pub(super) fn closing(self) -> &'static str {
        match self {
            Kind::Dollar => "$",
            Kind::Dollars => "$$",
            Kind::Round => "\\)",
            Kind::Square => "\\]",
        }
    }

    /// What stands in place of the first byte of its delimiters.
    fn mark(self) -> char {
        match self {
            Kind::Dollar => DOLLAR,
            Kind::Dollars => DOLLARS,
            Kind::Round | Kind::Square => BACKSLASH,
        }
    }

    /// Whether it stands on lines of its own.
    fn is_display(self) -> bool {
        matches!(self, Kind::Dollars | Kind::Square)
    }
}

/// The text as the Markdown parser should see it, place for place. With `open`, one that is not closed yet at the
/// end of the text counts as a formula.
pub(super) fn mask(text: &str, open: bool) -> Cow<'_, str> {
    let bytes = text.as_bytes();
    if !bytes
        .iter()
        .any(|b| matches!(b, b'$' | b'\\') || is_mask(*b))
    {
        return Cow::Borrowed(text);
    }
    let mut out = bytes.to_vec();
    // These must mean nothing but what we make them mean.
    for byte in out.iter_mut().filter(|byte| is_mask(**byte)) {
        *byte = 0x7f;
    }
    let mut scan = Scan {
        text,
        open,
        line: 0,
        lead: (0, 0),
        seen: [None; 4],
    };
    let mut at = 0;
    while at < bytes.len() {
        at = match bytes[at] {
            b'\n' => {
                scan.line = at + 1;
                at + 1
            }
            b'`' => scan.after_code(at),
            b'<' => after_autolink(text, at),
            b':' if text[at..].starts_with("://") => after_word(text, at),
            b']' if text[at..].starts_with("](") => after_word(text, at),
            b'$' => {
                let run = dollars(bytes, at);
                match run {
                    1 => scan.formula(at, Kind::Dollar, &mut out).unwrap_or(at + 1),
                    2 => scan.formula(at, Kind::Dollars, &mut out).unwrap_or(at + 2),
                    run => at + run,
                }
            }
            b'\\' => match bytes.get(at + 1) {
                Some(b'(') => scan.formula(at, Kind::Round, &mut out).unwrap_or(at + 2),
                Some(b'[') => scan.formula(at, Kind::Square, &mut out).unwrap_or(at + 2),
                Some(b'\n') => at + 1,
                _ => at + 2,
            },
            _ => at + 1,
        }
    }
    // Only single bytes of ASCII were put in place of others.
    String::from_utf8(out).map_or(Cow::Borrowed(text), Cow::Owned)
}

fn dollars(bytes: &[u8], at: usize) -> usize {
    bytes[at..].iter().take_while(|b| **b == b'$').count()
}

/// The look through a text.
struct Scan<'a> {
    text: &'a str,
    open: bool,
    /// Where the line begins in which we are.
    line: usize,
    /// For which line, and up to where, nothing but markers was found at its beginning: nothing is read twice.
    lead: (usize, usize),
    /// The last search for the end of each kind: nothing is read twice for many that begin and do not end.
    seen: [Option<Search>; 4],
}

/// A search for the end of a formula: from where, to where, and what was there.
#[derive(Clone, Copy)]
struct Search {
    from: usize,
    to: usize,
    end: End,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum End {
    Closed,
    /// Something that no formula goes across.
    Crossed,
    /// So far nothing.
    Open,
}

impl Scan<'_> {
    /// Masks the formula that begins at `at`, if one does; gives where it ends.
    fn formula(&mut self, at: usize, kind: Kind, out: &mut [u8]) -> Option<usize> {
        let (text, bytes) = (self.text, self.text.as_bytes());
        let alone = self.is_lead_to(at);
        let row = first_sign(text, self.line) == Some(b'|');
        // A cell with nothing but the sign of a currency.
        if row && kind == Kind::Dollar && bytes[at - 1] == b'|' && bytes.get(at + 1) == Some(&b'|')
        {
            return None;
        }
        let start = at + kind.opening().len();
        let Search { to, end, .. } = self.close(start, kind);
        let long = to.saturating_sub(start) > LONGEST;
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
            End::Open if kind == Kind::Round || (kind.is_display() && alone) => {
                if !self.open {
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
            // Two of them at the end of a line would break it.
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
        if kind.closing().len() == 2
            && let Some(mask) = bytes.get(to + 1).copied().and_then(mask_of)
        {
            out[to + 1] = mask;
        }
        Some(to + kind.closing().len())
    }

    /// Whether nothing but markers of lists and quotes stands before a place in its line.
    fn is_lead_to(&mut self, at: usize) -> bool {
        let bytes = self.text.as_bytes();
        let (line, known) = self.lead;
        let mut end = if line == self.line { known } else { self.line };
        while end < at && LEAD.contains(&bytes[end]) {
            end += 1;
        }
        self.lead = (self.line, end);
        end >= at
    }

    /// Where the formula closes that has begun before `start`.
    fn close(&mut self, start: usize, kind: Kind) -> Search {
        let known = self.seen[kind as usize].filter(|seen| seen.from <= start && start <= seen.to);
        let search = match known {
            Some(seen) if seen.end != End::Open => seen,
            known => {
                let from = known.map_or(start, |seen| seen.to);
                let (to, end) = self.search(from, start + LONGEST, kind);
                Search {
                    from: start,
                    to,
                    end,
                }
            }
        };
        self.seen[kind as usize] = Some(search);
        search
    }

    /// Looks for the end of a formula from `at`, and not far beyond `limit`.
    fn search(&self, mut at: usize, limit: usize, kind: Kind) -> (usize, End) {
        let (text, bytes) = (self.text, self.text.as_bytes());
        while at < bytes.len() && at <= limit {
            match bytes[at] {
                b'\\'
                    if kind.closing().starts_with('\\')
                        && text[at..].starts_with(kind.closing()) =>
                {
                    return (at, End::Closed);
                }
                // None stands within another: else all that begin before one end would be read up to it.
                b'\\'
                    if kind.closing().starts_with('\\')
                        && text[at..].starts_with(kind.opening()) =>
                {
                    return (at, End::Crossed);
                }
                // A line break is looked at whatever stands before it.
                b'\\' if bytes.get(at + 1) != Some(&b'\n') => at += 2,
                b'$' if matches!(kind, Kind::Dollar | Kind::Dollars) => {
                    let run = dollars(bytes, at);
                    if run == kind.closing().len() {
                        return (at, End::Closed);
                    }
                    if kind == Kind::Dollar {
                        return (at, End::Crossed);
                    }
                    at += run; // `\text{if $x$}`
                }
                b'`' if kind == Kind::Dollar => return (at, End::Crossed),
                b'\n' if is_crossed(&text[at + 1..], kind) => return (at, End::Crossed),
                _ => at += 1,
            }
        }
        (at.min(bytes.len()), End::Open)
    }

    /// What follows the code span that begins at `at`, or its backticks where there is none. A fence is no span; and
    /// what is masked in a block of code is given back.
    fn after_code(&mut self, at: usize) -> usize {
        let text = self.text;
        let run = text[at..].bytes().take_while(|b| *b == b'`').count();
        let start = at + run;
        let fence = run > 2 && self.is_lead_to(at);
        let mut line = self.line;
        let mut rest = &text[start..];
        loop {
            let Some(next) = rest.find(['`', '\n']) else {
                return start;
            };
            let found = &rest[next..];
            if let Some(below) = found.strip_prefix('\n') {
                let blank = below
                    .split('\n')
                    .next()
                    .is_none_or(|line| line.trim().is_empty());
                if fence || blank {
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

/// What markers of lists and quotes are made of.
const LEAD: &[u8] = b" \t>*+-.)0123456789";

/// The first sign in the line that begins at `line`, if it has few spaces before it.
fn first_sign(text: &str, line: usize) -> Option<u8> {
    let mut bytes = text.as_bytes()[line..].iter().take(100);
    bytes.find(|b| !matches!(b, b' ' | b'\t')).copied()
}

/// What follows `<https://…>`, or the sign.
fn after_autolink(text: &str, at: usize) -> usize {
    let link = &text[at + 1..];
    let end = link.find(|c: char| matches!(c, '<' | '>') || c.is_whitespace());
    match end {
        Some(end) if link[end..].starts_with('>') && link[..end].contains(':') => at + 1 + end,
        _ => at + 1,
    }
}

/// What follows an address.
fn after_word(text: &str, at: usize) -> usize {
    let end = text[at..].find(|c: char| c.is_whitespace() || c == ')');
    end.map_or(text.len(), |end| at + end)
}

/// Text as it was before [`mask`].
pub(super) fn restore(text: &str) -> Cow<'_, str> {
    if !text.bytes().any(is_mask) {
        return Cow::Borrowed(text);
    }
    let sign = |c: char| match c {
        DOLLAR | DOLLARS => '$',
        BACKSLASH => '\\',
        c => match u8::try_from(c)
            .ok()
            .and_then(|b| MASKS.iter().position(|one| *one == b))
        {
            Some(at) => char::from(SIGNS[at]),
            None => c,
        },
    };
    Cow::Owned(text.chars().map(sign).collect())
}

/// Text with its formulas, at most `room` of them; gives their number. With `growing`, more may follow, and a formula
/// that is not closed is held; in a `cell`, none takes lines of its own.
pub(super) fn split(
    text: &str,
    growing: bool,
    cell: bool,
    room: usize,
    out: &mut Vec<Node>,
) -> usize {
    let mut count = 0;
    let mut rest = text;
    while let Some(at) = rest.find([DOLLAR, DOLLARS, BACKSLASH]) {
        push(&rest[..at], out);
        rest = &rest[at..];
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
            let display = written.starts_with("$$") || written.starts_with("\\[");
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

/// How long the formula is with which masked text begins, if it ends.
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
        (BACKSLASH, _) => mask_of(b']'),
        _ => return None,
    };
    let close = start + text.get(start..)?.find([DOLLAR, DOLLARS, BACKSLASH])?;
    let ends = text[close..].starts_with(mark)
        && second.is_none_or(|second| text.as_bytes().get(close + 1) == Some(&second));
    ends.then_some(close + start)
}

/// Appends text as it was, joined to the text before it.
fn push(text: &str, out: &mut Vec<Node>) {
    match out.last_mut() {
        _ if text.is_empty() => {}
        Some(Node::Text(last)) => last.push_str(&restore(text)),
        _ => out.push(Node::Text(restore(text).into_owned())),
    }
}

/// The TeX of a formula as it was written, without its delimiters.
#[must_use]
pub fn tex(written: &str) -> &str {
    let fenced = written
        .strip_prefix(FENCE)
        .and_then(|inner| inner.strip_suffix("```"));
    if let Some(inner) = fenced {
        return inner;
    }
    for kind in [Kind::Dollars, Kind::Dollar, Kind::Round, Kind::Square] {
        let inner = written.strip_prefix(kind.opening());
        if let Some(inner) = inner.and_then(|inner| inner.strip_suffix(kind.closing())) {
            return inner;
        }
    }
    written
}

const FENCE: &str = "```math\n";

/// A block of code in the language `math` is a formula.
pub(super) fn fenced(children: &[Node]) -> Option<Node> {
    let [Node::Text(source)] = children else {
        return None;
    };
    // Marks can be put into code, not into a formula.
    if source.contains(is_hidden) {
        return None;
    }
    Some(Node::Formula {
        written: format!("{FENCE}{source}```"),
        display: true,
        open: false,
    })
}
