//! Files within a question: each is a block of text that names the file, so that whatever sends, counts, searches or
//! exports the question has the file too.
//!
//! ````text
//! [File: notes.md]
//! ```
//! # Notes
//! ```
//! ````

use sash_text::{FENCE_SIGNS, fenced};

/// The longest text of a file, in bytes.
pub const MAX_TEXT_BYTES: usize = 2_000_000;

/// What the line before a block begins with.
const LABEL: &str = "[File: ";
/// What stands between a block and what follows.
const SEPARATOR: &str = "\n\n";

/// A file that goes with a question.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct TextFile {
    /// Its name.
    pub name: String,
    /// Its text.
    pub text: String,
}

/// A piece of a question.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum QuestionPart<'a> {
    /// What the person wrote.
    Text(&'a str),
    /// A file.
    File {
        /// Its name.
        name: &'a str,
        /// Its text.
        text: &'a str,
    },
}

/// A file as a block of a question. It stands between fences, so nothing in the file can end its block.
#[must_use]
pub fn file_block(name: &str, text: &str) -> String {
    let name: String = name.chars().filter(|c| !c.is_control()).collect();
    format!("{LABEL}{name}]\n{}", fenced(text))
}

/// Divides a question into what was written and the files in it. What looks like a block and has no end is text.
#[must_use]
pub fn question_parts(question: &str) -> Vec<QuestionPart<'_>> {
    let mut parts = Vec::new();
    let (mut kept, mut at) = (0, 0);
    while let Some(rest) = question.get(at..).filter(|rest| !rest.is_empty()) {
        if let Some((name, text, length)) = block_at(rest) {
            push_text(&mut parts, question.get(kept..at).unwrap_or_default());
            parts.push(QuestionPart::File { name, text });
            at += length;
            kept = at;
        } else {
            at += line_length(rest);
        }
    }
    push_text(&mut parts, question.get(kept..).unwrap_or_default());
    parts
}

/// A question: its files, and then what the person wrote.
#[must_use]
pub fn with_files(files: &[TextFile], written: &str) -> String {
    let blocks = files.iter().map(|file| file_block(&file.name, &file.text));
    let mut question = blocks.collect::<Vec<_>>().join(SEPARATOR);
    if !question.is_empty() && !written.is_empty() {
        question.push_str(SEPARATOR);
    }
    question.push_str(written);
    question
}

/// Divides a question into the files that it begins with and the rest: what [`with_files`] joined.
#[must_use]
pub fn split_files(question: &str) -> (Vec<TextFile>, &str) {
    let mut files = Vec::new();
    let mut rest = question;
    while let Some((name, text, length)) = block_at(rest) {
        files.push(TextFile {
            name: name.to_owned(),
            text: text.to_owned(),
        });
        // The length of the block has the first line end behind it.
        rest = rest.get(length..).unwrap_or_default();
        rest = rest.strip_prefix('\n').unwrap_or(rest);
    }
    (files, rest)
}

/// The first line that a person wrote in a question; if there is none, the name of its first file.
#[must_use]
pub fn first_line(question: &str) -> Option<&str> {
    let parts = question_parts(question);
    let written = parts.iter().find_map(|part| match part {
        QuestionPart::Text(text) => text.lines().map(str::trim).find(|line| !line.is_empty()),
        QuestionPart::File { .. } => None,
    });
    written.or_else(|| match parts.first()? {
        QuestionPart::File { name, .. } => Some(name),
        QuestionPart::Text(_) => None,
    })
}

fn push_text<'a>(parts: &mut Vec<QuestionPart<'a>>, text: &'a str) {
    let text = text.trim_matches('\n');
    if !text.trim().is_empty() {
        parts.push(QuestionPart::Text(text));
    }
}

/// The length of the first line, its end included.
fn line_length(text: &str) -> usize {
    text.find('\n').map_or(text.len(), |end| end + 1)
}

/// The name, the text and the length of the block that `text` begins with.
fn block_at(text: &str) -> Option<(&str, &str, usize)> {
    let (label, rest) = text.split_at_checked(line_length(text))?;
    let name = label.strip_prefix(LABEL)?.strip_suffix("]\n")?;
    let (fence, rest) = rest.split_at_checked(line_length(rest))?;
    let fence = fence.strip_suffix('\n')?;
    let is_fence = fence.len() >= FENCE_SIGNS && fence.bytes().all(|b| b == b'`');
    let before = label.len() + fence.len() + 1;
    let mut at = 0;
    while let Some(line) = rest.get(at..).filter(|line| is_fence && !line.is_empty()) {
        let length = line_length(line);
        if line.get(..length)?.trim_end_matches('\n') == fence {
            return Some((name, rest.get(..at)?, before + at + length));
        }
        at += length;
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;
    use QuestionPart::{File, Text};
    use sash_text::count_lines;

    #[test]
    fn a_file_is_read_back_as_it_was_put_in() {
        for text in [
            "plain\n",
            "",
            "\n\n",
            "```\ncode\n```\n",
            "`````\n[File: inner]\n```\nx\n```\n",
            "日本語 é\n",
        ] {
            let block = file_block("a b.md", text);
            let whole = format!("Before\n\n{block}\n\nAfter");
            let parts = question_parts(&whole);
            let file = File {
                name: "a b.md",
                text,
            };
            assert_eq!(parts, [Text("Before"), file, Text("After")], "{block}");
        }
        // A line end is added where a file has none, because the fence needs a line of its own.
        let block = file_block("x", "no end");
        let file = File {
            name: "x",
            text: "no end\n",
        };
        assert_eq!(question_parts(&block), [file]);
    }

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
            let [File { text: sent, .. }] = parts[..] else {
                panic!("a file");
            };
            assert_eq!(count_lines(sent), count_lines(text), "{text:?}");
        }
        assert_eq!(count_lines(&"x".repeat(800)), 1);
    }

    #[test]
    fn a_question_is_divided_into_its_files_and_the_rest_and_joined_again() {
        let file = |name: &str, text: &str| TextFile {
            name: name.to_owned(),
            text: text.to_owned(),
        };
        let files = [file("a.md", "x\n```\n"), file("b", "")];
        for written in ["", "What is it?", "\n\nlater", "  ", "two\nlines\n"] {
            for files in [&files[..], &files[..1], &[]] {
                let question = with_files(files, written);
                assert_eq!(split_files(&question), (files.to_vec(), written));
            }
        }
        // A file behind what was written stays where it is.
        let late = format!("See:\n\n{}", file_block("a", "x\n"));
        assert_eq!(split_files(&late), (Vec::new(), &*late));
    }

    #[test]
    fn a_name_cannot_break_out_of_its_line() {
        let block = file_block("a]\n```\nb", "t\n");
        assert_eq!(
            question_parts(&block),
            [File {
                name: "a]```b",
                text: "t\n"
            }]
        );
    }

    #[test]
    fn what_only_looks_like_a_block_is_text() {
        for text in [
            "[File: x]",
            "[File: x]\n```\nno end",
            "[File: x]\nno fence",
            "[File: x]\n``\nx\n``",
            "see [File: x]\n```\nx\n```",
            "[File: x\n```\nx\n```",
            "```\n[File: y]\n",
        ] {
            assert_eq!(
                question_parts(text),
                [Text(text.trim_matches('\n'))],
                "{text}"
            );
        }
        assert_eq!(question_parts(" \n"), []);
    }

    #[test]
    fn what_was_written_comes_before_the_name_of_a_file() {
        let block = file_block("a.md", "# Title\n");
        assert_eq!(
            first_line(&format!("{block}\n\n  What is it? \nMore")),
            Some("What is it?")
        );
        assert_eq!(first_line(&block), Some("a.md"));
        assert_eq!(first_line("\n x\ny"), Some("x"));
        assert_eq!(first_line(" \n"), None);
    }

    #[test]
    fn two_files_stand_beside_each_other() {
        let both = format!("{}\n\n{}", file_block("a", "1\n"), file_block("b", "2\n"));
        let names: Vec<&str> = question_parts(&both)
            .into_iter()
            .map(|part| match part {
                File { name, .. } => name,
                Text(text) => text,
            })
            .collect();
        assert_eq!(names, ["a", "b"]);
    }
}
