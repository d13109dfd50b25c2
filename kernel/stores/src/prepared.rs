//! An answer that is about to be requested, and what decides its request.

use sash_chat::window::{Estimate, Size, ToolLimit, ToolRounds, Window};
use sash_chat::{Chat, Head, Id, Image, Message, Tool};
use sash_wire::{ChatRequest, RequestPlan};

/// What decides the request of an answer, besides the messages of its chat. Kept while the answer runs: if the model
/// calls tools, the next request is the same but for what came since.
#[derive(Clone)]
pub struct RequestBasis {
    pub(crate) prompt: RequestPlan,
    pub(crate) head: Head,
    pub(crate) window: Window,
    pub(crate) estimate: Estimate,
}

impl RequestBasis {
    /// The tools that the model may call.
    pub fn tools(&self) -> &[Tool] {
        &self.window.tools
    }

    /// The limit for which the calls that the request ends with are not answered without the person.
    pub fn limit(&self) -> Option<ToolLimit> {
        let messages = self.prompt.rounds.clone();
        ToolRounds { messages }.limit()
    }

    /// What decides the request after an answer that calls tools, whose own request this decided.
    #[must_use]
    pub fn after(mut self, caller: Message) -> Self {
        self.prompt.rounds.push(caller);
        self
    }

    /// The request for the messages of `chat`. `answer` is the message that the answer becomes, without its receipt.
    pub(crate) fn prepare(self, chat: &Chat, answer: Message) -> PreparedAnswer {
        let Self {
            prompt,
            head,
            window,
            estimate,
            ..
        } = &self;
        PreparedAnswer {
            chat: chat.head.id,
            answer: Message {
                model: Some(prompt.model.clone()),
                receipt: Some(prompt.receipt(chat, head, window, *estimate)),
                ..answer
            },
            request: prompt.request(chat, head, window),
            images: prompt.sent_images(chat, window),
            size: prompt.size(window),
            basis: self,
        }
    }
}

/// An answer that is about to be requested.
pub(crate) struct PreparedAnswer {
    pub(crate) chat: Id,
    pub(crate) answer: Message,
    pub(crate) request: ChatRequest,
    /// The images of each message of the request.
    pub(crate) images: Vec<Vec<Image>>,
    /// The size of the request, to calibrate the estimate with the model's count.
    pub(crate) size: Size,
    pub(crate) basis: RequestBasis,
}
