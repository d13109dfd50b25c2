//! What is asked of the answers: to read on, to stop one, and which there are.

use super::kept_answers::KeptAnswers;
use super::reader::AnswerReader;
use sash_chat::AnswerId;
use sash_wire::{Fault, KeptAnswer, KeptRequest, MAX_KEPT_IDS, ResumeRequest, StopRequest};
use std::net::IpAddr;
use std::sync::Arc;
use std::time::Duration;
use tokio::time::Instant;

impl KeptAnswers {
    /// A reader of the frames behind those that the page has.
    ///
    /// # Errors
    /// [`Fault::UnknownAnswer`], [`Fault::AnswerStopped`], and [`Fault::InvalidField`] if the answer has fewer frames.
    pub fn resume(
        self: &Arc<Self>,
        ResumeRequest { id, after }: ResumeRequest,
        keep_alive: Duration,
    ) -> Result<AnswerReader, Fault> {
        let joined = self.table().join(id, after, Instant::now())?;
        Ok(AnswerReader::new(Arc::clone(self), id, joined, keep_alive))
    }

    /// Stops an answer and forgets its frames. For an id that is not known, the request that arrives with it within two
    /// minutes is not answered.
    pub fn stop(&self, client: IpAddr, StopRequest { id }: StopRequest) {
        self.table().stop(id, client, Instant::now());
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
