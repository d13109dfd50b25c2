//! Cost and speed of the answers in the log.

use sash_chat::{Id, Message, ModelId, Outcome};
use sash_log::Key;
use sash_stores::{Kernel, Storage, TimeBudget};
use std::collections::BTreeMap;

/// The longest slice of reading in milliseconds, so that it delays no key press and no frame.
const SLICE_MS: f64 = 6.0;

/// What one answer cost, and how fast it came.
#[derive(Clone, Debug, PartialEq)]
pub struct AnswerMeasure {
    /// When it was asked for, in milliseconds since 1970.
    pub at: u64,
    /// Tokens that the model read for it.
    pub prompt_tokens: Option<u64>,
    /// Tokens that the model wrote, thinking included.
    pub answer_tokens: Option<u64>,
    /// Milliseconds from the request to the first token.
    pub first_token_ms: Option<u64>,
    /// Tokens a second while it was written.
    pub tokens_per_second: Option<f64>,
    /// Tokens that were read ahead since the prompt before, and those of them that it begins with.
    pub read_ahead: Option<(u64, u64)>,
}

impl AnswerMeasure {
    /// The key of an answer's model, and its measure; `None` for what is no answer of a model, or failed.
    fn of(message: &Message) -> Option<(String, Self)> {
        if matches!(message.outcome, Outcome::Failed(_)) {
            return None;
        }
        let receipt = message.receipt.as_ref()?;
        let asked = || ModelId::from_fields(receipt.engine.as_deref(), receipt.model.as_deref());
        let model = message.model_id().or_else(asked)?;
        let seconds = receipt.answer_ms.filter(|ms| *ms > 0.0);
        let speed = |tokens: u64| Some(tokens as f64 * 1000.0 / seconds?);
        let measure = Self {
            at: message.created,
            prompt_tokens: receipt.prompt_tokens.counted,
            answer_tokens: receipt.answer_tokens,
            first_token_ms: receipt.first_token_ms,
            tokens_per_second: receipt.answer_tokens.and_then(speed),
            read_ahead: receipt
                .read_ahead
                .filter(|ahead| ahead.read > 0)
                .map(|ahead| (ahead.read, ahead.used)),
        };
        Some((model.key().into_owned(), measure))
    }
}

/// The measures of all answers in the log, by the model's key: models of one name on two engines are two.
pub type Measures = BTreeMap<String, Vec<AnswerMeasure>>;

/// The measures of all answers that are not deleted, each model's oldest first. The log is read in slices.
pub async fn read_measures(kernel: Kernel) -> Measures {
    let storage = kernel.storage();
    let chats = storage.with_log(|log| log.chat_list());
    let mut measures = Measures::new();
    let mut budget = TimeBudget::new(kernel.edges(), SLICE_MS);
    for chat in chats.into_iter().flatten() {
        let keys = storage.with_log(|log| log.contents(chat.id));
        for key in keys.into_iter().flatten() {
            for (model, measure) in read_key(storage, chat.id, key) {
                measures.entry(model).or_default().push(measure);
            }
            budget.rest().await;
        }
    }
    for of_model in measures.values_mut() {
        of_model.sort_by_key(|measure| measure.at);
    }
    measures
}

fn read_key(storage: Storage, chat: Id, key: Key) -> Vec<(String, AnswerMeasure)> {
    let read = storage.with_log(|log| {
        let mut messages = log.messages_at(key);
        messages.retain(|message| !log.is_removed(chat, message.id));
        messages
    });
    let messages = read.unwrap_or_default();
    messages.iter().filter_map(AnswerMeasure::of).collect()
}
