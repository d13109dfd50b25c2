//! What is asked of the answers: to begin one, to read on, to stop it, and which there are.

use super::kept_answers::KeptAnswers;
use super::reader::AnswerReader;
use super::writer::AnswerWriter;
use crate::server::relay::Relay;
use futures::future::BoxFuture;
use sash_chat::AnswerId;
use sash_wire::{Fault, KeptAnswer, KeptRequest, MAX_KEPT_IDS, ResumeRequest, StopRequest};
use std::net::IpAddr;
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::oneshot;
use tokio::time::Instant;

impl KeptAnswers {
    /// Begins an answer in a task of its own, with the stream that `opening` opens, and waits until it is open. Returns
    /// its first reader, and whether the frames are kept.
    ///
    /// # Errors
    /// The fault of `opening`, [`Fault::AnswerStopped`] if a stop arrived before the request, and
    /// [`Fault::InvalidField`] if the id is taken.
    pub(super) async fn open(
        self: &Arc<Self>,
        id: AnswerId,
        client: IpAddr,
        keep_alive: Duration,
        opening: BoxFuture<'static, Result<Relay, Fault>>,
    ) -> Result<(AnswerReader, bool), Fault> {
        let joined = self.table().begin(id, client, Instant::now())?;
        let is_kept = joined.is_kept;
        let writer = AnswerWriter::new(Arc::clone(self), id, &joined);
        let reader = AnswerReader::new(Arc::clone(self), id, joined, keep_alive);
        let (opened, answered) = oneshot::channel();
        self.spawn(writer.run(opening, opened));
        answered.await.map_err(|_| Fault::Internal)??;
        Ok((reader, is_kept))
    }

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
