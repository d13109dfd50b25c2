//! Reads messages: computes the vectors that are missing, keeps them, and reads those that are kept.

use super::model::ActiveModel;
use super::{EmbeddingState, Embeddings};
use reactive_graph::prelude::*;
use sash_chat::window::ToolRounds;
use sash_chat::{Chat, Id, Message, Outcome};
use sash_search::recall::SITTING_GAP_MS;
use sash_search::vectors::{
    MAX_PARTS, QuantizedVector, TextKind, mean_direction, message_parts, with_prefix,
};
use sash_stores::edges::HeldLock;
use sash_wire::Fault;
use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

/// The wait before messages are looked through: a branch or an answer that has just changed often changes again.
const IDLE_WAIT: Duration = Duration::from_secs(1);

/// The most texts of a request: a running one is thrown away when an answer begins, so it must be small.
const BATCH_TEXTS: usize = 16;
const _: () = assert!(MAX_PARTS <= BATCH_TEXTS, "each message fits into a request");

/// True if a model may read a message, whose text stays as it is: that of an interrupted answer may be one that another tab
/// is writing. What is muted no model reads, nor the calls of a muted question.
fn may_be_read(chat: &Chat, message: &Message) -> bool {
    let mutes = &chat.head.settings.mutes;
    let is_muted = !mutes.is_empty()
        && (mutes.contains(&message.id)
            || mutes.contains(&ToolRounds::question_of(&chat.tree, message).id));
    message.is_sendable() && message.outcome != Outcome::Interrupted && !is_muted
}

/// The lock of the tab that computes: two tabs would compute the same.
const LOCK: &str = "sash:embeddings";

/// A message and its parts.
type Missing = (Id, Vec<String>);

/// The messages of a chat that are to have vectors: all, or those of its branch.
type MessagesOf = fn(&Chat) -> Vec<&Message>;

/// The batches that failed. One must not hold up the others; two in a row mean that the engine does not work.
#[derive(Default)]
struct Failures {
    first: Option<Fault>,
    is_last: bool,
}

impl Embeddings {
    /// Reads messages after a wait, and again if what is to be read has changed meanwhile.
    pub(super) async fn read_messages(self) -> Result<(), Fault> {
        loop {
            self.edges.wait(self.rest_of_pause().max(IDLE_WAIT)).await;
            let change = self.changes.newest();
            self.complete_chats().await?;
            if change.is_current() {
                return Ok(());
            }
        }
    }

    /// Computes what the open branch lacks, then what other chats lack if messages are recalled from them.
    async fn complete_chats(self) -> Result<(), Fault> {
        let model = self.model().await?;
        let _held = self.lock().await;
        let mut failures = Failures::default();
        let open = self.chats().open_id_untracked();
        self.complete(&model, open, Chat::path, &mut failures)
            .await?;
        let others = match self.steering().recall_setting.get_untracked().all_chats {
            true => self.chats().touched_times(),
            false => BTreeMap::new(),
        };
        for (chat, touched) in others {
            let is_complete = self
                .known
                .with_value(|known| known.complete.get(&chat) == Some(&touched));
            if chat == open || is_complete {
                continue;
            }
            let all: MessagesOf = |chat| chat.messages().collect();
            if self.complete(&model, chat, all, &mut failures).await? {
                self.known
                    .update_value(|known| _ = known.complete.insert(chat, touched));
            }
            self.edges.pause().await;
        }
        failures.first.map_or(Ok(()), Err)
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
        let kept = self.vectors.get_value().read(name, chat).await;
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
            self.news.notify();
        }
    }

    /// The messages that have no vector, with the texts of which it is made.
    fn missing(self, model: &ActiveModel, of: &Chat, messages: Vec<&Message>) -> Vec<Missing> {
        let chat = of.head.id;
        self.known.with_value(|known| {
            let is_known = |message| {
                known.index.contains(chat, message) || known.skipped.contains(&(chat, message))
            };
            let messages = messages
                .into_iter()
                .filter(|message| may_be_read(of, message) && !is_known(message.id));
            let missing = messages.map(|message| {
                let before = message.parent.and_then(|parent| of.get(parent));
                let before = before.filter(|before| {
                    may_be_read(of, before)
                        && message.created < before.created.saturating_add(SITTING_GAP_MS)
                });
                let before = before.map(|before| &*before.content);
                let parts = message_parts(before, &message.content).into_iter();
                let parts = parts.map(|part| with_prefix(&model.id.name, TextKind::Message, &part));
                (message.id, parts.collect())
            });
            missing
                .filter(|(_, parts): &Missing| !parts.is_empty())
                .collect()
        })
    }

    /// Reads the kept vectors of a chat, asks in batches for those that some of its messages lack, and keeps those of messages
    /// that are not deleted meanwhile. Returns whether all came.
    ///
    /// # Errors
    /// The second failure in a row.
    async fn complete(
        self,
        model: &ActiveModel,
        chat: Id,
        messages: MessagesOf,
        failures: &mut Failures,
    ) -> Result<bool, Fault> {
        self.read_kept(model, chat).await;
        // It may be deleted meanwhile; then no model reads it.
        if self.chats().is_gone(chat) {
            return Ok(false);
        }
        let missing = |of: &Chat| self.missing(model, of, messages(of));
        let missing = self.chats().with_chat(chat, missing).unwrap_or_default();
        let mut has_all = true;
        let mut left = missing.len();
        let mut missing = missing.into_iter().peekable();
        while left > 0 {
            self.state.set(EmbeddingState::Working { left });
            let (mut texts, mut batch) = (Vec::new(), Vec::new());
            while let Some((message, parts)) =
                missing.next_if(|(_, parts)| texts.len() + parts.len() <= BATCH_TEXTS)
            {
                batch.push((message, parts.len()));
                texts.extend(parts);
            }
            left = left.saturating_sub(batch.len());
            let came = self.request_vectors(model, texts, None).await;
            // What was deleted meanwhile may be deleted for good, and its vectors with it.
            if self.chats().is_gone(chat) {
                return Ok(false);
            }
            let removed = self.removed_of(chat, &batch);
            has_all &= removed.is_empty();
            let mut vectors = match came {
                Ok(vectors) => vectors.into_iter(),
                Err(fault) if failures.is_last => return Err(fault),
                Err(fault) => {
                    failures.is_last = true;
                    failures.first.get_or_insert(fault);
                    has_all = false;
                    continue;
                }
            };
            failures.is_last = false;
            let mut kept = Vec::new();
            self.known.update_value(|known| {
                for (message, parts) in batch {
                    let parts: Vec<Vec<f32>> = vectors.by_ref().take(parts).collect();
                    if removed.contains(&message) {
                        continue;
                    }
                    let vector = mean_direction(&parts);
                    match vector.filter(|vector| known.index.add(chat, message, vector)) {
                        Some(vector) => kept.push((message, vector.to_bytes())),
                        None => _ = known.skipped.insert((chat, message)),
                    }
                }
            });
            let name = model.kept_under.clone();
            if self.chats().may_store(chat) {
                let keep = self.vectors.get_value().keep(name, chat, kept);
                keep.await;
            }
            self.news.notify();
        }
        Ok(has_all)
    }

    /// Those messages of a batch that are deleted now.
    fn removed_of(self, chat: Id, batch: &[(Id, usize)]) -> BTreeSet<Id> {
        let removed = self.storage().with_log(|log| {
            let messages = batch.iter().map(|(message, _)| *message);
            messages
                .filter(|message| log.is_removed(chat, *message))
                .collect()
        });
        removed.unwrap_or_default()
    }
}
