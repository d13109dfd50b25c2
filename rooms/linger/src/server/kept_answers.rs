//! The table of answers behind a lock, and the tasks that write them.

use super::limits::LingerLimits;
use super::model_turns::ModelTurns;
use super::table::AnswerTable;
use crate::kept::{KeptAnswer, KeptRequest, MAX_KEPT_IDS};
use sash_wire::Fault;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};
use tokio::task::JoinSet;

/// The answers with an id, those that are written and those that have ended. The tasks end with it, and at the latest
/// with [`Self::shutdown`].
#[derive(Debug)]
pub struct KeptAnswers {
    table: Mutex<AnswerTable>,
    tasks: Mutex<JoinSet<()>>,
    turns: Mutex<ModelTurns>,
    prompts: AtomicU64,
}

impl KeptAnswers {
    /// No answers.
    #[must_use]
    pub fn new(limits: LingerLimits) -> Self {
        Self {
            table: Mutex::new(AnswerTable::new(limits)),
            tasks: Mutex::default(),
            turns: Mutex::default(),
            prompts: AtomicU64::new(0),
        }
    }

    /// The table. Nothing waits while it is locked.
    pub(super) fn table(&self) -> MutexGuard<'_, AnswerTable> {
        self.table.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// What is known of the models. Nothing waits while it is locked.
    pub(super) fn turns(&self) -> MutexGuard<'_, ModelTurns> {
        self.turns.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The number of the next prompt.
    pub(super) fn next_prompt(&self) -> u64 {
        self.prompts.fetch_add(1, Ordering::Relaxed)
    }

    /// Starts the task of an answer.
    pub(super) fn spawn(&self, task: impl Future<Output = ()> + Send + 'static) {
        let mut tasks = self.tasks.lock().unwrap_or_else(PoisonError::into_inner);
        while let Some(ended) = tasks.try_join_next() {
            if let Err(error) = ended {
                tracing::error!("the task of an answer failed: {error}");
            }
        }
        tasks.spawn(task);
    }

    /// Ends all tasks, and with them the requests to the engines.
    pub async fn shutdown(&self) {
        let mut tasks =
            std::mem::take(&mut *self.tasks.lock().unwrap_or_else(PoisonError::into_inner));
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
