//! PowerShell. Its grammar needs what our regex engine has not, and its words are few: a small reader of our own.

use super::colour::Lines;
use super::runs::Runs;
use sash_wire::Class;

/// The words of the language; they are read in any letters.
const WORDS: &str = " begin break catch class continue data do dynamicparam else elseif end enum exit filter \
    finally for foreach from function hidden if in param process return static switch throw trap try until using \
    while ";

/// Colours a script.
pub(super) fn colour(code: &str, lines: &Lines) -> String {
    let mut runs = Runs::default();
    // What is open at the end of a line: a comment, or a string over lines.
    let mut within: Option<(Class, &str)> = None;
    for line in code.split_inclusive('\n') {
        if line.len() > lines.longest || !(lines.go_on)() {
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

/// What a line goes on with, and how many bytes of it.
fn token(rest: &str, within: &mut Option<(Class, &'static str)>) -> (Option<Class>, usize) {
    for (start, class, end) in [
        ("<#", Class::Comment, "#>"),
        ("@\"", Class::String, "\"@"),
        ("@'", Class::String, "'@"),
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
        '#' => (Some(Class::Comment), rest.trim_end().len()),
        '"' | '\'' => (Some(Class::String), quoted(rest, first)),
        '$' | '@' => (Some(Class::Attribute), word(1, ":?").max(1)),
        '[' => match rest.find(']').filter(|end| is_type(&rest[1..*end])) {
            Some(end) => (Some(Class::Type), end + 1),
            None => (None, 1),
        },
        '-' => match word(1, "") {
            1 => (None, 1),
            end => (Some(Class::Keyword), end),
        },
        c if c.is_ascii_digit() => (Some(Class::Number), word(0, ".")),
        c if c.is_alphabetic() || c == '_' => {
            let end = word(0, "-");
            (named(&rest[..end]), end)
        }
        c => (None, c.len_utf8()),
    }
}

/// What a bare word is: a word of the language, a command (`Get-Item`), or nothing special.
fn named(word: &str) -> Option<Class> {
    let small = word.to_ascii_lowercase();
    if WORDS.contains(&format!(" {small} ")) {
        return Some(Class::Keyword);
    }
    word.contains('-').then_some(Class::Function)
}

fn is_type(text: &str) -> bool {
    let part = |c: char| c.is_alphanumeric() || "._[],".contains(c);
    text.starts_with(char::is_alphabetic) && text.chars().all(part)
}

/// The bytes of a quoted string: to its end, or to the line's. A backtick takes the next character along, within
/// double quotes.
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
