//! The tool that reads a file which stands in a question of the chat.

use sash_chat::{Message, QuestionPart, Role, question_parts};
use sash_text::count_lines;
use serde_json::{Map, Value};
use std::fmt::Write;

/// The most lines that one call reads.
const MAX_LINES: usize = 200;
/// The most bytes that one call reads; a longer line is cut.
const MAX_BYTES: usize = 16_000;

/// The result of a call of `read_file`, from the questions of a branch, oldest first. Of two files of one name the
/// newer is read.
#[must_use]
pub fn read_file(branch: &[&Message], arguments: &Map<String, Value>) -> String {
    let name = arguments.get("name").and_then(Value::as_str);
    let number = |key: &str| {
        let value = arguments.get(key)?;
        // Models write whole numbers as text or with a decimal point, too.
        let read = value.as_f64().or_else(|| value.as_str()?.parse().ok());
        read.filter(|n| *n >= 1.0).map(|n| n as usize)
    };
    let first = number("first_line").unwrap_or(1);
    let count = number("lines").unwrap_or(MAX_LINES).min(MAX_LINES);
    let files = files(branch);
    let found = name.and_then(|name| files.iter().rev().find(|(known, _)| *known == name));
    match found {
        Some((name, text)) => lines(name, text, first, count),
        None => unknown(name.unwrap_or_default(), &files),
    }
}

fn files<'a>(branch: &[&'a Message]) -> Vec<(&'a str, &'a str)> {
    let questions = branch.iter().filter(|m| m.role == Role::User);
    let parts = questions.flat_map(|m| question_parts(&m.content));
    parts
        .filter_map(|part| match part {
            QuestionPart::File { name, text } => Some((name, text)),
            QuestionPart::Text(_) => None,
        })
        .collect()
}

fn unknown(name: &str, files: &[(&str, &str)]) -> String {
    let mut names: Vec<&str> = files.iter().map(|(name, _)| *name).collect();
    names.sort_unstable();
    names.dedup();
    match names.as_slice() {
        [] => "Error: no file is attached to this chat.".to_owned(),
        names => format!(
            "Error: there is no file “{name}”. The attached files are: {}.",
            names.join(", ")
        ),
    }
}

fn lines(name: &str, text: &str, first: usize, count: usize) -> String {
    let total = count_lines(text);
    if first > total {
        return format!("Error: {name} has {total} lines.");
    }
    let mut read = String::new();
    let mut last = first - 1;
    for (at, line) in text.lines().enumerate().skip(first - 1).take(count) {
        let room = MAX_BYTES.saturating_sub(read.len());
        let cut = line.floor_char_boundary(room);
        // Writing to a string cannot fail.
        _ = writeln!(read, "{}: {}", at + 1, line.get(..cut).unwrap_or_default());
        last = at + 1;
        if cut < line.len() || read.len() >= MAX_BYTES {
            break;
        }
    }
    format!("{name}, lines {first} to {last} of {total}\n{read}")
}

#[cfg(test)]
mod tests {
    use super::*;
    use sash_chat::{Id, file_block};
    use serde_json::json;

    fn read(files: &[(&str, &str)], arguments: Value) -> String {
        let messages: Vec<Message> = files
            .iter()
            .map(|(name, text)| Message {
                content: format!("Look.\n\n{}", file_block(name, text)),
                ..Message::new(Id(1), None, 1, Role::User, 0)
            })
            .collect();
        let branch: Vec<&Message> = messages.iter().collect();
        read_file(&branch, arguments.as_object().unwrap())
    }

    #[test]
    fn lines_are_read_with_their_numbers() {
        let file = [("a.txt", "one\ntwo\nthree\n")];
        for (arguments, result) in [
            (
                json!({"name":"a.txt"}),
                "a.txt, lines 1 to 3 of 3\n1: one\n2: two\n3: three\n",
            ),
            (
                json!({"name":"a.txt","first_line":2,"lines":1}),
                "a.txt, lines 2 to 2 of 3\n2: two\n",
            ),
            (
                json!({"name":"a.txt","first_line":"3","lines":7.0}),
                "a.txt, lines 3 to 3 of 3\n3: three\n",
            ),
            (
                json!({"name":"a.txt","first_line":-1,"lines":0}),
                "a.txt, lines 1 to 3 of 3\n1: one\n2: two\n3: three\n",
            ),
            (
                json!({"name":"a.txt","first_line":9}),
                "Error: a.txt has 3 lines.",
            ),
            (
                json!({"name":"b"}),
                "Error: there is no file “b”. The attached files are: a.txt.",
            ),
            (
                json!({}),
                "Error: there is no file “”. The attached files are: a.txt.",
            ),
        ] {
            assert_eq!(read(&file, arguments.clone()), result, "{arguments}");
        }
        assert_eq!(
            read(&[], json!({"name":"a"})),
            "Error: no file is attached to this chat."
        );
    }

    #[test]
    fn the_newer_of_two_files_is_read_and_a_long_one_in_parts() {
        let long = "é".repeat(20_000);
        let many = "x\n".repeat(1_000);
        let two = [("a", "old"), ("a", long.as_str()), ("b", many.as_str())];
        let line = read(&two, json!({"name":"a"}));
        assert!(line.starts_with("a, lines 1 to 1 of 1\n1: éé"));
        assert!(line.len() <= MAX_BYTES + 100, "{}", line.len());
        let part = read(&two, json!({"name":"b","lines":5_000}));
        assert!(part.starts_with("b, lines 1 to 200 of 1000\n"));
    }
}
