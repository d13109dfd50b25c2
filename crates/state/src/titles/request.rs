//! What the model reads to write a title.

use crate::side_request::quoted;
use sash_chat::{Chat, Role};

const INSTRUCTION: &str = "Write a title for the conversation below, of at most six words, in the language of the \
conversation. Write the title alone, without quotes and without a full stop.";

/// So much of the first question and of its answer goes with the request, in characters.
const MAX_QUOTED_CHARS: usize = 1_500;

/// The request's text: the first question of the shown branch and its answer. `None` in an empty chat.
pub(super) fn title_prompt(chat: &Chat) -> Option<String> {
    let path = chat.path();
    let question = path.iter().find(|message| message.role == Role::User)?;
    let mut after = path.iter().skip_while(|message| message.id != question.id);
    let is_answer = |role: Role| role == Role::Assistant;
    let answer = after.find(|message| is_answer(message.role) && message.is_sendable());
    let mut text = format!("{INSTRUCTION}\n\nThe conversation:");
    for message in [Some(question), answer].into_iter().flatten() {
        let said: String = message.content.chars().take(MAX_QUOTED_CHARS).collect();
        text += &quoted(message.role, &said);
    }
    Some(text)
}
