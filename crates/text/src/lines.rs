//! Lines of a text, and those that it takes in the transcript.

/// Approximate number of characters in a line of the transcript.
const LINE_CHARS: usize = 80;

/// The lines of a file, as an editor counts them: the same before and after it is sent.
#[must_use]
pub fn count_lines(text: &str) -> usize {
    text.lines().count()
}

/// The lines a text takes in the transcript, wrapped lines included.
#[must_use]
pub fn shown_lines(text: &str) -> usize {
    let lines = text.trim_end().lines();
    lines
        .map(|line| line.chars().count().div_ceil(LINE_CHARS).max(1))
        .sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_counted_as_they_are_shown() {
        for (text, lines) in [
            ("", 0),
            ("one", 1),
            ("one\ntwo\r\n\nfour\n\n", 4),
            (&"x".repeat(80), 1),
            (&"é".repeat(81), 2),
            (&format!("a\n{}\nb", "x".repeat(800)), 12),
        ] {
            assert_eq!(shown_lines(text), lines, "{text:?}");
        }
    }
}
