//! Completes unfinished emphasis, code, links and images at the end of a running answer for display, in the
//! most likely way. The next characters correct a wrong guess; nothing of it is kept.

use super::fence::fence;
use super::flanking::is_cjk;
use super::lines::{behind_marks, cut_line};
use super::work::searched;
use std::borrow::Cow;

/// Bounds on the lines of a paragraph, its bytes, and its openers: a larger one is no prose, or an attack.
const MAX_PARAGRAPH_LINES: usize = 50;
const MAX_PARAGRAPH_BYTES: usize = 4096;
const MAX_OPENERS: usize = 16;

/// An open emphasis, strikethrough or bracket: its character, their number, and its position.
struct Opener {
    mark: u8,
    length: usize,
    at: usize,
}

/// `text` with its last paragraph completed.
pub(super) fn finished(text: &str) -> Cow<'_, str> {
    let body = text.strip_suffix('\n').unwrap_or(text);
    let Some(start) = paragraph(body, body.len() < text.len()) else {
        return Cow::Borrowed(text);
    };
    let inline = &body[start..];
    if inline.len() > MAX_PARAGRAPH_BYTES {
        return Cow::Borrowed(text);
    }
    // A formula that may be open contains the same characters, and may continue in the next line.
    let count = |sign: &str| inline.matches(sign).count();
    let pairs = [("\\(", "\\)"), ("\\[", "\\]"), ("\\begin{", "\\end{")];
    if count("$$") % 2 > 0 || pairs.iter().any(|(open, close)| count(open) > count(close)) {
        return Cow::Borrowed(body);
    }
    if count("$") % 2 > 0 {
        return Cow::Borrowed(text);
    }
    let (before, line) = cut_line(body);
    let is_row = body[..start].ends_with('|');
    if inline.starts_with('[') && !is_row && is_undecided(line) {
        return Cow::Borrowed(before);
    }
    match InlineScan::new(inline).run() {
        None => Cow::Borrowed(text),
        Some(scan) => {
            let ends = &text[body.len()..];
            let done = scan.done();
            if done.trim().is_empty() {
                return Cow::Borrowed(if is_row { &text[..start] } else { before });
            }
            Cow::Owned(format!("{}{done}{ends}", &text[..start]))
        }
    }
}

/// Whether a line that begins with a bracket may become a definition, which shows nothing, or a task.
fn is_undecided(line: &str) -> bool {
    let Some(label) = behind_marks(line).strip_prefix('[') else {
        return false;
    };
    let Some(end) = label.find(']') else {
        return label.len() < 200;
    };
    let rest = &label[end + 1..];
    // A footnote is recognised as soon as its name is complete.
    if label.starts_with('^') && rest.starts_with(':') {
        return false;
    }
    match rest.strip_prefix(':') {
        Some(to) => match to.trim_start().split_once(char::is_whitespace) {
            Some((_, title)) => title.is_empty() || title.starts_with(['"', '\'', '(']),
            None => true,
        },
        None => rest.is_empty(),
    }
}

/// The start of the last paragraph, after the list and quote markers of its line; `None` if there is nothing
/// to complete.
fn paragraph(body: &str, ended: bool) -> Option<usize> {
    let (mut above, mut line) = cut_line(body);
    let inner = |line: &str| line.len() - behind_marks(line).len();
    if line[inner(line)..].trim().is_empty() {
        return None;
    }
    let is_row = |line: &str| line[inner(line)..].starts_with('|');
    let heading = line[inner(line)..].starts_with('#');
    if ended && (heading || is_row(line)) {
        return None;
    }
    if is_row(line) {
        // In a table row, only the last cell is completed.
        return line.rfind('|').map(|at| above.len() + at + 1);
    }
    if line.starts_with("    ") && !ends_in_container(above) {
        return None; // Code.
    }
    for _ in 0..MAX_PARAGRAPH_LINES {
        let rest = behind_marks(line);
        let marks = line.len() - rest.len();
        if rest.starts_with('<') && !rest.starts_with("<http") {
            return None; // HTML.
        }
        let (next, former) = cut_line(above.strip_suffix('\n').unwrap_or_default());
        let item = line[..marks].contains(|c: char| "-*+.)".contains(c)) || rest.starts_with('#');
        let former_inner = behind_marks(former);
        let ends = former_inner.trim().is_empty() || is_heading(former_inner);
        if item || ends || fence(former_inner).is_some() {
            let level = rest.len() - rest.trim_start_matches('#').len();
            return Some(above.len() + marks + level);
        }
        (above, line) = (next, former);
    }
    None
}

/// Whether a line is a heading, which ends at its line.
fn is_heading(line: &str) -> bool {
    let text = line.trim_start_matches('#');
    (1..=6).contains(&(line.len() - text.len())) && text.starts_with([' ', '\t'])
}

/// Whether an indented line after `above` may belong to a list or a quote: the last paragraph that is not indented begins
/// one. What is before it does not matter, so that the answer is the same once that is frozen.
fn ends_in_container(above: &str) -> bool {
    let indented = |line: &&str| line.starts_with("    ") || line.trim().is_empty();
    let lines = above.lines().rev().take(MAX_PARAGRAPH_LINES);
    let paragraph = lines.skip_while(indented);
    let mut paragraph = paragraph.take_while(|line| !line.trim().is_empty());
    paragraph.any(|line| {
        let first = line.trim_start_matches(' ');
        behind_marks(first).len() < first.len()
    })
}

/// A walk over a paragraph.
struct InlineScan<'a> {
    text: &'a str,
    /// The end of the part that is kept.
    end: usize,
    open: Vec<Opener>,
    /// Positions of brackets that are left out.
    without: Vec<usize>,
    /// The text that closes it, placed before the marks that close the openers.
    closing: String,
    /// Number of unfinished destinations: each of them is scanned to the end.
    endless: usize,
}

impl<'a> InlineScan<'a> {
    fn new(text: &'a str) -> Self {
        Self {
            text,
            end: text.len(),
            open: Vec::new(),
            without: Vec::new(),
            closing: String::new(),
            endless: 0,
        }
    }

    /// `None` if the paragraph needs no completion.
    fn run(mut self) -> Option<Self> {
        let bytes = self.text.as_bytes();
        let mut at = 0;
        while at < self.end {
            if self.open.len() > MAX_OPENERS || self.endless > MAX_OPENERS {
                return None;
            }
            at = match bytes[at] {
                b'\\' if at + 1 == self.end => {
                    self.end = at;
                    break;
                }
                b'\\' => at + 2,
                b'`' => self.code(at),
                mark @ (b'*' | b'_' | b'~') => self.run_of(mark, at),
                // An incomplete footnote reference: a complete one is shown as a single character.
                b'[' if self.text[at..].starts_with("[^")
                    && !self.text[at..self.end].contains(']') =>
                {
                    self.end = at;
                    break;
                }
                b'[' => {
                    let image = at > 0 && bytes[at - 1] == b'!';
                    self.open.push(Opener {
                        mark: if image { b'!' } else { b'[' },
                        length: 1,
                        at,
                    });
                    at + 1
                }
                b']' => self.bracket(at),
                _ => at + 1,
            };
        }
        let is_whole = self.end == self.text.len()
            && self.closing.is_empty()
            && self.without.is_empty()
            && self
                .open
                .iter()
                .all(|opener| opener.mark == b'[' && !self.hides(opener));
        (!is_whole).then_some(self)
    }

    /// Skips a code span, in which no other markup counts.
    fn code(&mut self, at: usize) -> usize {
        let rest = &self.text[at..self.end];
        let length = rest.len() - rest.trim_start_matches('`').len();
        let run = "`".repeat(length);
        let mut from = at + length;
        while let Some(found) = self.text[from..self.end]
            .find(&run)
            .map(|found| from + found)
        {
            let after = self.text[found..self.end].trim_start_matches('`');
            let end = self.end - after.len();
            if end - found == length {
                return end;
            }
            from = end;
        }
        // The span is open: an incomplete closing run is left out.
        self.end = at + self.text[at..self.end].trim_end_matches('`').len();
        if self.end <= at + length {
            self.end = at;
        } else {
            self.closing = run;
        }
        self.text.len()
    }

    fn run_of(&mut self, mark: u8, at: usize) -> usize {
        let letter = char::from(mark);
        let rest = &self.text[at..self.end];
        let mut length = rest.len() - rest.trim_start_matches(letter).len();
        let end = at + length;
        let before = self.text[..at].chars().next_back();
        let after = self.text[end..self.end].chars().next();
        let space = |c: Option<char>| c.is_none_or(char::is_whitespace);
        let word = |c: Option<char>| c.is_some_and(is_letter);
        let mut closes = !(space(before) || mark == b'_' && word(after));
        while closes && length > 0 {
            let Some(place) = self.open.iter().rposition(|opener| opener.mark == mark) else {
                break;
            };
            let opener = &mut self.open[place];
            let whole = opener.length <= length;
            if after.is_none() && !whole {
                break; // An incomplete closing run.
            }
            let used = opener.length.min(length);
            opener.length -= used;
            length -= used;
            self.open.truncate(place + usize::from(!whole));
            closes = length > 0;
        }
        if length == 0 {
            return end;
        }
        if after.is_none() {
            self.end = end - length; // It may still become any mark.
            return end;
        }
        // Chinese, Japanese and Korean have no spaces between words; a single mark there may be a sign.
        let cjk = |c: Option<char>| c.is_some_and(is_cjk);
        let inner = mark != b'_' && length >= 2 && (cjk(before) || cjk(after));
        let begins = !word(before) || inner;
        let opens = !space(after) && begins && length <= 3 && (mark != b'~' || length == 2);
        if opens {
            self.open.push(Opener { mark, length, at });
        }
        end
    }

    /// Handles a closing bracket and the destination after it.
    fn bracket(&mut self, at: usize) -> usize {
        let Some(place) = self
            .open
            .iter()
            .rposition(|opener| matches!(opener.mark, b'[' | b'!'))
        else {
            return at + 1;
        };
        let rest = &self.text[at + 1..self.end];
        let length: Option<usize> = match rest.chars().next() {
            Some('(') => destination(rest),
            Some('[') => rest.find(']').map(|at| at + 1),
            None => None,
            Some(_) => Some(0),
        };
        searched(length.unwrap_or(rest.len()));
        self.endless += usize::from(length.is_none() && rest.starts_with(['(', '[']));
        let opener = self.open.remove(place);
        match length {
            Some(length) => {
                self.open.truncate(place);
                at + 1 + length
            }
            None if opener.mark == b'!' => {
                self.open.truncate(place);
                self.end = at + 1;
                self.closing = "()".into();
                at + 1
            }
            None if self.hides(&opener) => {
                // Show the text of an incomplete link.
                self.without.push(opener.at);
                self.end = at;
                at
            }
            None => at + 1,
        }
    }

    /// Whether a bracket is left out until its link is complete: not that of `a[0]` or `[1]`.
    fn hides(&self, opener: &Opener) -> bool {
        let before = self.text[..opener.at].chars().next_back();
        let after = self.text[opener.at + 1..].chars().next();
        !before.is_some_and(is_letter)
            && after.is_some_and(|c| is_letter(c) && !c.is_ascii_digit() || "*`_!".contains(c))
    }

    /// The completed paragraph.
    fn done(self) -> String {
        let kept = self.text[..self.end].trim_end();
        let mut out = String::with_capacity(self.text.len() + 8);
        let mut from = 0;
        let hidden = |at: usize| {
            let open = |opener: &&Opener| opener.at == at && opener.mark == b'[';
            self.without.contains(&at)
                || self
                    .open
                    .iter()
                    .find(open)
                    .is_some_and(|opener| self.hides(opener))
        };
        for (at, _) in kept.match_indices('[').filter(|(at, _)| hidden(*at)) {
            out.push_str(&kept[from..at]);
            from = at + 1;
        }
        out.push_str(&kept[from..]);
        out.push_str(&self.closing);
        for opener in self.open.iter().rev() {
            match opener.mark {
                b'!' => out.push_str("]()"),
                b'[' => {}
                mark => (0..opener.length).for_each(|_| out.push(mark.into())),
            }
        }
        out
    }
}

/// Whether a character is a letter or a digit, approximately: the exact answer needs Unicode tables.
fn is_letter(c: char) -> bool {
    c.is_ascii_alphanumeric()
        || !(c.is_ascii()
            || c.is_whitespace()
            || matches!(c, '\u{2000}'..='\u{206f}' | '\u{3000}'..='\u{303f}' | '\u{ff00}'..='\u{ff0f}'))
}

/// The length of a link's destination with its parentheses, if it is complete.
fn destination(rest: &str) -> Option<usize> {
    let mut depth = 0;
    let mut escaped = false;
    for (at, c) in rest.char_indices() {
        match c {
            _ if escaped => escaped = false,
            '\\' => escaped = true,
            '(' => depth += 1,
            ')' if depth == 1 => return Some(at + 1),
            ')' => depth -= 1,
            '\n' => return Some(0),
            _ => {}
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::finished;

    #[test]
    fn what_is_half_written_looks_finished() {
        for (text, shown) in [
            ("a **bold", "a **bold**"),
            ("a **bold ", "a **bold**"),
            ("a **bold*", "a **bold**"),
            ("a **bold**", "a **bold**"),
            ("a **", "a"),
            ("a *b **c", "a *b **c***"),
            ("a ***b** c", "a ***b** c*"),
            ("a ~~b", "a ~~b~~"),
            ("a `b", "a `b`"),
            ("a ``b`", "a ``b``"),
            ("a `", "a"),
            ("a [text](htt", "a text"),
            ("a [text]", "a text"),
            ("a [te", "a te"),
            ("a [**te", "a **te**"),
            ("a [text](https://b.c)", "a [text](https://b.c)"),
            ("a [text](https://b.c) **d", "a [text](https://b.c) **d**"),
            ("a ![te", "a ![te]()"),
            ("a ![te](htt", "a ![te]()"),
            ("a[0", "a[0"),
            ("a [1]", "a [1]"),
            ("a[^", "a"),
            ("a[^1", "a"),
            ("a[^1]", "a[^1]"),
            ("x\n\n[^1]: b", "x\n\n[^1]: b"),
            ("2 * 3", "2 * 3"),
            ("2*3", "2*3"),
            ("snake_case", "snake_case"),
            ("a \\", "a"),
            ("a \\*b", "a \\*b"),
            ("- a\n- **b", "- a\n- **b**"),
            ("a **b\nc", "a **b\nc**"),
            ("a **b\n", "a **b**\n"),
            ("a **b\n\nc", "a **b\n\nc"),
            ("# **a", "# **a**"),
            ("# **a\n", "# **a\n"),
            ("| a | **b", "| a | **b**"),
            ("    **a", "    **a"),
            ("<b **a", "<b **a"),
            ("> **a", "> **a**"),
            ("x\n\n[a", "x\n\n"),
            ("x\n\n[a]: htt", "x\n\n"),
            ("x\n\n[a]: b c", "x\n\n[a]: b c"),
            ("| a | `", "| a |"),
            ("", ""),
        ] {
            assert_eq!(finished(text), shown, "{text:?}");
        }
    }
}
