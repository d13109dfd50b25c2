//! The prompt: its messages, its text, and its tokens.

use serde::Deserialize;
use serde::de::IgnoredAny;

/// A message.
#[derive(Deserialize)]
pub struct PromptMessage {
    /// Its role.
    pub role: String,
    /// Its text.
    #[serde(default)]
    pub content: String,
    /// Its images, of which only the number matters.
    #[serde(default)]
    pub images: Vec<IgnoredAny>,
}

/// The end of a message.
const END: &str = "<|im_end|>\n";

/// The text that a model would read of these messages. Neighbours of one role are one message, as Ollama makes them. An answer
/// that stands last stays open.
pub fn render(messages: &[PromptMessage]) -> String {
    let (mut text, mut last_role) = (String::new(), None);
    for PromptMessage { role, content, .. } in messages {
        if last_role == Some(role.as_str()) && role != "tool" {
            text.truncate(text.len() - END.len());
            text += &format!("\n\n{content}{END}");
        } else {
            text += &format!("<|im_start|>{role}\n{content}{END}");
        }
        last_role = Some(role.as_str());
    }
    match last_role {
        Some("assistant") => text.truncate(text.len() - END.len()),
        _ => text += "<|im_start|>assistant\n",
    }
    text
}

/// The number of tokens of a rendered prompt: one at its beginning, one for each mark, and the pieces between them.
pub fn count(prompt: &str) -> u64 {
    let marks = prompt.matches("<|im_start|>").count() + prompt.matches("<|im_end|>").count();
    let text = prompt.replace("<|im_start|>", "").replace("<|im_end|>", "");
    (1 + marks + pieces(&text).count()) as u64
}

/// Tokens of a text: a blank and up to five letters or digits, or any other character.
pub fn pieces(text: &str) -> impl Iterator<Item = &str> {
    let mut rest = text;
    std::iter::from_fn(move || {
        let blank = usize::from(rest.starts_with(' '));
        let letters = rest[blank..].bytes().take(5);
        let letters = letters.take_while(u8::is_ascii_alphanumeric).count();
        let end = match (blank, letters) {
            (0, 0) => rest.chars().next()?.len_utf8(),
            (blank, letters) => blank + letters,
        };
        let (piece, tail) = rest.split_at(end);
        rest = tail;
        Some(piece)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rendered(messages: &[(&str, &str)]) -> String {
        let message = |&(role, content): &(&str, &str)| PromptMessage {
            role: role.to_owned(),
            content: content.to_owned(),
            images: Vec::new(),
        };
        render(&messages.iter().map(message).collect::<Vec<_>>())
    }

    #[test]
    fn an_answer_that_stands_last_stays_open() {
        let asked = rendered(&[("user", "count")]);
        assert_eq!(
            asked,
            "<|im_start|>user\ncount<|im_end|>\n<|im_start|>assistant\n"
        );
        let carried_on = rendered(&[("user", "count"), ("assistant", "one, ")]);
        assert!(
            carried_on.ends_with("<|im_start|>assistant\none, "),
            "{carried_on}"
        );
    }

    #[test]
    fn neighbours_of_one_role_are_one_message() {
        let twice = rendered(&[("user", "a"), ("user", "b"), ("tool", "c"), ("tool", "d")]);
        let tools = "<|im_start|>tool\nc<|im_end|>\n<|im_start|>tool\nd<|im_end|>\n";
        let users = "<|im_start|>user\na\n\nb<|im_end|>\n";
        assert_eq!(twice, format!("{users}{tools}<|im_start|>assistant\n"));
    }

    #[test]
    fn marks_are_one_token_each() {
        // The beginning, three marks, three ends of lines, "user", "hello", " there", "assis" and "tant".
        assert_eq!(count(&rendered(&[("user", "hello there")])), 12);
    }

    #[test]
    fn pieces_lose_nothing() {
        for text in [
            "Hello there, world!",
            "a  b\n\n- é🌍 `code`   ",
            "1. (the whole) extraordinary\tthing",
            " ",
            "— x",
        ] {
            let cut: Vec<&str> = pieces(text).collect();
            assert_eq!(cut.concat(), text);
            assert!(
                cut.iter().all(|piece| piece.chars().count() <= 6),
                "{cut:?}"
            );
        }
    }
}
