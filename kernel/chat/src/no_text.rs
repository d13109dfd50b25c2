//! Answers that ended well and have no text: they would look like nothing at all.

use crate::{Message, Outcome, Role};
use sash_text::is_blank;
use sash_words::t;

/// What an answer without text has instead.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NoText {
    /// Nothing.
    Empty,
    /// Thinking.
    OnlyThinking,
}

impl Message {
    /// Whether a chat can go on with this answer: it did not fail, and has something to go on with.
    #[must_use]
    pub fn is_usable_answer(&self) -> bool {
        let is_usable = match self.outcome {
            Outcome::Failed(_) => false,
            Outcome::Complete => NoText::of(self).is_none(),
            Outcome::CutOff | Outcome::Stopped | Outcome::Interrupted => self.is_sendable(),
        };
        self.role == Role::Assistant && is_usable
    }
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
            Self::Empty => t!(chat.answer_without_text),
            Self::OnlyThinking => t!(chat.answer_only_thinking),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Id, Image, ImageFormat, ImageHash};
    use serde_json::json;

    #[test]
    fn a_chat_goes_on_with_an_answer_that_did_not_fail_and_has_something() {
        let of = |content: &str, outcome: Outcome| {
            let mut message = Message::new(Id(1), None, 1, Role::Assistant, 0);
            (message.content, message.outcome) = (content.to_owned(), outcome);
            message
        };
        let usable = |content, outcome| of(content, outcome).is_usable_answer();
        for outcome in [
            Outcome::Complete,
            Outcome::Stopped,
            Outcome::CutOff,
            Outcome::Interrupted,
        ] {
            assert!(usable("Yes", outcome.clone()));
            assert!(!usable(" \n", outcome.clone()), "{outcome:?}");
        }
        assert!(!usable("Ye", Outcome::failed("no room")));
        let mut calls = of("", Outcome::Complete);
        calls.tool_calls = Some(json!([{"function": {"name": "f"}}]));
        assert!(calls.is_usable_answer());
        let mut question = of("Yes?", Outcome::Complete);
        question.role = Role::User;
        assert!(!question.is_usable_answer());
    }

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
