//! The table of answers behind a lock, and the tasks that write them.

use super::limits::LingerLimits;
use super::model_turns::ModelTurns;
use super::table::AnswerTable;
use crate::kept_answer::{KeptAnswer, KeptRequest, MAX_KEPT_IDS};
use sash_wire::Fault;
use std::sync::{Mutex, MutexGuard, PoisonError};
use tokio::task::JoinSet;

/// The answers with an id, those that are written and those that have ended. The tasks end with it, and at the latest
/// with [`Self::shutdown`].
#[derive(Debug)]
pub struct KeptAnswers {
    table: Mutex<AnswerTable>,
    tasks: Mutex<JoinSet<()>>,
    turns: Mutex<ModelTurns>,
}

/// Locks what nothing waits in while it is locked.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl KeptAnswers {
    /// No answers.
    #[must_use]
    pub fn new(limits: LingerLimits) -> Self {
        Self {
            table: Mutex::new(AnswerTable::new(limits)),
            tasks: Mutex::default(),
            turns: Mutex::default(),
        }
    }

    pub(super) fn table(&self) -> MutexGuard<'_, AnswerTable> {
        lock(&self.table)
    }

    pub(super) fn turns(&self) -> MutexGuard<'_, ModelTurns> {
        lock(&self.turns)
    }

    /// Starts the task of an answer.
    pub(super) fn spawn(&self, task: impl Future<Output = ()> + Send + 'static) {
        let mut tasks = lock(&self.tasks);
        while let Some(ended) = tasks.try_join_next() {
            if let Err(error) = ended {
                tracing::error!("the task of an answer failed: {error}");
            }
        }
        tasks.spawn(task);
    }

    /// Ends all tasks, and with them the requests to the engines.
    pub async fn shutdown(&self) {
        let mut tasks = std::mem::take(&mut *lock(&self.tasks));
        tasks.shutdown().await;
    }

    /// Those of the ids whose frames are kept.
    ///
    /// # Errors
    /// [`Fault::InvalidField`] for too many ids.
    pub fn kept(&self, KeptRequest { ids }: &KeptRequest) -> Result<Vec<KeptAnswer>, Fault> {
        if ids.len() > MAX_KEPT_IDS {
            return Err(Fault::InvalidField {
                field: "ids".to_owned(),
                reason: format!("at most {MAX_KEPT_IDS} ids can be asked for"),
            });
        }
        let table = self.table();
        Ok(ids.iter().filter_map(|id| table.kept(*id)).collect())
    }
}
