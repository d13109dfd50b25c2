//! Answers that ended well and have no text: they would look like nothing at all.

use crate::blank::is_blank;
use crate::{Message, Outcome, Role};
use sash_words::t;

/// What an answer without text has instead.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NoText {
    /// Nothing.
    Empty,
    /// Thinking.
    OnlyThinking,
}

impl NoText {
    /// What a complete answer without text has; `None` for any other message. One that calls tools, or is an image, has
    /// what it was to have.
    #[must_use]
    pub fn of(message: &Message) -> Option<Self> {
        let is_bare = message.role == Role::Assistant
            && message.outcome == Outcome::Complete
            && is_blank(&message.content)
            && message.tool_calls.is_none()
            && message.calls_left_out == 0
            && message.images.is_empty();
        is_bare.then(|| match is_blank(&message.thinking) {
            true => Self::Empty,
            false => Self::OnlyThinking,
        })
    }

    /// The same as a sentence.
    #[must_use]
    pub fn words(self) -> &'static str {
        match self {
            Self::Empty => t!(chat.this_answer_has_no_text),
            Self::OnlyThinking => t!(chat.this_answer_has_only_thinking),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Id, Image, ImageFormat, ImageHash};
    use serde_json::json;

    #[test]
    fn an_answer_without_text_is_known_by_what_it_has_instead() {
        let of = |change: fn(&mut Message)| {
            let mut message = Message::new(Id(1), None, 1, Role::Assistant, 0);
            change(&mut message);
            NoText::of(&message)
        };
        let thinks = |m: &mut Message| m.thinking = "Hm.".into();
        assert_eq!(of(|_| {}), Some(NoText::Empty));
        assert_eq!(of(|m| m.content = " \n".into()), Some(NoText::Empty));
        assert_eq!(
            of(|m| m.content = "\u{feff}\u{200b}\n".into()),
            Some(NoText::Empty)
        );
        assert_eq!(of(thinks), Some(NoText::OnlyThinking));
        for change in [
            (|m| m.content = "Yes.".into()) as fn(&mut Message),
            |m| m.role = Role::User,
            |m| m.role = Role::Tool,
            |m| m.outcome = Outcome::Stopped,
            |m| m.outcome = Outcome::failed("no room"),
            |m| m.tool_calls = Some(json!([{"function": {"name": "f"}}])),
            |m| m.calls_left_out = 1,
            |m| {
                m.images = vec![Image {
                    hash: ImageHash([0; 32]),
                    format: ImageFormat::Png,
                    width: 1,
                    height: 1,
                    size: 1,
                    preview: String::new(),
                }]
            },
        ] {
            assert_eq!(of(change), None);
        }
    }
}
