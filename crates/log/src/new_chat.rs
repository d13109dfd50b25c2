//! A chat that is added as a whole: all of it or nothing.

use super::{Key, Log, Store, StoreError, encode_record};
use sash_chat::Chat;

impl<S: Store> Log<S> {
    /// Writes a chat that the log does not have.
    ///
    /// # Errors
    /// [`StoreError`]; then nothing of it is stored, and nothing waits for room.
    pub fn add_chat(&mut self, chat: &Chat) -> Result<(), StoreError> {
        let id = chat.head.id;
        let messages = chat.messages().map(|message| {
            let key = Key::Message(id, message.seq, message.id);
            (key, encode_record(message))
        });
        // The head comes last: a chat without one is what a kill leaves, and it has its messages all the same.
        let head = (Key::Head(id), encode_record(&chat.head));
        let mut written = Vec::new();
        for (key, record) in messages.chain([head]) {
            if let Err(error) = self.add_imported(key, &record) {
                // The disk may get what was written before it gets its removal.
                for key in written {
                    self.take_back(key);
                }
                self.chats.remove(&id);
                return Err(error);
            }
            written.push(key);
        }
        Ok(())
    }
}
