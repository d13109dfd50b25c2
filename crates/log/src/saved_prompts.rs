//! The prompts that a person keeps. There are few, so each is read when it is needed.

use super::{Key, Log, PROMPT, Store, StoreError};
use sash_chat::{Id, SavedPrompt};

impl<S: Store> Log<S> {
    /// A prompt, deleted or not.
    pub fn saved_prompt(&mut self, id: Id) -> Option<SavedPrompt> {
        let prompt = self.read::<SavedPrompt>(Key::Record(PROMPT, id))?;
        // The key determines the id, whatever the payload says.
        Some(SavedPrompt { id, ..prompt })
    }

    /// The prompts that are not deleted, by name.
    pub fn list_prompts(&mut self) -> Vec<SavedPrompt> {
        let mut prompts = self.all_prompts();
        prompts.retain(|prompt| prompt.deleted.is_none());
        prompts.sort_by_cached_key(|prompt| (prompt.name.to_lowercase(), prompt.id));
        prompts
    }

    /// Writes a prompt.
    ///
    /// # Errors
    /// [`StoreError`]; the record waits for room.
    pub fn save_prompt(&mut self, prompt: &SavedPrompt) -> Result<(), StoreError> {
        self.write(Key::Record(PROMPT, prompt.id), prompt)
    }

    /// Removes the texts of deleted prompts for good, except of the `keep` that were deleted last. Their ids stay, so that the
    /// prompts do not come back from a backup that has them still.
    pub fn purge_prompts(&mut self, keep: usize) {
        let mut deleted = self.all_prompts();
        deleted.retain(|prompt| prompt.deleted.is_some() && !prompt.is_purged());
        deleted.sort_unstable_by_key(|prompt| (prompt.deleted, prompt.id));
        deleted.truncate(deleted.len().saturating_sub(keep));
        for prompt in deleted {
            // A record that waits for room counts already.
            self.save_prompt(&prompt.purged()).ok();
        }
    }

    /// All prompts, deleted ones too.
    pub fn all_prompts(&mut self) -> Vec<SavedPrompt> {
        let ids = self.ids_of(PROMPT).into_iter();
        ids.filter_map(|id| self.saved_prompt(id)).collect()
    }
}
