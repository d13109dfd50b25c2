//! Text between fences, as Markdown has them: nothing in a text can end its block. What is quoted in a request stands
//! between fences, so that no text passes for what is around it.

/// The shortest fence.
pub const FENCE_SIGNS: usize = 3;

/// The fence of a text: longer than any run of backticks in it.
#[must_use]
pub fn fence(text: &str) -> String {
    let mut longest = FENCE_SIGNS - 1;
    let mut run = 0;
    for sign in text.chars() {
        run = if sign == '`' { run + 1 } else { 0 };
        longest = longest.max(run);
    }
    "`".repeat(longest + 1)
}

/// A text between its fences. A line end is added where the text has none, because a fence needs a line of its own.
#[must_use]
pub fn fenced(text: &str) -> String {
    let fence = fence(text);
    let is_ended = text.is_empty() || text.ends_with('\n');
    let end = if is_ended { "" } else { "\n" };
    format!("{fence}\n{text}{end}{fence}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_fence_is_longer_than_any_run_within() {
        for (text, expected) in [
            ("", "```\n```"),
            ("a", "```\na\n```"),
            ("a\n", "```\na\n```"),
            ("``", "```\n``\n```"),
            ("```\nx\n```\n", "````\n```\nx\n```\n````"),
            ("a `````", "``````\na `````\n``````"),
        ] {
            assert_eq!(fenced(text), expected);
        }
    }
}
