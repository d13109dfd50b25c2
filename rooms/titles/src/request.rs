//! The request for a title.

use sash_chat::window::readable;
use sash_chat::{Chat, Role};
use sash_stores::side_request::quoted;

const INSTRUCTION: &str = "Write a title for the conversation below, of at most six words, in the language of the \
conversation. Write the title alone, without quotes and without a full stop.";

/// So much of the first question and of its answer goes with the request, in characters.
const MAX_QUOTED_CHARS: usize = 1_500;

/// The request's text: the first question of the shown branch that the model may read, and its answer. `None` where there
/// is none.
pub fn title_prompt(chat: &Chat) -> Option<String> {
    let readable = readable(&chat.path(), &chat.effective_head(&chat.head));
    let mut readable = readable.into_iter();
    let question = readable.find(|message| message.role == Role::User)?;
    let mut after = readable.take_while(|message| message.role != Role::User);
    let answer = after.find(|message| !message.is_in_tool_round());
    let mut text = format!("{INSTRUCTION}\n\nThe conversation:");
    for message in [Some(question), answer].into_iter().flatten() {
        let said: String = message.content.chars().take(MAX_QUOTED_CHARS).collect();
        text += &quoted(message.role, &said);
    }
    Some(text)
}
