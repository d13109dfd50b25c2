//! The text of an answer of LibreChat: thoughts before it, and the anchors of sources in it.

use super::prose::{change_prose, drop_blank};

/// What a thought begins and ends with in older versions.
const THOUGHT: (&str, &str) = (":::thinking", ":::");
/// The mark before the number of a source, and the marks around several of them and around quoted words.
const ANCHOR: char = '\u{e202}';
const AROUND: [char; 5] = ['\u{e200}', '\u{e201}', '\u{e203}', '\u{e204}', '\u{e206}'];

/// Divides a text into what was thought and what was said.
pub fn split_thought(text: &str) -> (&str, &str) {
    let begun = text.trim_start().strip_prefix(THOUGHT.0);
    match begun.and_then(|rest| rest.split_once(THOUGHT.1)) {
        Some((thought, said)) => (thought.trim(), said.trim_start()),
        None => ("", text),
    }
}

/// A text without the anchors of sources, and how many there were. Models write them as characters or as escapes.
pub fn without_anchors(text: &str) -> (String, usize) {
    if !text.contains("\u{e202}turn") && !text.contains("\\ue202turn") {
        return (text.to_owned(), 0);
    }
    let mut starts = vec![ANCHOR, '\\'];
    starts.extend(AROUND);
    let mut anchors = 0;
    let plain = change_prose(text, &starts, |out, at| {
        let rest = text.get(at..)?;
        let (mark, length) = mark(rest)?;
        if AROUND.contains(&mark) {
            return Some(at + length);
        }
        let number = number_length(rest.get(length..)?)?;
        anchors += 1;
        let after = at + length + number;
        drop_blank(out, text.get(after..).unwrap_or_default());
        Some(after)
    });
    (plain, anchors)
}

/// The mark that a text begins with, and its length.
fn mark(text: &str) -> Option<(char, usize)> {
    let is_mark = |c: &char| *c == ANCHOR || AROUND.contains(c);
    let c = text.chars().next()?;
    if is_mark(&c) {
        return Some((c, c.len_utf8()));
    }
    let digits = text.strip_prefix("\\u")?.get(..4)?;
    let c = u32::from_str_radix(digits, 16)
        .ok()
        .and_then(char::from_u32);
    c.filter(is_mark).map(|c| (c, 6))
}

/// The length of a number such as `turn0search3` that a text begins with.
fn number_length(text: &str) -> Option<usize> {
    let rest = text.strip_prefix("turn")?;
    let digits =
        |text: &str| text.len() - text.trim_start_matches(|c: char| c.is_ascii_digit()).len();
    let turn = digits(rest);
    let rest = rest.get(turn..)?;
    let kind = rest.len()
        - rest
            .trim_start_matches(|c: char| c.is_ascii_lowercase())
            .len();
    let number = digits(rest.get(kind..)?);
    (turn > 0 && kind > 0 && number > 0).then_some("turn".len() + turn + kind + number)
}
