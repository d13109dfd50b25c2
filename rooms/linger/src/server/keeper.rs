//! The answers as the server's keeper. A closed tab cannot be told
//! from a reload, so an answer without a reader goes on for a while; then it gives way to a prompt that waits for a permit
//! to generate.

use super::answers::KeptAnswers;
use super::reader::AnswerReader;
use super::turn::{ModelTurn, RELEASE_TIME};
use super::writer::AnswerWriter;
use bytes::Bytes;
use futures::future::BoxFuture;
use futures::stream::BoxStream;
use futures::{FutureExt, StreamExt};
use sash_chat::AnswerId;
use sash_server::engine::Engine;
use sash_server::hooks::{Keeper, ModelPlace, PromptWatch, WatchedPrompt};
use sash_server::relay::Relay;
use sash_wire::{ChatRequest, Fault, ResumeRequest, StopRequest};
use std::net::IpAddr;
use std::pin::pin;
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::{OwnedSemaphorePermit, Semaphore, oneshot};
use tokio::time::{Instant, sleep_until};

impl Keeper for KeptAnswers {
    /// Begins an answer in a task of its own.
    fn begin(
        self: Arc<Self>,
        id: AnswerId,
        client: IpAddr,
        keep_alive: Duration,
        opening: BoxFuture<'static, Result<Relay, Fault>>,
    ) -> BoxFuture<'static, Result<(BoxStream<'static, Bytes>, bool), Fault>> {
        async move {
            let joined = self.table().begin(id, client, Instant::now())?;
            let is_kept = joined.is_kept;
            let writer = AnswerWriter::new(Arc::clone(&self), id, &joined);
            let reader = AnswerReader::new(Arc::clone(&self), id, joined, keep_alive);
            let (opened, answered) = oneshot::channel();
            self.spawn(writer.run(opening, opened));
            answered.await.map_err(|_| Fault::Internal)??;
            Ok((reader.into_stream().boxed(), is_kept))
        }
        .boxed()
    }

    fn resume(
        self: Arc<Self>,
        ResumeRequest { id, after }: ResumeRequest,
        keep_alive: Duration,
    ) -> Result<BoxStream<'static, Bytes>, Fault> {
        let joined = self.table().join(id, after, Instant::now())?;
        let reader = AnswerReader::new(self, id, joined, keep_alive);
        Ok(reader.into_stream().boxed())
    }

    /// For an id that is not known, the request that arrives with it within two minutes is not answered.
    fn stop(&self, client: IpAddr, StopRequest { id }: StopRequest) {
        self.table().stop(id, client, Instant::now());
    }

    fn has_unread(&self) -> bool {
        self.table().next_to_give_way().is_some()
    }

    fn acquire<'a>(
        &'a self,
        permits: &'a Arc<Semaphore>,
        limit: usize,
    ) -> BoxFuture<'a, Result<OwnedSemaphorePermit, Fault>> {
        async move {
            if let Ok(permit) = Arc::clone(permits).try_acquire_owned() {
                return Ok(permit);
            }
            let mut permit = pin!(Arc::clone(permits).acquire_owned());
            loop {
                let next = self.table().next_to_give_way();
                let Some((id, mut due)) = next else {
                    return Err(Fault::TooManyAnswers { limit });
                };
                if due <= Instant::now() {
                    tracing::info!("an answer that nobody reads gives way to a prompt");
                    self.table().give_way(id);
                    due = Instant::now() + RELEASE_TIME;
                }
                tokio::select! {
                    permit = &mut permit => return permit.map_err(|_| Fault::ServerStopping),
                    () = sleep_until(due) => {}
                }
            }
        }
        .boxed()
    }
}

impl PromptWatch for KeptAnswers {
    fn begin(
        self: Arc<Self>,
        engine: &Arc<dyn Engine>,
        request: &ChatRequest,
    ) -> Box<dyn WatchedPrompt> {
        Box::new(ModelTurn::new(self, engine, request))
    }

    fn record_reading(&self, model: &ModelPlace, tokens: u64, ms: f64) {
        self.turns().record_reading(model, tokens, ms);
    }
}
