//! Reads the text of a message in every form in which engines send it: a text, a list of parts, a part alone.

use super::unread::UnreadParts;
use serde_json::Value;

/// The text of a message, or of the piece of one.
#[derive(Debug, Default, PartialEq)]
pub struct MessageText {
    /// What the model thinks.
    pub thinking: String,
    /// The answer.
    pub content: String,
}

/// The fields of a message that have text of the answer, in the order in which they are read.
const CONTENT: [&str; 4] = ["content", "refusal", "output_text", "text"];
/// The fields of a message that have thinking. Engines send the same text in two of them, one for older clients.
const THINKING: [&str; 5] = [
    "reasoning_content",
    "reasoning",
    "thinking",
    "reasoning_text",
    "reasoning_details",
];
/// The fields of a part that have its text.
const PART_TEXT: [&str; 5] = ["text", "content", "value", "output_text", "transcript"];
/// The fields of a thinking part that have its text.
const PART_THINKING: [&str; 6] = [
    "thinking",
    "reasoning",
    "text",
    "summary",
    "content",
    "value",
];
/// Fields and kinds of thinking that only the engine can read.
const SEALED: [&str; 5] = [
    "redacted_thinking",
    "reasoning.encrypted",
    "encrypted_content",
    "signature",
    "data",
];

impl MessageText {
    /// Reads a message, or the piece of one. Other fields of it are not looked at.
    pub fn read(message: &Value, unread: &mut UnreadParts) -> Self {
        let mut read = Self::default();
        match message {
            Value::Object(fields) => {
                read.add_content_of(message, unread);
                read.add_thinking_of(message, unread);
                // Spoken and painted answers: the words of the one are read, the others counted.
                if let Some(audio) = fields.get("audio").filter(|audio| audio.is_object()) {
                    read.add_content(&audio["transcript"], unread);
                    if !audio["data"].is_null() {
                        unread.add("audio", audio);
                    }
                }
                for image in message["images"].as_array().into_iter().flatten() {
                    unread.add(image["type"].as_str().unwrap_or("image"), image);
                }
            }
            message => read.add_content(message, unread),
        }
        read
    }

    /// Adds the content of a message, each text once: servers send it in two fields, one for other clients.
    fn add_content_of(&mut self, message: &Value, unread: &mut UnreadParts) {
        let mut said: Vec<String> = Vec::new();
        for key in CONTENT {
            let mut read = Self::default();
            read.add_content(&message[key], unread);
            self.thinking += &read.thinking;
            if !read.content.is_empty() && !said.contains(&read.content) {
                said.push(read.content);
            }
        }
        self.content.extend(said);
    }

    /// Adds the thinking of a message, each text once.
    fn add_thinking_of(&mut self, message: &Value, unread: &mut UnreadParts) {
        let mut said: Vec<String> = Vec::new();
        for key in THINKING {
            let mut thinking = String::new();
            add_thinking(&message[key], &mut thinking, unread);
            if !thinking.is_empty() && !said.contains(&thinking) {
                said.push(thinking);
            }
        }
        self.thinking.extend(said);
    }

    /// Adds content in any form. Numbers are the text that they are written as; `true` and `false` say whether there is any.
    pub fn add_content(&mut self, content: &Value, unread: &mut UnreadParts) {
        match content {
            Value::Null | Value::Bool(_) => {}
            Value::String(text) => self.content += text,
            Value::Number(number) => self.content += &number.to_string(),
            Value::Array(parts) => {
                for part in parts {
                    self.add_content(part, unread);
                }
            }
            Value::Object(_) => self.add_part(content, unread),
        }
    }

    fn add_part(&mut self, part: &Value, unread: &mut UnreadParts) {
        let kind = part["type"].as_str().unwrap_or_default();
        match kind {
            "thinking" | "reasoning" | "thought" | "reasoning_text" | "summary_text" => {
                add_thinking(part, &mut self.thinking, unread);
            }
            _ if kind.starts_with("reasoning.") || SEALED.contains(&kind) => {
                add_thinking(part, &mut self.thinking, unread);
            }
            "refusal" => match part.get("refusal") {
                Some(refusal) => self.add_content(refusal, unread),
                None => self.add_content(&part["text"], unread),
            },
            "" | "text" | "output_text" | "input_text" | "message" => {
                let mut texts = PART_TEXT.iter().map(|key| &part[*key]);
                match texts.find(|text| !text.is_null()) {
                    Some(text) => self.add_content(text, unread),
                    None if is_bare(part) => {}
                    None => unread.add(if kind.is_empty() { "object" } else { kind }, part),
                }
            }
            kind => {
                unread.add(kind, part);
                if let Some(text) = part["text"].as_str() {
                    self.content += text;
                }
            }
        }
    }
}

/// Adds thinking in any form.
fn add_thinking(thinking: &Value, out: &mut String, unread: &mut UnreadParts) {
    match thinking {
        Value::Null | Value::Bool(_) => {}
        Value::String(text) => *out += text,
        Value::Number(number) => *out += &number.to_string(),
        Value::Array(parts) => {
            for part in parts {
                add_thinking(part, out, unread);
            }
        }
        Value::Object(fields) => {
            let text = PART_THINKING.iter().find_map(|key| {
                let text = fields.get(*key)?;
                (!text.is_null()).then_some(text)
            });
            match text {
                Some(text) => add_thinking(text, out, unread),
                None if is_bare(thinking) || SEALED.iter().any(|key| fields.contains_key(*key)) => {
                }
                None => unread.add("thinking", thinking),
            }
        }
    }
}

/// Whether a part has nothing but its kind and its place, and fields that are empty.
fn is_bare(part: &Value) -> bool {
    let is_empty = |value: &Value| match value {
        Value::Null => true,
        Value::String(text) => text.is_empty(),
        Value::Array(items) => items.is_empty(),
        Value::Object(fields) => fields.is_empty(),
        Value::Bool(_) | Value::Number(_) => false,
    };
    let fields = part.as_object();
    fields.is_some_and(|fields| {
        let mut fields = fields.iter();
        fields.all(|(key, value)| {
            is_empty(value) || matches!(key.as_str(), "type" | "index" | "id" | "format")
        })
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn read(message: Value) -> (String, String, Option<String>) {
        let mut unread = UnreadParts::default();
        let text = MessageText::read(&message, &mut unread);
        let unread = unread.fault(false).map(|fault| fault.to_string());
        (text.thinking, text.content, unread)
    }

    fn check(message: Value, thinking: &str, content: &str) {
        let expected = (thinking.to_owned(), content.to_owned(), None);
        assert_eq!(read(message.clone()), expected, "{message}");
    }

    #[test]
    fn content_is_a_text_a_list_of_parts_or_a_part() {
        check(json!({"content":"a"}), "", "a");
        check(json!({"content":null}), "", "");
        check(json!({"content":[]}), "", "");
        check(json!({"content":42}), "", "42");
        check(
            json!({"content":["a", {"type":"text","text":"b"}, null, 7]}),
            "",
            "ab7",
        );
        check(json!({"content":{"type":"text","text":"a"}}), "", "a");
        check(
            json!({"content":[{"type":"output_text","text":"a","annotations":[]}]}),
            "",
            "a",
        );
        check(
            json!({"content":[{"type":"text","text":{"value":"a"}}]}),
            "",
            "a",
        );
        check(json!({"content":[{"type":"text"},{"text":"a"}]}), "", "a");
        check(json!("a"), "", "a");
        check(
            json!({"content":[{"type":"text","text":null,"content":"a"}]}),
            "",
            "a",
        );
    }

    /// Regression: each word of a server that writes its text into two fields was said twice.
    #[test]
    fn a_text_in_two_fields_is_read_once() {
        check(json!({"content":"a","text":"a"}), "", "a");
        check(json!({"content":[{"text":"a"}],"output_text":"a"}), "", "a");
        check(json!({"refusal":"No.","content":"No."}), "", "No.");
        check(json!({"content":"a","refusal":"b"}), "", "ab");
        check(json!({"content":["a","a"]}), "", "aa");
        check(json!({"text":"a"}), "", "a");
    }

    /// Regression: `false` was a word of the answer or of the thinking.
    #[test]
    fn true_and_false_are_no_words() {
        check(json!({"content":"a","thinking":false}), "", "a");
        check(json!({"content":"a","refusal":false}), "", "a");
        check(json!({"reasoning":true,"text":"a"}), "", "a");
        check(json!({"content":["a",true,7]}), "", "a7");
        check(
            json!({"content":[{"type":"text","text":"a"},{"type":"thinking","thinking":false}]}),
            "",
            "a",
        );
    }

    /// Regression: an answer with such a part ended with a fault.
    #[test]
    fn a_part_of_empty_fields_is_no_unread_one() {
        check(
            json!({"content":[{"type":"output_text","annotations":[],"logprobs":[]},{"type":"text","text":"a"}]}),
            "",
            "a",
        );
        check(
            json!({"content":[{"type":"text","text":null,"extra":{}}]}),
            "",
            "",
        );
        check(json!({"content":{"type":"text","citations":""}}), "", "");
        let (_, _, unread) = read(json!({"content":[{"type":"text","annotations":["x"]}]}));
        assert!(unread.is_some());
    }

    /// Regression: the thinking and the first words of a Mistral model were lost, and the answer was complete.
    #[test]
    fn thinking_is_in_parts_and_in_fields_of_its_own() {
        let parts = json!({"content":[
            {"type":"thinking","thinking":[{"type":"text","text":"Let me "},{"type":"text","text":"see."}]},
            {"type":"text","text":"Yes, "}]});
        check(parts, "Let me see.", "Yes, ");
        check(
            json!({"content":[{"type":"thinking","thinking":"a"},{"type":"reasoning","text":"b"}]}),
            "ab",
            "",
        );
        check(
            json!({"content":[{"type":"reasoning","summary":[{"type":"summary_text","text":"a"}]}]}),
            "a",
            "",
        );
        check(
            json!({"reasoning_content":"a","reasoning":"a","content":"b"}),
            "a",
            "b",
        );
        check(json!({"thinking":"a","reasoning":null}), "a", "");
        check(json!({"reasoning":{"content":"a"}}), "a", "");
        check(
            json!({"reasoning":"a","reasoning_details":[{"type":"reasoning.text","text":"a","index":0},{"type":"reasoning.encrypted","data":"x"}]}),
            "a",
            "",
        );
        check(
            json!({"reasoning_details":[{"type":"reasoning.summary","summary":"a"}]}),
            "a",
            "",
        );
    }

    #[test]
    fn a_refusal_is_the_answer() {
        check(json!({"content":null,"refusal":"No."}), "", "No.");
        check(
            json!({"content":[{"type":"refusal","refusal":"No."}]}),
            "",
            "No.",
        );
        check(json!({"audio":{"transcript":"a","id":"x"}}), "", "a");
    }

    #[test]
    fn other_parts_are_counted_and_named() {
        for (message, content, named) in [
            (
                json!({"content":[{"type":"text","text":"a"},{"type":"image_url","image_url":{"url":"x"}}]}),
                "a",
                "image_url: {",
            ),
            (
                json!({"images":[{"type":"image_url"},{"type":"image_url"}]}),
                "",
                "image_url (2)",
            ),
            (
                json!({"content":[{"type":"mystery","text":"a"}]}),
                "a",
                "mystery: {",
            ),
            (
                json!({"content":[{"type":"tool_use","input":{}}]}),
                "",
                "tool_use",
            ),
            (json!({"content":{"words":"a"}}), "", "\"words\":\"a\""),
            (
                json!({"content":[{"type":"thinking","thoughts":"a"}]}),
                "",
                "thinking: {",
            ),
            (
                json!({"audio":{"data":"AAAA","transcript":"a"}}),
                "a",
                "audio",
            ),
        ] {
            let (_, text, unread) = read(message.clone());
            assert_eq!(text, content, "{message}");
            assert!(
                unread.clone().unwrap_or_default().contains(named),
                "{message} {unread:?}"
            );
        }
    }
}
