//! Questions to one chat are answered one after the other: each needs the answer before it.

use sash_chat::Id;
use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};
use tokio::sync::OwnedMutexGuard;

type Turns = HashMap<Id, Arc<tokio::sync::Mutex<()>>>;

/// The turns of chats.
#[derive(Debug, Default)]
pub struct ChatQueue(Mutex<Turns>);

/// The turn of one chat, until it is dropped.
#[derive(Debug)]
pub struct ChatTurn(#[allow(dead_code, reason = "held for its drop")] OwnedMutexGuard<()>);

impl ChatQueue {
    /// Waits for the turn of a chat, in the order of the calls.
    pub async fn enter(&self, id: Id) -> ChatTurn {
        let turn = self.turn(id);
        ChatTurn(turn.lock_owned().await)
    }

    /// The turn of a chat, unless it is taken.
    pub fn try_enter(&self, id: Id) -> Option<ChatTurn> {
        self.turn(id).try_lock_owned().ok().map(ChatTurn)
    }

    fn turn(&self, id: Id) -> Arc<tokio::sync::Mutex<()>> {
        let mut turns = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        turns.retain(|_, turn| Arc::strong_count(turn) > 1);
        Arc::clone(turns.entry(id).or_default())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn a_chat_has_one_turn_at_a_time_and_another_chat_has_its_own() {
        let queue = ChatQueue::default();
        let first = queue.enter(Id(1)).await;
        assert!(queue.try_enter(Id(1)).is_none());
        let other = queue.try_enter(Id(2)).unwrap();
        drop(first);
        assert!(queue.try_enter(Id(1)).is_some());
        drop(other);
        drop(queue.try_enter(Id(3)));
        assert_eq!(queue.0.lock().unwrap().len(), 1, "unused turns are dropped");
    }

    #[tokio::test]
    async fn waiting_ends_with_the_turn_or_with_the_one_who_waits() {
        let queue = Arc::new(ChatQueue::default());
        let first = queue.enter(Id(1)).await;
        let given_up =
            tokio::time::timeout(std::time::Duration::from_millis(5), queue.enter(Id(1)));
        assert!(given_up.await.is_err());
        let second = tokio::spawn({
            let queue = Arc::clone(&queue);
            async move { queue.enter(Id(1)).await }
        });
        tokio::task::yield_now().await;
        assert!(!second.is_finished());
        drop(first);
        drop(second.await.unwrap());
        assert!(queue.try_enter(Id(1)).is_some());
    }
}
