//! A prompt at its model. Ollama and `llama-server` send nothing, no header either, to one that waits for its turn, and just
//! as little while they read it. Answers of the model that nobody reads give way to one that waits, and not to one that is
//! long to read: a `llama-server` is asked, and of another engine the time tells.

use super::answers::KeptAnswers;
use super::entry::Serial;
use sash_server::engine::{Engine, ModelSlots};
use sash_server::hooks::{ModelPlace, WatchedPrompt};
use sash_wire::{ChatRequest, Usage};
use std::sync::Arc;
use std::time::Duration;
use tokio::task::AbortHandle;
use tokio::time::{Instant, sleep};

/// How long the permit of an answer that gave way may take to be free, before another one gives way too.
pub(super) const RELEASE_TIME: Duration = Duration::from_secs(1);

/// About how many tokens an image is at most.
const IMAGE_TOKENS: usize = 1000;
/// The bytes of a token in the texts that have most of them.
const TOKEN_BYTES: usize = 3;

/// A prompt at its model, from before it is sent until its answer has ended.
pub struct ModelTurn {
    answers: Arc<KeptAnswers>,
    model: ModelPlace,
    number: u64,
    /// Makes answers give way, until the first line.
    waiting: Option<AbortHandle>,
}

/// A prompt that its engine has not begun to answer.
struct WaitingPrompt {
    answers: Arc<KeptAnswers>,
    engine: Arc<dyn Engine>,
    model: ModelPlace,
    /// The last answer that was begun before it. It does not wait for later ones.
    last_before: Serial,
    /// About how many tokens it has.
    tokens: u64,
}

impl ModelTurn {
    /// Begins to wait for the model.
    pub fn new(answers: Arc<KeptAnswers>, engine: &Arc<dyn Engine>, request: &ChatRequest) -> Self {
        let model = ModelPlace {
            engine: engine.info().name.clone(),
            model: request.model.clone(),
        };
        let waiting = WaitingPrompt {
            answers: Arc::clone(&answers),
            engine: Arc::clone(engine),
            model: model.clone(),
            last_before: answers.table().set_model(request.answer_id, &model),
            tokens: most_tokens(request),
        };
        let number = answers.turns().begin(&model);
        Self {
            number,
            answers,
            model,
            waiting: Some(tokio::spawn(waiting.run()).abort_handle()),
        }
    }
}

impl WatchedPrompt for ModelTurn {
    /// The prompt does not wait any more.
    fn hear(&mut self) {
        if let Some(waiting) = self.waiting.take() {
            waiting.abort();
        }
    }

    fn write(&mut self) {
        let mut turns = self.answers.turns();
        turns.write(&self.model, self.number, Instant::now());
    }

    fn end(&mut self, usage: &Usage) {
        let mut turns = self.answers.turns();
        turns.record_usage(&self.model, usage);
        turns.end(&self.model, self.number);
    }
}

impl Drop for ModelTurn {
    fn drop(&mut self) {
        self.hear();
        self.answers.turns().end(&self.model, self.number);
    }
}

impl WaitingPrompt {
    async fn run(self) {
        let turn_time = self.answers.table().limits.turn_time;
        let mut since = Instant::now();
        sleep(turn_time).await;
        loop {
            if self.next().is_some() && self.waits(since.elapsed().max(turn_time)).await
                // Meanwhile a page may have returned to it.
                && let Some(id) = self.next()
            {
                tracing::info!("an answer that nobody reads gives way to a prompt of its model");
                self.answers.table().give_way(id);
                since = Instant::now();
            }
            sleep(RELEASE_TIME).await;
        }
    }

    /// The answer that gives way now.
    fn next(&self) -> Option<sash_chat::AnswerId> {
        let next = self
            .answers
            .table()
            .next_of_model(&self.model, self.last_before);
        let (id, due) = next?;
        (due <= Instant::now()).then_some(id)
    }

    /// Whether the prompt waits for its turn, to which its engine has been silent for so long.
    async fn waits(&self, silence: Duration) -> bool {
        let slots = self.engine.slots(&self.model.model).await;
        let turns = self.answers.turns();
        match slots {
            Ok(Some(ModelSlots { idle: 1.., .. })) => false,
            // The one that is read may be this one, unless more are asked for than there are slots.
            Ok(Some(slots)) => {
                slots.reading == 0 || turns.prompts(&self.model) > slots.reading + slots.writing
            }
            Ok(None) | Err(_) => {
                let patience = 2 * turns.reading_time(&self.model, self.tokens);
                !turns.run_together(&self.model) && silence >= patience
            }
        }
    }
}

/// About how many tokens a prompt is at most. Only lengths are looked at: a prompt may have megabytes.
fn most_tokens(request: &ChatRequest) -> u64 {
    let system = request.system.as_ref().map_or(0, String::len);
    let context = request.context.iter();
    let context: usize = context.map(|message| message.content.len()).sum();
    let bytes = system + context + request.prompt.len();
    let images = request.context.iter().map(|message| message.images.len());
    let images = images.sum::<usize>() + request.images.len();
    (bytes / TOKEN_BYTES + images * IMAGE_TOKENS) as u64
}
