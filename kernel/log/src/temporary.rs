//! Temporary chats: nothing of them is stored, and what reads all chats does not find them.

use super::{KeyValue, Log, StoreError};
use sash_chat::Id;

impl<S: KeyValue> Log<S> {
    /// Makes a new chat a temporary one: nothing of it is stored, and nothing that reads all chats finds it. Call it
    /// before anything of the chat is written.
    pub fn begin_temporary(&mut self, chat: Id) {
        self.store.begin_temporary(chat);
    }

    /// Whether a chat is a temporary one, and not forgotten.
    #[must_use]
    pub fn is_temporary(&self, chat: Id) -> bool {
        self.store.is_temporary(chat)
    }

    /// Whether what is written of a chat reaches the store: not that of a temporary chat, nor of a forgotten one.
    #[must_use]
    pub fn may_store(&self, chat: Id) -> bool {
        !self.store.is_temporary(chat) && !self.store.is_forgotten(chat)
    }

    /// Forgets a temporary chat. What is still written of it later goes nowhere.
    pub fn forget_temporary(&mut self, chat: Id) {
        if self.is_temporary(chat) {
            self.store.forget(chat);
            self.temporary.remove(&chat);
        }
    }

    /// Writes a temporary chat to the store: it is a chat like all others then.
    ///
    /// # Errors
    /// [`StoreError`]; then the chat is a temporary one still, and nothing of it is stored.
    pub fn keep_temporary(&mut self, chat: Id) -> Result<(), StoreError> {
        if !self.is_temporary(chat) {
            return Ok(());
        }
        let keys = self.store.keep(chat)?;
        self.temporary.remove(&chat);
        for key in keys {
            self.on_key_change(&key, true);
        }
        Ok(())
    }
}
