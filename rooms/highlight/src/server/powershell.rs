//! A small lexer for PowerShell: its grammar needs features that our regex engine lacks.

use super::grammar::ParseLimits;
use super::runs::Runs;
use crate::HighlightClass;

/// The keywords of the language; case is ignored.
const WORDS: &str = " begin break catch class continue data do dynamicparam else elseif end enum exit filter \
    finally for foreach from function hidden if in param process return static switch throw trap try until using \
    while ";

/// Highlights a script.
pub(super) fn highlight(code: &str, lines: &ParseLimits) -> String {
    let mut runs = Runs::default();
    // The token that is open at the end of a line: a comment or a multi-line string.
    let mut within: Option<(HighlightClass, &str)> = None;
    for line in code.split_inclusive('\n') {
        if line.len() > lines.longest || !(lines.may_continue)() {
            runs.add(None, line);
            continue;
        }
        let mut rest = line;
        while !rest.is_empty() {
            let (class, length) = match within {
                Some((class, end)) => {
                    let found = rest.find(end).map(|at| at + end.len());
                    if found.is_some() {
                        within = None;
                    }
                    (Some(class), found.unwrap_or(rest.len()))
                }
                None => token(rest, &mut within),
            };
            runs.add(class, &rest[..length]);
            rest = &rest[length..];
        }
    }
    runs.written()
}

/// The next token of a line: its class and its length in bytes.
fn token(
    rest: &str,
    within: &mut Option<(HighlightClass, &'static str)>,
) -> (Option<HighlightClass>, usize) {
    for (start, class, end) in [
        ("<#", HighlightClass::Comment, "#>"),
        ("@\"", HighlightClass::String, "\"@"),
        ("@'", HighlightClass::String, "'@"),
    ] {
        if rest.starts_with(start) {
            *within = Some((class, end));
            return (Some(class), start.len());
        }
    }
    let first = rest.chars().next().unwrap_or_default();
    let word = |from: usize, more: &str| {
        let part = |c: char| c.is_alphanumeric() || c == '_' || more.contains(c);
        let end = rest[from..].find(|c| !part(c));
        end.map_or(rest.len(), |end| from + end)
    };
    match first {
        '#' => (Some(HighlightClass::Comment), rest.trim_end().len()),
        '"' | '\'' => (Some(HighlightClass::String), quoted(rest, first)),
        '$' | '@' => (Some(HighlightClass::Attribute), word(1, ":?").max(1)),
        '[' => match rest.find(']').filter(|end| is_type(&rest[1..*end])) {
            Some(end) => (Some(HighlightClass::Type), end + 1),
            None => (None, 1),
        },
        '-' => match word(1, "") {
            1 => (None, 1),
            end => (Some(HighlightClass::Keyword), end),
        },
        c if c.is_ascii_digit() => (Some(HighlightClass::Number), word(0, ".")),
        c if c.is_alphabetic() || c == '_' => {
            let end = word(0, "-");
            (named(&rest[..end]), end)
        }
        c => (None, c.len_utf8()),
    }
}

/// The class of a bare word: a keyword, a command (`Get-Item`), or none.
fn named(word: &str) -> Option<HighlightClass> {
    let small = word.to_ascii_lowercase();
    if WORDS.contains(&format!(" {small} ")) {
        return Some(HighlightClass::Keyword);
    }
    word.contains('-').then_some(HighlightClass::Function)
}

fn is_type(text: &str) -> bool {
    let part = |c: char| c.is_alphanumeric() || "._[],".contains(c);
    text.starts_with(char::is_alphabetic) && text.chars().all(part)
}

/// The length of a quoted string in bytes: up to its end or the line's. Within double quotes, a backtick
/// escapes the next character.
fn quoted(rest: &str, quote: char) -> usize {
    let mut escaped = false;
    for (at, c) in rest.char_indices().skip(1) {
        if c == quote && !escaped {
            return at + 1;
        }
        escaped = !escaped && c == '`' && quote == '"';
    }
    rest.trim_end().len()
}
