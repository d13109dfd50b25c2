//! The messages of the next request, as the panel shows them.

use leptos::prelude::*;
use sash_chat::window::{PromptTurn, Reason, Size, Turn, WindowEntry, turns};
use sash_chat::{Id, Image, Role, Tool};
use sash_stores::Kernel;
use sash_words::t;
use std::hash::{Hash, Hasher};
use std::sync::Arc;

/// A message of the request; the last one is without the draft.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RequestMessage {
    /// The chat's first message in it. The system prompt and a lone draft have none.
    first: Option<Id>,
    /// What it is, where that is not its role.
    pub title: Option<&'static str>,
    /// The role.
    pub role: Role,
    /// The text that is sent.
    pub text: String,
    /// Whether the text is a model's Markdown.
    pub is_markdown: bool,
    /// Its images, also those that are not sent.
    pub images: Vec<Image>,
    /// Its tool calls as they are sent.
    pub calls: Option<String>,
    /// Why the message is sent, and other notes.
    pub notes: Vec<String>,
    /// Its size.
    pub size: Size,
}

/// Messages of the request differ in the chat's first message in them; the rare ones that share it differ in other
/// fields.
impl Hash for RequestMessage {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.first.hash(state);
    }
}

impl RequestMessage {
    /// A message for a turn, with notes from its entries in the window.
    fn new<'a>(turn: Turn, entries: impl Iterator<Item = &'a WindowEntry>) -> Self {
        let joined = turn.ids.len();
        let mut message = Self {
            first: turn.ids.first().copied(),
            role: turn.role,
            text: turn.content,
            images: turn.images,
            calls: turn.tool_calls.map(|calls| calls.to_string()),
            ..Self::default()
        };
        for entry in entries {
            message.size += entry.size;
            message.note(match entry.reason {
                Reason::Policy => t!(panel.in_window),
                Reason::Pin => t!(panel.pinned),
                Reason::QuestionFirst => t!(common.question_before),
            });
            if entry.recalled {
                message.note(t!(panel.with_recalled_messages));
            }
            if entry.orphan {
                message.note(t!(panel.question_not_sent));
            }
        }
        message.size = message.size.as_one_message();
        message.notes.extend(turn.tool_name);
        if joined > 1 {
            message.note(&t!(panel.messages_joined, joined = &joined));
        }
        message
    }

    fn system(text: &str) -> Self {
        Self {
            role: Role::System,
            text: text.to_owned(),
            notes: vec![t!(panel.tokens_not_counted).to_owned()],
            size: Size::of(text),
            ..Self::default()
        }
    }

    /// The tools: they go before the messages.
    fn tools(tools: &[Tool]) -> Self {
        let text = tools.iter().map(|tool| tool.definition().to_string());
        Self {
            title: Some(t!(common.tools)),
            notes: vec![t!(panel.tokens_not_counted).to_owned()],
            size: Size::of_tools(tools),
            ..Self::system(&text.collect::<Vec<_>>().join("\n\n"))
        }
    }

    /// Adds a note, unless it is there already.
    pub fn note(&mut self, words: &str) {
        if self.notes.iter().all(|known| known != words) {
            self.notes.push(words.to_owned());
        }
    }
}

/// Whether a text has marks of Markdown or of formulas. One without is shown to the letter, with all its blanks, as it
/// is sent.
fn has_marks(text: &str) -> bool {
    const WITHIN: [&str; 9] = ["`", "**", "__", "~~", "](", "$", r"\(", r"\[", "|"];
    const FIRST: [&str; 7] = ["# ", "## ", "### ", "- ", "* ", "+ ", "> "];
    let is_numbered = |line: &str| {
        let rest = line.trim_start_matches(|c: char| c.is_ascii_digit());
        rest.len() < line.len() && (rest.starts_with(". ") || rest.starts_with(") "))
    };
    let begins = |line: &str| {
        let line = line.trim_start();
        FIRST.iter().any(|mark| line.starts_with(mark)) || is_numbered(line)
    };
    WITHIN.iter().any(|mark| text.contains(mark))
        || text.lines().any(|line| begins(line) || has_emphasis(line))
}

/// Whether a line has words between two stars, without a space beside them.
fn has_emphasis(line: &str) -> bool {
    let mut parts: Vec<&str> = line.split('*').skip(1).collect();
    parts.pop();
    let touches = |part: &&str| !part.is_empty() && part.trim().len() == part.len();
    parts.iter().any(touches)
}

/// The messages of the next request in order: the system prompt and the tools, if there are any, and the turns.
pub fn request_messages(kernel: Kernel) -> Vec<Arc<RequestMessage>> {
    kernel.chats().open.with(|chat| {
        let summary = kernel.steering().chosen.with(|window| window.summary);
        let system = chat.head.system_with(summary).map(|system| {
            let mut message = RequestMessage::system(&system);
            let folder = chat.head.system_prompt().and_then(|system| system.folder);
            if let Some(folder) = folder {
                message.note(&t!(panel.from_folder, folder = &folder));
            }
            if summary.is_some() {
                message.note(t!(panel.with_summary));
            }
            message
        });
        let turns = kernel.steering().chosen.with(|window| {
            let mut entries = window.entries.iter();
            // Leave out the draft, which is joined to the last message while it is typed; the other messages do not
            // depend on it.
            let turns = turns(chat, window, PromptTurn::default()).into_iter();
            let messages = turns.map(|turn| {
                let many = turn.ids.len();
                let is_edited = |id: &Id| chat.get(*id).is_some_and(|m| m.edited.is_some());
                let edited = turn.ids.iter().any(is_edited);
                // JSON that was asked for is no Markdown, as in the transcript.
                let is_free = |id: &Id| {
                    let receipt = chat.get(*id).and_then(|m| m.receipt.as_ref());
                    receipt.is_none_or(|receipt| receipt.format.is_none())
                };
                let is_markdown = turn.role == Role::Assistant
                    && turn.ids.iter().all(is_free)
                    && has_marks(&turn.content);
                let mut message = RequestMessage::new(turn, entries.by_ref().take(many));
                message.is_markdown = is_markdown;
                if edited {
                    message.note(t!(transcript.edited_by_you));
                }
                message
            });
            messages.collect::<Vec<_>>()
        });
        let tools = kernel
            .steering()
            .chosen
            .with(|window| match window.tools.is_empty() {
                true => None,
                false => Some(RequestMessage::tools(&window.tools)),
            });
        let before = system.into_iter().chain(tools);
        before.chain(turns).map(Arc::new).collect()
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use wasm_bindgen_test::{wasm_bindgen_test, wasm_bindgen_test_configure};

    wasm_bindgen_test_configure!(run_in_browser);

    #[wasm_bindgen_test]
    fn a_text_without_marks_is_no_markdown() {
        for text in [
            "Plain.",
            "It's \"long\" – so\n\n\tend.",
            "2 * 3, a_b",
            "1.5 metres",
        ] {
            assert!(!has_marks(text), "{text}");
        }
        for text in [
            "**bold**",
            "*Weights* pull",
            "so $x$ is",
            r"so \(x\) is",
            "## Title",
            "One:\n1. two",
            "- a",
            "`a`",
            "| a |",
        ] {
            assert!(has_marks(text), "{text}");
        }
    }
}
