//! The queues of the log: prompts that wait for their turn.

use super::Queue;
use sash_chat::Id;
use sash_records::queue::{MAX_QUEUED, QueueLog, QueuedPrompt};

/// A prompt that was taken out of a queue.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Unqueued {
    /// The chat.
    pub(super) chat: Id,
    /// Its place in the queue.
    pub(super) at: usize,
    /// The prompt.
    pub(super) prompt: QueuedPrompt,
}

impl Queue {
    /// The queue of a chat as the log has it now.
    pub(super) fn queue_of(self, chat: Id) -> Vec<QueuedPrompt> {
        let queue = self.kernel.storage().with_log(|log| log.queue(chat));
        queue.unwrap_or_default()
    }

    /// Changes the queue of a chat. It is read anew before, because another tab may have changed it.
    pub(super) fn change_queue<T>(
        self,
        chat: Id,
        change: impl FnOnce(&mut Vec<QueuedPrompt>) -> T,
    ) -> Option<T> {
        let mut done = None;
        let now = self.edges.now();
        // If storage is full, the log keeps the record in memory and the page says so.
        self.kernel
            .storage()
            .write(|log| log.change_queue(chat, now, |queue| done = Some(change(queue))));
        self.reload();
        done
    }

    /// Puts a prompt back into the queue that it was taken out of. Returns whether there is room for it.
    pub(super) fn put_back(self, unqueued: Unqueued) -> bool {
        let Unqueued { chat, at, prompt } = unqueued;
        if self.chats().is_gone(chat) || self.queue_of(chat).len() >= MAX_QUEUED {
            return false;
        }
        self.change_queue(chat, |queue| queue.insert(at.min(queue.len()), prompt));
        true
    }
}
