//! The prompts that a person keeps. There are few, so each is read when it is needed.

use super::SavedPrompt;
use sash_chat::Id;
use sash_log::{Key, KeyValue, Log, RecordKind, Rewrites, StoreError};

/// A prompt that the person keeps.
pub const PROMPT: &RecordKind = &RecordKind {
    letter: "p",
    is_of_chat: false,
    in_files: true,
    rewrites: Rewrites::Counted,
};

/// The prompts of a log.
pub trait PromptLog {
    /// A prompt, deleted or not.
    fn saved_prompt(&mut self, id: Id) -> Option<SavedPrompt>;

    /// The prompts that are not deleted, by name.
    fn list_prompts(&mut self) -> Vec<SavedPrompt>;

    /// Writes a prompt.
    ///
    /// # Errors
    /// [`StoreError`]; the record waits for room.
    fn save_prompt(&mut self, prompt: &SavedPrompt) -> Result<(), StoreError>;

    /// Removes the texts of deleted prompts for good, except of the `keep` that were deleted last. Their ids stay, so that the
    /// prompts do not come back from a backup that has them still.
    fn purge_prompts(&mut self, keep: usize);

    /// All prompts, deleted ones too.
    fn all_prompts(&mut self) -> Vec<SavedPrompt>;
}

impl<S: KeyValue> PromptLog for Log<S> {
    fn saved_prompt(&mut self, id: Id) -> Option<SavedPrompt> {
        let prompt = self.read::<SavedPrompt>(Key::Record(PROMPT, id))?;
        // The key determines the id, whatever the payload says.
        Some(SavedPrompt { id, ..prompt })
    }

    fn list_prompts(&mut self) -> Vec<SavedPrompt> {
        let mut prompts = self.all_prompts();
        prompts.retain(|prompt| prompt.deleted.is_none());
        prompts.sort_by_cached_key(|prompt| (prompt.name.to_lowercase(), prompt.id));
        prompts
    }

    fn save_prompt(&mut self, prompt: &SavedPrompt) -> Result<(), StoreError> {
        self.write(Key::Record(PROMPT, prompt.id), prompt)
    }

    fn purge_prompts(&mut self, keep: usize) {
        let mut deleted = self.all_prompts();
        deleted.retain(|prompt| prompt.deleted.is_some() && !prompt.is_purged());
        deleted.sort_unstable_by_key(|prompt| (prompt.deleted, prompt.id));
        deleted.truncate(deleted.len().saturating_sub(keep));
        for prompt in deleted {
            // A record that waits for room counts already.
            self.save_prompt(&prompt.purged()).ok();
        }
    }

    fn all_prompts(&mut self) -> Vec<SavedPrompt> {
        let ids = self.ids_of(PROMPT).into_iter();
        ids.filter_map(|id| self.saved_prompt(id)).collect()
    }
}
