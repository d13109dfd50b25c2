//! A chat that is added as a whole: all of it or nothing.

use super::{ImportManifest, Key, KeyValue, Log, StoreError, encode_record};
use sash_chat::Chat;

impl<S: KeyValue> Log<S> {
    /// Writes a chat that the log does not have. If the page ends meanwhile, the next start takes it back, as an import that
    /// was not ended.
    ///
    /// # Errors
    /// [`StoreError`]; then nothing of it is stored, and nothing waits for room.
    pub fn add_chat(&mut self, chat: &Chat) -> Result<(), StoreError> {
        let id = chat.head.id;
        let messages = chat.messages().map(|message| {
            let key = Key::Message(id, message.seq, message.id);
            (key, encode_record(message))
        });
        let head = (Key::Head(id), encode_record(&chat.head));
        let records: Vec<(Key, String)> = messages.chain([head]).collect();
        let manifest = ImportManifest {
            keys: records.iter().map(|(key, _)| key.to_string()).collect(),
            ..ImportManifest::default()
        };
        // Nothing of a temporary chat is stored, not even its name.
        let is_stored = self.may_store(id);
        if is_stored {
            self.save_manifest(id, &manifest)?;
        }
        for (key, record) in records {
            if let Err(error) = self.add_imported(key, &record) {
                self.undo_import(id, &manifest);
                return Err(error);
            }
        }
        if is_stored {
            self.remove(Key::Import(id));
        }
        Ok(())
    }
}
