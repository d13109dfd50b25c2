//! How many lines a text has, and how many it takes in the transcript.

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
    use crate::{QuestionPart, file_block, question_parts};

    /// A sent file had the number of lines that it takes in the transcript, where long lines are wrapped.
    #[test]
    fn a_file_has_as_many_lines_after_it_is_sent_as_before() {
        for text in [
            "",
            "one",
            &"x".repeat(800),
            "a\n\n\n",
            "a\r\nb\r\n",
            "```\n",
        ] {
            let question = file_block("a.txt", text);
            let parts = question_parts(&question);
            let [QuestionPart::File { text: sent, .. }] = parts[..] else {
                panic!("a file");
            };
            assert_eq!(count_lines(sent), count_lines(text), "{text:?}");
        }
        assert_eq!(count_lines(&"x".repeat(800)), 1);
    }

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
