//! The `<details type="…">` blocks that Open WebUI writes into the text of an answer: what was thought, the calls of
//! tools, and code that was run.

use super::chat::{append, bracket, code_block};
use super::prose::change_prose;
use serde_json::Value;
use std::collections::BTreeMap;

const OPEN: &str = "<details";
const CLOSE: &str = "</details>";

/// The text of an answer in its parts.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct SplitAnswer {
    pub content: String,
    pub thinking: String,
    /// Calls of tools, of which only the name is kept.
    pub calls: usize,
}

/// A block that begins a text.
struct Block<'t> {
    tag: &'t str,
    kind: String,
    inner: &'t str,
    length: usize,
}

/// Takes the blocks out of a text. A block without a type is what the model wrote, and stays.
pub fn read_details(text: &str) -> SplitAnswer {
    let (mut thinking, mut calls) = (String::new(), 0);
    let ends = block_ends(text);
    let content = change_prose(text, &['<'], |out, at| {
        let block = block_at(text, at, &ends)?;
        let kind = block.kind.clone();
        let (summary, body) = summary_and_body(block.inner);
        let after = at + block.length;
        let after = after + line_ends(text.get(after..).unwrap_or_default());
        match kind.as_str() {
            "reasoning" => append(&mut thinking, &unescaped(&unquoted(body))),
            "tool_calls" => {
                calls += 1;
                let name = attribute(block.tag, "name");
                put(out, &bracket("tool", name.as_deref()));
            }
            "code_interpreter" => {
                put(out, &unquoted(body));
                let output = attribute(block.tag, "output").unwrap_or_default();
                put(out, &output_block(&output));
            }
            // A block of a later version: its words are there, its attributes are named.
            _ => {
                calls += 1;
                put(
                    out,
                    &bracket(&kind, attribute(block.tag, "name").as_deref()),
                );
                put(out, &unescaped(summary));
                put(out, &unescaped(body));
            }
        }
        if !out.is_empty() && after < text.len() && kind != "reasoning" {
            out.truncate(out.trim_end().len());
            out.push_str("\n\n");
        }
        Some(after)
    });
    SplitAnswer {
        content,
        thinking,
        calls,
    }
}

/// What code gave that was run: JSON with what was printed, what came out, what failed.
pub fn output_block(output: &str) -> String {
    let output = output.trim();
    let text = match serde_json::from_str::<Value>(output) {
        Ok(value) => output_text(&value),
        Err(_) => output.to_owned(),
    };
    match text.trim().is_empty() {
        true => String::new(),
        false => code_block("", text.trim_end()),
    }
}

/// The texts in a value, a line each.
pub fn output_text(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        Value::Null | Value::Bool(_) => String::new(),
        Value::Number(number) => number.to_string(),
        Value::Array(values) => lines(values.iter()),
        Value::Object(fields) => lines(fields.values()),
    }
}

fn lines<'v>(values: impl Iterator<Item = &'v Value>) -> String {
    let texts = values
        .map(output_text)
        .filter(|text| !text.trim().is_empty());
    texts.collect::<Vec<_>>().join("\n")
}

fn put(out: &mut String, words: &str) {
    let words = words.trim();
    if words.is_empty() {
        return;
    }
    out.truncate(out.trim_end().len());
    append(out, words);
}

fn line_ends(text: &str) -> usize {
    text.len() - text.trim_start_matches(['\n', '\r']).len()
}

/// The block with a type that begins at a place. Without an end of its own it has the next one; one that was cut reaches
/// to the end of the text.
fn block_at<'t>(text: &'t str, at: usize, ends: &BTreeMap<usize, usize>) -> Option<Block<'t>> {
    let rest = text.get(at..)?.strip_prefix(OPEN)?;
    rest.starts_with(char::is_whitespace).then_some(())?;
    let tag_end = tag_end(rest)?;
    let tag = rest.get(..tag_end)?;
    let kind = attribute(tag, "type").filter(|kind| !kind.is_empty())?;
    let inner = rest.get(tag_end + 1..)?;
    let start = text.len() - inner.len();
    let own = ends.get(&at).and_then(|end| end.checked_sub(start));
    let end = own.or_else(|| inner.find(CLOSE));
    let length = end.map_or(inner.len(), |end| end + CLOSE.len());
    Some(Block {
        tag,
        kind,
        inner: inner.get(..end.unwrap_or(inner.len()))?,
        length: start + length - at,
    })
}

/// Where the blocks of a text end, by where they begin. What is quoted in a thought begins and ends nothing.
fn block_ends(text: &str) -> BTreeMap<usize, usize> {
    let mut ends = BTreeMap::new();
    let (mut open, mut at) = (Vec::new(), 0);
    for line in text.split_inclusive('\n') {
        let is_quoted = line.trim_start().starts_with('>');
        let marks = line.match_indices('<').filter(|_| !is_quoted);
        for (place, _) in marks {
            let here = line.get(place..).unwrap_or_default();
            if here.starts_with(CLOSE) {
                ends.extend(open.pop().map(|begin| (begin, at + place)));
            } else if is_open(here) {
                open.push(at + place);
            }
        }
        at += line.len();
    }
    ends
}

fn is_open(text: &str) -> bool {
    let rest = text.strip_prefix(OPEN);
    rest.is_some_and(|rest| rest.starts_with(|c: char| c.is_whitespace() || c == '>'))
}

/// Where the tag ends, quotes skipped. Another tag does not begin in it.
fn tag_end(tag: &str) -> Option<usize> {
    let mut quote = None;
    for (at, c) in tag.char_indices() {
        match (c, quote) {
            ('"' | '\'', None) => quote = Some(c),
            ('>', None) => return Some(at),
            ('<', None) => return None,
            (c, Some(open)) if c == open => quote = None,
            _ => {}
        }
    }
    None
}

/// The value of an attribute.
fn attribute(tag: &str, name: &str) -> Option<String> {
    let mut rest = tag.trim_start();
    while let Some((key, after)) = rest.split_once('=') {
        let quote = after.chars().next().filter(|c| matches!(c, '"' | '\''));
        let (value, after) = match quote {
            Some(quote) => after.get(1..)?.split_once(quote)?,
            None => after.split_once(char::is_whitespace).unwrap_or((after, "")),
        };
        // An attribute without a value may be before it.
        if key.split_whitespace().last() == Some(name) {
            return Some(unescaped(value));
        }
        rest = after;
    }
    None
}

fn summary_and_body(inner: &str) -> (&str, &str) {
    let inner = inner.trim();
    match inner
        .strip_prefix("<summary>")
        .and_then(|rest| rest.split_once("</summary>"))
    {
        Some((summary, body)) => (summary, body),
        None => ("", inner),
    }
}

/// Lines without the marks of a quote.
fn unquoted(text: &str) -> String {
    let lines = text.trim().lines().map(|line| {
        let marks = ["&gt; ", "&gt;", "> ", ">"];
        let bare = marks.iter().find_map(|mark| line.strip_prefix(mark));
        bare.unwrap_or(line)
    });
    lines.collect::<Vec<_>>().join("\n")
}

/// Unescapes the characters that Open WebUI escapes.
fn unescaped(text: &str) -> String {
    let marks = [
        ("&lt;", "<"),
        ("&gt;", ">"),
        ("&quot;", "\""),
        ("&#x27;", "'"),
        ("&#39;", "'"),
        ("&amp;", "&"),
    ];
    let plain = |text: String, (from, to): (&str, &str)| text.replace(from, to);
    marks.into_iter().fold(text.to_owned(), plain)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, content: &str, thinking: &str, calls: usize) {
        let expected = SplitAnswer {
            content: content.to_owned(),
            thinking: thinking.to_owned(),
            calls,
        };
        assert_eq!(read_details(text), expected, "{text}");
    }

    #[test]
    fn blocks_of_every_type_are_taken_out_of_the_text() {
        check(
            "<details type=\"reasoning\" done=\"true\" duration=\"3\">\n<summary>Thought for 3 seconds</summary>\n&gt; a &amp; b\n&gt; c &lt; d\n</details>\nThe answer.",
            "The answer.",
            "a & b\nc < d",
            0,
        );
        check(
            "Before.\n<details type=\"tool_calls\" done=\"true\" id=\"c\" name=\"look_up\" arguments=\"&quot;{}&quot;\" result=\"&quot;a > b&quot;\">\n<summary>Tool Executed</summary>\n</details>\nAfter.",
            "Before.\n\n[tool: look_up]\n\nAfter.",
            "",
            1,
        );
        check(
            "<details type=\"code_interpreter\" done=\"true\" output=\"{&quot;stdout&quot;: &quot;7\\n&quot;}\">\n<summary>Analyzed</summary>\n```python\nprint(3 + 4)\n```\n</details>\nSeven.",
            "```python\nprint(3 + 4)\n```\n\n```\n7\n```\n\nSeven.",
            "",
            0,
        );
        check(
            "A <details type=\"later\" name='n'><summary>S &amp; T</summary>words</details>",
            "A\n\n[later: n]\n\nS & T\n\nwords",
            "",
            1,
        );
        // Cut while it thought; two in a row; one within the other.
        check(
            "<details type=\"reasoning\" done=\"false\">\n<summary>Thinking…</summary>\n> half a",
            "",
            "half a",
            0,
        );
        check(
            "<details type=\"reasoning\">\n> one\n</details>\n<details type=\"reasoning\">\n> two\n</details>\nText.",
            "Text.",
            "one\n\ntwo",
            0,
        );
        check(
            "<details type=\"reasoning\">\n> a <details type=\"x\"></details> b\n</details>\nText.",
            "Text.",
            "a <details type=\"x\"></details> b",
            0,
        );
    }

    /// A tag that a thought quotes once took the answer into the thought.
    #[test]
    fn a_thought_that_quotes_a_tag_ends_where_it_ends() {
        for (inner, thinking) in [
            (
                "> it uses <details type=\"x\"> tags",
                "it uses <details type=\"x\"> tags",
            ),
            (
                "it uses <details type=\"x\"> tags",
                "it uses <details type=\"x\"> tags",
            ),
            ("> </details> ends it", "</details> ends it"),
            ("> a <details> b", "a <details> b"),
        ] {
            check(
                &format!("<details type=\"reasoning\">\n{inner}\n</details>\nThe answer."),
                "The answer.",
                thinking,
                0,
            );
        }
        check(
            "<details type=\"reasoning\">\n> a <details type=\"x\"> b\n</details>\nOne.\n<details type=\"reasoning\">\n> c\n</details>\nTwo.",
            "One.\nTwo.",
            "a <details type=\"x\"> b\n\nc",
            0,
        );
    }

    /// Each of these was searched to its end for each tag.
    #[test]
    fn many_tags_take_no_more_than_their_length() {
        for part in [
            "<details x>",
            "<details ",
            "<details \"",
            "<details type=\"a",
            "<details a='<details b=\"",
        ] {
            let text = part.repeat(200_000);
            assert_eq!(read_details(&text).content, text, "{part}");
        }
        let text = "<details type=\"a\"><details type=\"b\"></details>".repeat(45_000);
        assert_eq!(read_details(&text).calls, 45_000);
    }

    #[test]
    fn what_an_answer_quotes_or_writes_itself_stays() {
        for text in [
            "It writes `<details type=\"reasoning\">` there.",
            "```html\n<details type=\"tool_calls\" name=\"a\">\n</details>\n```",
            "<details>\n<summary>More</summary>\nwords\n</details>",
            "<details type=\"reasoning\"",
            "a < b",
        ] {
            check(text, text, "", 0);
        }
    }
}
