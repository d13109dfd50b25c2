//! Holds back the last lines of a running answer until their meaning is clear, so that a lone `-` does not
//! turn a paragraph into a heading for a moment, and a table does not first appear as a paragraph of bars.
//! Unfinished markup is completed for display: `**bold` is bold already, an incomplete link is its text. This
//! affects only the display of a running answer, never a finished one.

use super::fence::may_close;
use super::finish::finished;
use super::formula::may_begin;
use super::lines::cut_line;
use super::nested::open_at_end;
use std::borrow::Cow;

/// The part of `text` that is shown while more is expected.
pub(super) fn settled_prefix(text: &str) -> Cow<'_, str> {
    if let Some(code) = in_fence(text) {
        return Cow::Borrowed(code);
    }
    finished(held_back(text))
}

/// If `text` ends within a fence: the text without a last line that may become its closing line.
pub(super) fn in_fence(text: &str) -> Option<&str> {
    let (mark, length) = open_at_end(text)?;
    let line = cut_line(text).1;
    let marks = line.trim_start_matches([' ', '\t', '>']);
    let may_end = !line.is_empty() && may_close(marks, mark, length);
    Some(&text[..text.len() - if may_end { line.len() } else { 0 }])
}

/// The part of `text` that is clear enough to be shown while more is expected.
fn held_back(text: &str) -> &str {
    // Ignore a line of white space: a formula before it would end there.
    let text = match cut_line(text) {
        (before, line) if line.trim().is_empty() => before,
        _ => text,
    };
    let (before, line) = cut_line(text);
    if (line.is_empty() || is_markup(line)) && !before.is_empty() {
        // The head row of a table, if the next line may become its delimiter row.
        let (before_head, head) = cut_line(before.strip_suffix('\n').unwrap_or(before));
        if opens_table(before_head, head) {
            return before_head;
        }
    }
    if is_markup(line) || opens_table(before, line) {
        before
    } else {
        text
    }
}

/// Whether a line holds only markup so far, or is the first line of a fence.
fn is_markup(line: &str) -> bool {
    let line = line.trim();
    let number = line.trim_start_matches(|c: char| c.is_ascii_digit());
    let item = line.len() - number.len() <= 9 && matches!(number, "" | "." | ")");
    !line.is_empty()
        && (line.starts_with("```")
            || line.starts_with("~~~")
            || item
            || ["$", "$$", "\\["].contains(&line)
            || may_begin(line)
            || line.bytes().all(|b| b"-=`~*_#>+|: ".contains(&b)))
}

fn opens_table(before: &str, line: &str) -> bool {
    let above = cut_line(before.strip_suffix('\n').unwrap_or(before)).1;
    line.trim_start_matches(['>', ' ']).starts_with('|')
        && above.trim_matches(['>', ' ', '\t', '\r']).is_empty()
}

#[cfg(test)]
mod tests {
    use super::settled_prefix;

    #[test]
    fn holds_back_what_is_not_decided() {
        assert_eq!(settled_prefix("Here:\n-"), "Here:\n");
        assert_eq!(settled_prefix("Here:\n1"), "Here:\n");
        assert_eq!(settled_prefix("Here:\n- a"), "Here:\n- a");
        assert_eq!(settled_prefix("a\n\n```ru"), "a\n\n");
        assert_eq!(settled_prefix("a\n\n```rust\n"), "a\n\n```rust\n");
        assert_eq!(settled_prefix("- $$\n  "), "- $$");
        assert_eq!(settled_prefix("a\n\n\\begin{al"), "a\n\n");
        assert_eq!(settled_prefix("**"), "");
        assert_eq!(settled_prefix(""), "");
    }

    #[test]
    fn an_open_fence_is_left_alone() {
        for fence in ["```\na\n", "- a\n\n  ```rs\n  a\n", "> ~~~\n> a\n"] {
            for line in ["--", "**a", "[a](b", "| a", "\\"] {
                let text = format!("{fence}{line}");
                assert_eq!(settled_prefix(&text), text);
            }
        }
        assert_eq!(settled_prefix("```\na\n``"), "```\na\n");
        assert_eq!(settled_prefix("```\na\n``` \t"), "```\na\n");
        assert_eq!(settled_prefix("```\na\n`` "), "```\na\n`` ");
        assert_eq!(settled_prefix("1. ```\n   a\n   ``"), "1. ```\n   a\n");
        assert_eq!(settled_prefix("```\na\n```\n**b"), "```\na\n```\n**b**");
    }

    #[test]
    fn a_table_comes_as_a_table() {
        for open in ["| a", "| a | b |", "| a | b |\n", "| a | b |\n|--"] {
            assert_eq!(settled_prefix(&format!("x\n\n{open}")), "x\n\n", "{open}");
        }
        let whole = "x\n\n| a | b |\n|---|---|\n| 1";
        assert_eq!(settled_prefix(whole), whole);
        let no_table = "| a | b\nc";
        assert_eq!(settled_prefix(no_table), no_table);
    }
}
