//! The cost of an answer so far, and its speed.

use super::Answers;
use crate::running::MIN_TIME_MS;
use reactive_graph::graph::untrack;
use sash_chat::window::Size;
use sash_chat::{Id, Message, ModelId};

/// The tokens of an answer, and the time in which they were written.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct AnswerFigures {
    /// Tokens, thinking included.
    pub tokens: u64,
    /// Whether these are estimated: engines count them at the end, and some not at all.
    pub is_estimated: bool,
    /// Milliseconds since the first token, or from the first to the last one; `None` where that is not known.
    pub ms: Option<f64>,
    /// Tokens a second; `None` in the first second of a running answer, and below one.
    pub speed: Option<u64>,
}

impl AnswerFigures {
    /// The figures of so many tokens; `None` where there are none. A speed is told from `least` milliseconds on.
    fn new(tokens: u64, is_estimated: bool, ms: Option<f64>, least: f64) -> Option<Self> {
        let ms = ms.filter(|ms| *ms > 0.0);
        let told = ms.filter(|ms| *ms >= least && tokens > 0);
        let speed = told.map(|ms| (tokens as f64 * 1000.0 / ms).round() as u64);
        (tokens > 0).then(|| Self {
            tokens,
            is_estimated,
            ms,
            speed: speed.filter(|speed| *speed > 0),
        })
    }
}

impl Answers {
    /// The figures of an answer of the open chat: of a running one so far, of an ended one what its receipt says, as far
    /// as it says it. `None` before the first token, and for an answer without anything.
    pub fn figures_of(self, id: Id) -> Option<AnswerFigures> {
        let now = self.edges.monotonic();
        let running = self.running.with(id, |running| {
            let message = &running.message;
            let size = size_since(message, running.begun);
            (running.time_since_first(now), size, message.model_id())
        });
        if let Some((since, size, model)) = running {
            let tokens = untrack(|| self.tokens_of(size, model));
            return AnswerFigures::new(tokens, true, since, MIN_TIME_MS);
        }
        self.chats()
            .with_message(id, |message| self.figures_of_ended(message))?
    }

    fn figures_of_ended(self, message: &Message) -> Option<AnswerFigures> {
        let receipt = message.receipt.as_ref();
        let counted = receipt.and_then(|receipt| receipt.answer_tokens);
        // What an answer carries on was written before: times are those of the rest.
        let continued = receipt.and_then(|receipt| receipt.continued);
        let begun = continued.map(|former| {
            let lengths = |former: &Message| (former.content.len(), former.thinking.len());
            self.chats().with_message(former, lengths)
        });
        let is_known = counted.is_some() || begun != Some(None);
        let tokens = counted.unwrap_or_else(|| {
            let begun = begun.flatten().unwrap_or_default();
            self.tokens_of(size_since(message, begun), message.model_id())
        });
        let ms = receipt.and_then(|receipt| receipt.answer_ms);
        let ms = ms.filter(|_| is_known);
        AnswerFigures::new(tokens, counted.is_none(), ms, 0.0)
    }

    fn tokens_of(self, size: Size, model: Option<ModelId>) -> u64 {
        let model = model.unwrap_or_default();
        self.steering().estimate_of(&model).part(size)
    }
}

/// The size of the text and the thinking of an answer, from these lengths on.
fn size_since(message: &Message, (text, thought): (usize, usize)) -> Size {
    let since = |text: &str, begun: usize| Size::of_part(text.get(begun..).unwrap_or_default());
    since(&message.content, text) + since(&message.thinking, thought)
}
