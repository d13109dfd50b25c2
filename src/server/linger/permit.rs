//! What a prompt waits for: the permit to generate, and the model's turn. A closed tab cannot be told from a reload, so
//! an answer without a reader goes on for a while; then it gives way to a prompt that waits.

use super::entry::ModelPlace;
use super::kept_answers::KeptAnswers;
use sash_chat::AnswerId;
use sash_wire::Fault;
use std::pin::pin;
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::task::AbortHandle;
use tokio::time::{Instant, sleep, sleep_until};

/// How long the permit of an answer that gave way may take to be free, before another one gives way too.
const RELEASE_TIME: Duration = Duration::from_secs(1);

/// A permit; waits for it while there are answers that nobody reads.
///
/// # Errors
/// [`Fault::TooManyAnswers`] if somebody reads every answer.
pub async fn acquire(
    answers: &KeptAnswers,
    permits: &Arc<Semaphore>,
    limit: usize,
) -> Result<OwnedSemaphorePermit, Fault> {
    if let Ok(permit) = Arc::clone(permits).try_acquire_owned() {
        return Ok(permit);
    }
    let mut permit = pin!(Arc::clone(permits).acquire_owned());
    loop {
        let next = answers.table().next_to_give_way();
        let Some((id, mut due)) = next else {
            return Err(Fault::TooManyAnswers { limit });
        };
        if due <= Instant::now() {
            tracing::info!("an answer that nobody reads gives way to a prompt");
            answers.table().give_way(id);
            due = Instant::now() + RELEASE_TIME;
        }
        tokio::select! {
            permit = &mut permit => return permit.map_err(|_| Fault::ServerStopping),
            () = sleep_until(due) => {}
        }
    }
}

/// A prompt that its engine has not begun to answer. Ollama and `llama-server` send nothing, no header either, to one that
/// waits for its turn at the model; meanwhile the model's answers that nobody reads give way. Dropped with the first line
/// of the answer.
pub struct WaitingPrompt(AbortHandle);

impl WaitingPrompt {
    /// Begins to wait. The id is that of the prompt's own answer.
    pub fn new(answers: &Arc<KeptAnswers>, id: Option<AnswerId>, model: ModelPlace) -> Self {
        if let Some(id) = id {
            answers.table().set_model(id, model.clone());
        }
        let answers = Arc::clone(answers);
        let turn_time = answers.table().turn_time();
        let clear = async move {
            sleep(turn_time).await;
            loop {
                let next = answers.table().next_of_model(&model, id);
                if let Some((id, _)) = next.filter(|(_, due)| *due <= Instant::now()) {
                    tracing::info!(
                        "an answer that nobody reads gives way to a prompt of its model"
                    );
                    answers.table().give_way(id);
                }
                sleep(RELEASE_TIME).await;
            }
        };
        Self(tokio::spawn(clear).abort_handle())
    }
}

impl Drop for WaitingPrompt {
    fn drop(&mut self) {
        self.0.abort();
    }
}
