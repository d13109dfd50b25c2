//! An answer in JSON as the transcript shows it: a block of code with a line for each field.

use serde::de::IgnoredAny;
use std::io::{self, ErrorKind, Write};

/// The longest text that is laid out, in bytes. Indentation makes each value of a deep array hundreds of times as
/// long; what gets longer than this is shown as it came.
const MAX_PRETTY_BYTES: usize = 2_000_000;
/// The shortest fence around the block.
const MIN_FENCE: usize = 10;

/// The beginning of the block while the answer is written: all that follows is its text. No JSON has a line of so
/// many backticks.
pub const JSON_BLOCK_BEGINNING: &str = "``````````json\n";

/// A complete answer as a block of Markdown, with a line for each field; a text that is no JSON, as half an answer,
/// stays as it is. Nothing in it can end the block.
#[must_use]
pub fn json_block(answer: &str) -> String {
    let pretty = pretty_json(answer);
    let text = pretty.as_deref().unwrap_or(answer);
    let runs = text.split(|c| c != '`').map(str::len);
    let longest = runs.max().unwrap_or_default();
    let fence = "`".repeat((longest + 1).max(MIN_FENCE));
    format!("{fence}json\n{text}\n{fence}")
}

/// JSON with a line for each field; `None` if it is no JSON, or gets too long. Only white space changes: numbers and
/// repeated names stay as the model wrote them.
fn pretty_json(text: &str) -> Option<String> {
    serde_json::from_str::<IgnoredAny>(text).ok()?;
    let mut pretty = BoundedText::default();
    let mut formatter = jsonxf::Formatter::pretty_printer();
    formatter.format_buf(text.as_bytes(), &mut pretty).ok()?;
    String::from_utf8(pretty.0).ok()
}

/// Refuses what would make it longer than [`MAX_PRETTY_BYTES`].
#[derive(Default)]
struct BoundedText(Vec<u8>);

impl Write for BoundedText {
    fn write(&mut self, more: &[u8]) -> io::Result<usize> {
        if self.0.len() + more.len() > MAX_PRETTY_BYTES {
            return Err(ErrorKind::FileTooLarge.into());
        }
        self.0.extend_from_slice(more);
        Ok(more.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn block(text: &str) -> String {
        format!("{JSON_BLOCK_BEGINNING}{text}\n``````````")
    }

    #[test]
    fn each_field_has_a_line_and_is_as_the_model_wrote_it() {
        assert_eq!(
            json_block(r#"{"zeta":1.10,"zeta":[true,{}],"big":12345678901234567890123}"#),
            block(
                "{\n  \"zeta\": 1.10,\n  \"zeta\": [\n    true,\n    {}\n  ],\n  \"big\": 12345678901234567890123\n}"
            )
        );
    }

    #[test]
    fn what_is_no_json_stays_as_it_came_and_cannot_end_its_block() {
        for text in ["", r#"{"zeta":"z","a"#, "No  JSON.\n\n# At all"] {
            assert_eq!(json_block(text), block(text));
        }
        let hostile = "x\n````````````\n# A heading";
        let fence = "`".repeat(13);
        assert_eq!(
            json_block(hostile),
            format!("{fence}json\n{hostile}\n{fence}")
        );
    }

    #[test]
    fn hostile_json_gets_no_longer_than_the_bound() {
        let million = 1_000_000;
        let deep = |depth: usize, inner: &str| {
            format!("{}{inner}{}", "[".repeat(depth), "]".repeat(depth))
        };
        let values = "1,".repeat(million / 4) + "1";
        for (name, text, is_laid_out) in [
            ("deep and wide", deep(120, &values), false),
            ("wide", deep(1, &values), true),
            ("deeper than is read", deep(million / 2, ""), false),
            (
                "objects",
                deep(1, &("{},".repeat(million / 4) + "{}")),
                true,
            ),
            ("one string", format!("{:?}", "a".repeat(million)), true),
            ("white space", " ".repeat(million) + "1", true),
        ] {
            let shown = json_block(&text);
            let bound = MAX_PRETTY_BYTES.max(text.len()) + 100;
            assert!(shown.len() <= bound, "{name}: {}", shown.len());
            assert_eq!(pretty_json(&text).is_some(), is_laid_out, "{name}");
        }
    }
}
