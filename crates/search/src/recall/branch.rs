//! The index of one branch of a chat, built in slices so that no keystroke waits for it.

use super::RecallIndex;
use sash_chat::Id;

/// Messages indexed between two checks of the clock.
const BATCH_MESSAGES: usize = 8;

/// A branch as far as it is indexed.
#[derive(Default)]
pub struct BranchIndex {
    index: RecallIndex,
    /// The messages of the branch that were read, those without a text for the model included.
    seen: Vec<Id>,
}

impl BranchIndex {
    /// Reads the messages of `path` that were not read yet, until `is_late` says that the slice is over. Another branch
    /// begins anew. `text` gives a message's text and its local time in milliseconds since 1970, none for one that is
    /// not to be found. Returns whether all are indexed.
    pub fn extend<'a>(
        &mut self,
        chat: Id,
        path: &[Id],
        text: impl Fn(Id) -> Option<(&'a str, u64)>,
        is_late: impl Fn() -> bool,
    ) -> bool {
        if !path.starts_with(&self.seen) {
            *self = Self::default();
        }
        for id in path.get(self.seen.len()..).unwrap_or_default() {
            if self.seen.len() % BATCH_MESSAGES == BATCH_MESSAGES - 1 && is_late() {
                return false;
            }
            self.seen.push(*id);
            if let Some((text, created_ms)) = text(*id) {
                self.index.add(chat, *id, text, created_ms);
            }
        }
        true
    }

    /// The index as far as it is built.
    #[must_use]
    pub fn index(&self) -> &RecallIndex {
        &self.index
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(branch: &BranchIndex, prompt: &str) -> Vec<u64> {
        let found = branch.index().recall(prompt, &|_, _| true);
        found.iter().map(|one| one.message.0).collect()
    }

    #[test]
    fn a_branch_grows_in_slices_and_another_branch_begins_anew() {
        let texts = |id: Id| (id.0 != 3).then_some((if id.0 < 10 { "red wine" } else { "tea" }, 0));
        let path: Vec<Id> = (0..20).map(Id).collect();
        let mut branch = BranchIndex::default();
        assert!(!branch.extend(Id(1), &path, texts, || true));
        assert_eq!(
            branch.index().len(),
            6,
            "the first batch, without the one that has no text"
        );
        assert!(branch.extend(Id(1), &path, texts, || false));
        assert_eq!(branch.index().len(), 19);
        assert!(!found(&branch, "tea").is_empty());
        assert!(branch.extend(Id(1), &path[..2], texts, || false));
        assert_eq!(branch.index().len(), 2);
        assert!(
            found(&branch, "tea").is_empty(),
            "the words of the other branch are gone"
        );
    }
}
