//! What a prompt waits for first: the permit to generate. A closed tab cannot be told from a reload, so an answer without a
//! reader goes on for a while; then it gives way to a prompt that waits.

use super::kept_answers::KeptAnswers;
use sash_wire::Fault;
use std::pin::pin;
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::time::{Instant, sleep_until};

/// How long the permit of an answer that gave way may take to be free, before another one gives way too.
pub(super) const RELEASE_TIME: Duration = Duration::from_secs(1);

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
