//! The kept answers as the server's keeper.

use super::kept_answers::KeptAnswers;
use super::permit::acquire;
use super::turn::ModelTurn;
use crate::server::engine::Engine;
use crate::server::hooks::{Keeper, ModelPlace, PromptWatch, WatchedPrompt};
use crate::server::relay::Relay;
use bytes::Bytes;
use futures::future::BoxFuture;
use futures::stream::BoxStream;
use futures::{FutureExt, StreamExt};
use sash_chat::AnswerId;
use sash_wire::{ChatRequest, Fault};
use std::net::IpAddr;
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

impl Keeper for KeptAnswers {
    fn begin(
        self: Arc<Self>,
        id: AnswerId,
        client: IpAddr,
        keep_alive: Duration,
        opening: BoxFuture<'static, Result<Relay, Fault>>,
    ) -> BoxFuture<'static, Result<(BoxStream<'static, Bytes>, bool), Fault>> {
        async move {
            let (reader, is_kept) = self.open(id, client, keep_alive, opening).await?;
            Ok((reader.into_stream().boxed(), is_kept))
        }
        .boxed()
    }

    fn has_unread(&self) -> bool {
        self.table().next_to_give_way().is_some()
    }

    fn acquire<'a>(
        &'a self,
        permits: &'a Arc<Semaphore>,
        limit: usize,
    ) -> BoxFuture<'a, Result<OwnedSemaphorePermit, Fault>> {
        acquire(self, permits, limit).boxed()
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
