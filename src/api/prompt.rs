//! From a window to the request that carries it and the receipt that records it. The preview, the sending
//! and the tests all come through here.

use crate::chat::{Chat, Head, Id, Receipt, TokenCount};
use crate::window::{Estimate, Size, Window, turns};
use crate::wire::{ChatRequest, ContextMessage, Upstream};
use serde_json::{Map, Value};

/// A prompt with what goes along: all that decides a request beside the log.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Prompt {
    /// The name of the model.
    pub model: String,
    /// What is asked, white space included.
    pub text: String,
    /// The message of the log it is, if it is there already.
    pub question: Option<Id>,
    /// Ollama's options.
    pub options: Map<String, Value>,
    /// Which server answers.
    pub upstream: Upstream,
    /// Tokens of context the model has loaded.
    pub context_length: Option<u64>,
}

impl Prompt {
    /// The request that carries `window` and this prompt. `head` is what chose the window: the chat's own,
    /// or one that was only tried.
    #[must_use]
    pub fn request(&self, chat: &Chat, head: &Head, window: &Window) -> ChatRequest {
        let mut turns = turns(chat, window, &self.text, self.question);
        let prompt = turns.pop().map(|turn| turn.content).unwrap_or_default();
        ChatRequest {
            model: self.model.clone(),
            prompt,
            context: turns
                .into_iter()
                .map(|turn| ContextMessage {
                    role: turn.role,
                    content: turn.content,
                    tool_calls: turn.tool_calls,
                    tool_name: turn.tool_name,
                    ..ContextMessage::default()
                })
                .collect(),
            system: head.system_at(head.system).map(str::to_owned),
            options: Some(self.options.clone()).filter(|options| !options.is_empty()),
            upstream: self.upstream,
            ..ChatRequest::default()
        }
    }

    /// The receipt of that request, to be completed when the answer ends.
    #[must_use]
    pub fn receipt(&self, head: &Head, window: &Window, estimate: Estimate) -> Receipt {
        Receipt {
            sent: window.ids().into_iter().chain(self.question).collect(),
            policy: head.policy,
            system: head.system,
            options: Some(Value::Object(self.options.clone())).filter(|_| !self.options.is_empty()),
            prompt_tokens: TokenCount {
                estimated: estimate.whole(self.size(window)),
                counted: None,
            },
            context_length: self.context_length,
            ..Receipt::default()
        }
    }

    /// How large the request is.
    #[must_use]
    pub fn size(&self, window: &Window) -> Size {
        window.size_with(&self.text)
    }
}
