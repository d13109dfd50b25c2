//! The fences of code blocks: opening and closing lines.

use super::lines::is_blank;

/// The mark and the length of the fence that `line` begins with.
pub(super) fn fence(line: &str) -> Option<(char, usize)> {
    let mark = line.chars().next().filter(|c| matches!(c, '`' | '~'))?;
    let length = line.len() - line.trim_start_matches(mark).len();
    // The info string of a backtick fence must not contain a backtick: "```a`b" is text.
    let info = line[length..].lines().next().unwrap_or_default();
    let is_fence = length >= 3 && (mark != '`' || !info.contains('`'));
    is_fence.then_some((mark, length))
}

/// Whether an incomplete line may still close the fence.
pub(super) fn may_close(line: &str, mark: char, length: usize) -> bool {
    let marks = line.trim_start_matches(' ').trim_start_matches(mark);
    marks.is_empty() || closes(line, mark, length)
}

/// Whether a line closes a fence.
pub(super) fn closes(line: &str, mark: char, length: usize) -> bool {
    let marks = line.trim_start_matches(' ');
    let rest = marks.trim_start_matches(mark);
    line.len() - marks.len() <= 3 && marks.len() - rest.len() >= length && is_blank(rest.as_bytes())
}
