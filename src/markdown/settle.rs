//! Lines at the end of a running answer that are held back until it is clear what they are, so
//! that a lone `-` does not turn a paragraph into a heading for an instant, and a table does not
//! begin its life as a paragraph of bars.

use std::borrow::Cow;

/// The part of `text` that is settled enough to be shown while more is coming.
pub(super) fn settled(text: &str) -> Cow<'_, str> {
    Cow::Borrowed(held_back(text))
}

fn held_back(text: &str) -> &str {
    let (before, line) = cut_line(text);
    if (line.is_empty() || is_markup(line)) && !before.is_empty() {
        // The head row of a table, if what follows may become its delimiter row.
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

/// The text before its last line (which may be empty), and that line.
fn cut_line(text: &str) -> (&str, &str) {
    text.split_at(text.rfind('\n').map_or(0, |at| at + 1))
}

/// Whether a line is nothing but markup so far, or the first line of a fence.
fn is_markup(line: &str) -> bool {
    let line = line.trim();
    !line.is_empty()
        && (line.starts_with("```")
            || line.starts_with("~~~")
            || ["$", "$$", "\\", "\\["].contains(&line)
            || line.bytes().all(|b| b"-=`~*_#>+|: ".contains(&b)))
}

fn opens_table(before: &str, line: &str) -> bool {
    let above = cut_line(before.strip_suffix('\n').unwrap_or(before)).1;
    line.trim_start().starts_with('|') && above.trim().is_empty()
}

#[cfg(test)]
mod tests {
    use super::settled;

    #[test]
    fn holds_back_what_is_not_decided() {
        assert_eq!(settled("Here:\n-"), "Here:\n");
        assert_eq!(settled("Here:\n- a"), "Here:\n- a");
        assert_eq!(settled("a\n\n```ru"), "a\n\n");
        assert_eq!(settled("a\n\n```rust\n"), "a\n\n```rust\n");
        assert_eq!(settled("**"), "");
        assert_eq!(settled("a **"), "a **");
        assert_eq!(settled(""), "");
    }

    #[test]
    fn a_table_comes_as_a_table() {
        for open in ["| a", "| a | b |", "| a | b |\n", "| a | b |\n|--"] {
            assert_eq!(settled(&format!("x\n\n{open}")), "x\n\n", "{open}");
        }
        let whole = "x\n\n| a | b |\n|---|---|\n| 1";
        assert_eq!(settled(whole), whole);
        let no_table = "| a | b\nc";
        assert_eq!(settled(no_table), no_table);
    }
}
