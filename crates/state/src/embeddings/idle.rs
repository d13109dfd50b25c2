//! Computes the vectors of messages while nothing else is to be done.

use super::model::ActiveModel;
use super::prefix::{TextKind, with_prefix};
use super::text_parts::{MAX_PARTS, text_parts};
use super::{EmbeddingState, Embeddings};
use crate::edges::HeldLock;
use futures::future::AbortHandle;
use reactive_graph::prelude::*;
use sash_chat::{Id, Message, Outcome};
use sash_search::vectors::{QuantizedVector, mean_direction};
use sash_wire::Fault;

/// The most texts of a request: a running one is thrown away when an answer begins, so it must be small.
const BATCH_TEXTS: usize = 16;
const _: () = assert!(MAX_PARTS <= BATCH_TEXTS, "each message fits into a request");

/// Whether the text of a message stays as it is. That of an interrupted answer may be one that another tab is writing.
fn is_final(message: &Message) -> bool {
    message.is_sendable() && message.outcome != Outcome::Interrupted
}

/// The lock of the tab that computes: two tabs would compute the same.
const LOCK: &str = "sash:embeddings";

/// A message and its parts.
struct Missing {
    message: Id,
    parts: Vec<String>,
}

impl Embeddings {
    pub(super) fn start(self) {
        if !self.may_ask() || self.is_paused() {
            return;
        }
        let (abort, registration) = AbortHandle::new_pair();
        self.known.update_value(|known| known.work = Some(abort));
        self.edges.spawn_abortable(registration, async move {
            let ended = self.work().await;
            let has_failed = ended.is_err();
            self.known.update_value(|known| known.work = None);
            self.note(ended);
            if has_failed {
                self.update();
            }
        });
    }

    /// Computes what the open branch lacks, then what other chats lack if messages are recalled from them.
    async fn work(self) -> Result<(), Fault> {
        let model = self.model().await?;
        let _held = self.lock().await;
        let open = self.chats.open_id_untracked();
        self.read_kept(&model, open).await;
        // Reading what is kept took a while: another chat may be open by now.
        let missing = match self.chats.open_id_untracked() == open {
            true => self.missing_of_branch(&model),
            false => self.missing_of_chat(&model, open),
        };
        self.complete(&model, open, missing).await?;
        if !self.steering.recall_setting.get_untracked().all_chats {
            return Ok(());
        }
        for (chat, touched) in self.chats.touched_times() {
            let is_complete = self
                .known
                .with_value(|known| known.complete.get(&chat) == Some(&touched));
            if chat == open || is_complete {
                continue;
            }
            self.read_kept(&model, chat).await;
            self.complete(&model, chat, self.missing_of_chat(&model, chat))
                .await?;
            self.known
                .update_value(|known| _ = known.complete.insert(chat, touched));
            self.edges.pause().await;
        }
        Ok(())
    }

    /// Waits until no other tab computes. What that one kept is read then.
    async fn lock(self) -> HeldLock {
        let is_held = self
            .edges
            .with_locks(|locks| locks.is_held(LOCK.to_owned()));
        if is_held.await {
            let free = self
                .edges
                .with_locks(|locks| locks.wait_until_free(LOCK.to_owned()));
            free.await;
            self.known.update_value(|known| known.read.clear());
        }
        self.edges
            .with_locks(|locks| locks.hold(LOCK, Box::new(|| {})))
    }

    /// Reads the vectors that are kept of a chat, once.
    async fn read_kept(self, model: &ActiveModel, chat: Id) {
        if self.known.with_value(|known| known.read.contains(&chat)) {
            return;
        }
        let name = model.kept_under.clone();
        let kept = self
            .edges
            .with_vectors(|vectors| vectors.read(name, chat))
            .await;
        let is_empty = kept.is_empty();
        self.known.update_value(|known| {
            known.read.insert(chat);
            for (message, bytes) in kept {
                if let Some(vector) = QuantizedVector::from_bytes(&bytes) {
                    known.index.add(chat, message, &vector);
                }
            }
        });
        if !is_empty {
            self.tell_news();
        }
    }

    fn missing_of_branch(self, model: &ActiveModel) -> Vec<Missing> {
        self.chats.open.with_untracked(|chat| {
            let path = chat.path();
            self.missing(model, chat.head.id, &mut path.into_iter())
        })
    }

    fn missing_of_chat(self, model: &ActiveModel, chat: Id) -> Vec<Missing> {
        let loaded = self.storage.with_log(|log| log.load(chat)).flatten();
        let missing = loaded.map(|loaded| self.missing(model, chat, &mut loaded.messages()));
        missing.unwrap_or_default()
    }

    fn missing(
        self,
        model: &ActiveModel,
        chat: Id,
        messages: &mut dyn Iterator<Item = &Message>,
    ) -> Vec<Missing> {
        self.known.with_value(|known| {
            let mut missing = Vec::new();
            for message in messages.filter(|message| is_final(message)) {
                let key = (chat, message.id);
                if known.index.contains(chat, message.id) || known.skipped.contains(&key) {
                    continue;
                }
                let parts = text_parts(&message.content).into_iter();
                let parts = parts.map(|part| with_prefix(&model.id.name, TextKind::Message, part));
                let parts: Vec<String> = parts.collect();
                if !parts.is_empty() {
                    let message = message.id;
                    missing.push(Missing { message, parts });
                }
            }
            missing
        })
    }

    /// Asks for the vectors of these messages, in batches, and keeps them.
    async fn complete(
        self,
        model: &ActiveModel,
        chat: Id,
        missing: Vec<Missing>,
    ) -> Result<(), Fault> {
        let mut left = missing.len();
        let mut missing = missing.into_iter().peekable();
        while left > 0 {
            self.state.set(EmbeddingState::Working { left });
            let (mut texts, mut batch) = (Vec::new(), Vec::new());
            while let Some(Missing { message, parts }) =
                missing.next_if(|next| texts.len() + next.parts.len() <= BATCH_TEXTS)
            {
                batch.push((message, parts.len()));
                texts.extend(parts);
            }
            left = left.saturating_sub(batch.len());
            let mut vectors = self.ask(model, texts).await?.into_iter();
            let mut kept = Vec::new();
            self.known.update_value(|known| {
                for (message, parts) in batch {
                    let parts: Vec<Vec<f32>> = vectors.by_ref().take(parts).collect();
                    let vector = mean_direction(&parts);
                    match vector.filter(|vector| known.index.add(chat, message, vector)) {
                        Some(vector) => kept.push((message, vector.to_bytes())),
                        None => _ = known.skipped.insert((chat, message)),
                    }
                }
            });
            let name = model.kept_under.clone();
            let keep = self
                .edges
                .with_vectors(|vectors| vectors.keep(name, chat, kept));
            keep.await;
            self.tell_news();
        }
        Ok(())
    }
}
