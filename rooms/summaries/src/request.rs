//! The request for a summary.

use sash_chat::window::{ContextFit, Estimate, Size};
use sash_chat::{Chat, Id, Message, Summary};
use sash_stores::side_request::{quoted_message, side_request};
use sash_text::fenced;
use sash_wire::{ChatRequest, RequestPlan};

const INSTRUCTION: &str = "Summarise the conversation below in at most 200 words, for someone who has to continue it \
without having read it. Keep names, numbers, decisions, reasons and open questions. Add nothing that is not in it. \
Write in the language of the conversation. Write the summary alone, without a heading.";

/// The request for a summary of `messages` of the shown branch, which go on where the `former` summary ends, and the summary
/// that it makes, without its text. As many of them as fit into the context; `None` if not even the first does.
pub fn summary_request(
    chat: &Chat,
    messages: &[Id],
    former: Option<&Summary>,
    prompt: &RequestPlan,
    estimate: Estimate,
    context: u64,
) -> Option<(ChatRequest, Summary)> {
    let cost = |text: &str| estimate.part(Size::of(text));
    let mut text = INSTRUCTION.to_owned();
    if let Some(former) = former {
        text += "\n\nWhat was before, as a summary of its own that yours replaces:\n\n";
        text += &fenced(former.text.trim());
    }
    text += "\n\nThe conversation:";
    let room = context.saturating_sub(ContextFit::answer(context));
    let mut left = room.checked_sub(cost(&text))?;
    let mut covered: Vec<&Message> = Vec::new();
    for message in messages.iter().filter_map(|id| chat.get(*id)) {
        let said = quoted_message(message);
        let Some(rest) = left.checked_sub(cost(&said)) else {
            break;
        };
        left = rest;
        text += &said;
        covered.push(message);
    }
    let (first, last) = (covered.first()?, covered.last()?);
    let counted = covered.iter().filter(|m| !m.is_in_tool_round()).count();
    let covers = Summary {
        number: 0,
        text: String::new(),
        from: former.map_or(first.id, |former| former.from),
        through: last.id,
        count: former.map_or(0, |former| former.count) + u32::try_from(counted).ok()?,
        model: Some(prompt.model.clone()),
        prompt_tokens: None,
        answer_tokens: None,
        created: 0,
        edited: false,
        cut_off: false,
    };
    Some((side_request(chat, prompt, text), covers))
}
