//! Requests beside the conversation, for a summary or a title: messages as a transcript in one prompt, with the options of
//! the chat, so that the model is not loaded anew.

use sash_chat::window::Window;
use sash_chat::{Chat, ChatSettings, Head, Inherited, Message, Role};
use sash_text::fenced;
use sash_wire::{ChatRequest, RequestPlan};
use serde_json::{Map, Value};

/// The options that end an answer early. They are chosen for the answers of a chat; a summary or a title would be cut off.
const LIMITS: [&str; 2] = ["num_predict", "stop"];

/// The request with a text alone.
pub fn side_request(chat: &Chat, prompt: &RequestPlan, text: String) -> ChatRequest {
    let without_limits = |mut options: Map<String, Value>| {
        options.retain(|name, _| !LIMITS.contains(&&**name));
        options
    };
    let head = Head {
        settings: ChatSettings {
            // Those of the folder, too.
            parameters: without_limits(chat.head.effective_parameters()),
            ..chat.head.settings.beside_conversation()
        },
        inherited: Inherited::default(),
        ..chat.head.clone()
    };
    let prompt = RequestPlan {
        text,
        parameters: without_limits(prompt.parameters.clone()),
        ..prompt.clone()
    };
    prompt.request(chat, &head, &Window::default())
}

/// A message of the transcript.
pub fn quoted(role: Role, text: &str) -> String {
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
pub fn quoted_message(message: &Message) -> String {
    quoted(message.role, &message.sent_text(false))
}
