//! Renders messages into a prompt, and drops messages when it is too long.

use super::call::{CallMessage, ThinkField};
use super::models::{Path, ServedModel};
use super::template::Template;

/// A rendered prompt.
#[derive(Clone, Debug)]
pub struct RenderedPrompt {
    /// The text.
    pub text: String,
    /// Its tokens.
    pub ids: Vec<u32>,
    /// The messages in it.
    pub messages: Vec<CallMessage>,
}

/// Renders these messages for a model.
pub fn render(
    model: &ServedModel,
    messages: Vec<CallMessage>,
    think: ThinkField,
) -> RenderedPrompt {
    let mut text = String::new();
    let mut add = |role: &str, content: &str| {
        text.push_str("<|im_start|>");
        text.push_str(role);
        text.push('\n');
        text.push_str(content);
        text.push_str("<|im_end|>\n");
    };
    for message in merged(model.path, &messages) {
        add(&message.role, &message.content);
    }
    if carries_on(model, &messages, think) {
        // The answer that stands last stays open.
        text.truncate(text.len() - "<|im_end|>\n".len());
        let ids = model.tokenizer.prompt(&text);
        return RenderedPrompt {
            text,
            ids,
            messages,
        };
    }
    text.push_str("<|im_start|>assistant\n");
    if model.template == Template::ThinkingLevels
        && let Some(level) = think.level
    {
        text.push_str(&format!("Reasoning: {level}\n"));
    }
    match model.template {
        Template::Thinking | Template::ThinkingLevels if !think.on => {
            text.push_str("<think>\n\n</think>\n\n");
        }
        Template::Thinking | Template::ThinkingLevels | Template::OpenThinking => {
            text.push_str("<think>\n");
        }
        _ => {}
    }
    let ids = model.tokenizer.prompt(&text);
    RenderedPrompt {
        text,
        ids,
        messages,
    }
}

/// Whether the model carries on an answer that stands last, which it does unless it is to think.
fn carries_on(model: &ServedModel, messages: &[CallMessage], think: ThinkField) -> bool {
    let thinks = match model.template {
        Template::Thinking | Template::ThinkingLevels => think.on,
        Template::OpenThinking => true,
        _ => false,
    };
    let last = messages.last();
    !thinks && last.is_some_and(|last| last.role == "assistant" && !last.calls)
}

/// On the rendered path, neighbours of one role are merged with a blank line between them.
fn merged(path: Path, messages: &[CallMessage]) -> Vec<CallMessage> {
    let mut out: Vec<CallMessage> = Vec::with_capacity(messages.len());
    for message in messages {
        match out.last_mut() {
            Some(last)
                if path == Path::Rendered && last.role == message.role && last.role != "tool" =>
            {
                last.content.push_str("\n\n");
                last.content.push_str(&message.content);
                last.images.extend(&message.images);
            }
            _ => out.push(message.clone()),
        }
    }
    out
}

/// Drops old messages as Ollama does: the first rendering that fits, of all system messages before `i` and
/// all messages from `i` on, but at least the last message (`server/prompt.go`).
pub fn fit(
    model: &ServedModel,
    messages: Vec<CallMessage>,
    think: ThinkField,
    num_ctx: u64,
) -> RenderedPrompt {
    let last = messages.len().saturating_sub(1);
    let mut from = 0;
    loop {
        let kept: Vec<CallMessage> = messages
            .iter()
            .enumerate()
            .filter(|(at, message)| *at >= from || message.role == "system")
            .map(|(_, message)| message.clone())
            .collect();
        let prompt = render(model, kept, think);
        if from >= last || prompt.ids.len() as u64 <= num_ctx {
            return prompt;
        }
        from += 1;
    }
}

/// Cuts the middle of a prompt that is still too long (rendered path only): the first and the last tokens
/// stay (`llm/llama_server.go`). `num_keep` does not count the beginning-of-text token.
pub fn cut_middle(ids: &mut Vec<u32>, num_ctx: u64, num_keep: u64) {
    let all = ids.len() as u64;
    if num_ctx == 0 || all < num_ctx {
        return;
    }
    let keep = (num_keep + 1).min(num_ctx - 1);
    let limit = num_ctx - ((num_ctx - keep) / 2).max(1);
    let cut_to = all - (limit - keep);
    let index = |n: u64| usize::try_from(n).unwrap_or(usize::MAX);
    ids.drain(index(keep)..index(cut_to));
}

/// The runner's context: `num_ctx` rounded up to a multiple of 256.
pub fn padded(num_ctx: u64) -> u64 {
    num_ctx.div_ceil(256) * 256
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::models::AnswerStyle;

    fn message(role: &str, content: &str) -> CallMessage {
        CallMessage {
            role: role.to_owned(),
            content: content.to_owned(),
            ..CallMessage::default()
        }
    }

    #[test]
    fn an_answer_that_stands_last_stays_open_unless_the_model_thinks() {
        let messages = vec![message("user", "count"), message("assistant", "one, ")];
        let model = ServedModel::tiny("tiny", Path::Rendered, AnswerStyle::Words);
        let open = render(&model, messages.clone(), false.into()).text;
        assert!(open.ends_with("<|im_start|>assistant\none, "), "{open}");
        let mut thinker = model;
        thinker.template = Template::Thinking;
        let closed = render(&thinker, messages, true.into()).text;
        assert!(
            closed.ends_with("one, <|im_end|>\n<|im_start|>assistant\n<think>\n"),
            "{closed}"
        );
    }

    #[test]
    fn cuts_the_middle_as_recorded() {
        let mut ids: Vec<u32> = (0..2623).collect();
        cut_middle(&mut ids, 128, 4);
        assert_eq!(ids.len(), 67);
        assert_eq!(ids[..6], [0, 1, 2, 3, 4, 2561]);
    }

    #[test]
    fn drops_the_oldest_and_keeps_the_system_prompt() {
        let model = ServedModel::tiny("tiny", Path::Rendered, AnswerStyle::Words);
        let messages = vec![
            message("system", "be brief"),
            message("user", &"a".repeat(50)),
            message("assistant", &"b".repeat(50)),
            message("user", "now"),
        ];
        let whole = render(&model, messages.clone(), true.into()).ids.len() as u64;
        let prompt = fit(&model, messages.clone(), true.into(), whole);
        assert_eq!(prompt.messages.len(), 4);
        let prompt = fit(&model, messages.clone(), true.into(), whole - 1);
        let roles: Vec<&str> = prompt.messages.iter().map(|m| m.role.as_str()).collect();
        assert_eq!(roles, ["system", "assistant", "user"]);
        let prompt = fit(&model, messages, true.into(), 1);
        assert_eq!(prompt.messages.len(), 2);
    }

    #[test]
    fn merges_neighbours_on_the_rendered_path_only() {
        let both = vec![message("user", "a"), message("user", "b")];
        let text = |path| {
            let model = ServedModel::tiny("x", path, AnswerStyle::Words);
            render(&model, both.clone(), true.into()).text
        };
        assert!(text(Path::Rendered).contains("a\n\nb"));
        assert!(text(Path::Native).contains("a<|im_end|>\n<|im_start|>user\nb"));
    }
}
