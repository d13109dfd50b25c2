//! Requests beside the conversation, for a summary or a title: messages as a transcript in one prompt, with the options of
//! the chat, so that the model is not loaded anew.

use sash_chat::window::Window;
use sash_chat::{Chat, ChatSettings, Head, Message, Role, Think, fenced};
use sash_wire::{ChatRequest, Prompt};

/// The request with a text alone.
pub(crate) fn side_request(chat: &Chat, prompt: &Prompt, text: String) -> ChatRequest {
    // Thinking about it takes longer than writing it.
    let head = Head {
        settings: ChatSettings {
            system: None,
            summary: None,
            format: None,
            think: Some(Think::Off),
            ..chat.head.settings.clone()
        },
        ..chat.head.clone()
    };
    let prompt = Prompt {
        text,
        tools: Vec::new(),
        ..prompt.clone()
    };
    prompt.request(chat, &head, &Window::default())
}

/// A message of the transcript.
pub(crate) fn quoted(role: Role, text: &str) -> String {
    let speaker = match role {
        Role::User => "User",
        Role::Assistant => "Assistant",
        Role::System => "System",
        Role::Tool => "Tool",
    };
    // Between fences no message passes for one of another speaker.
    format!("\n\n{speaker}:\n{}", fenced(text.trim()))
}

/// A whole message of the transcript.
pub(crate) fn quoted_message(message: &Message) -> String {
    quoted(message.role, &message.sent_text(false))
}
