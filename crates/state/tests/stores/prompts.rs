//! Prompts of the log, kept and deleted as their room does it, for tests of what else reads them.

use crate::house::House;
use sash_chat::Id;
use sash_records::prompts::{PromptLog, SavedPrompt};

/// The prompts, by name.
pub fn prompts(house: House) -> Vec<SavedPrompt> {
    let list = house.storage.with_log(|log| log.list_prompts());
    list.expect("a log")
}

/// Keeps a prompt, or writes the one with this id anew. Returns its id.
pub fn keep_prompt(house: House, id: Option<Id>, name: &str, text: &str) -> Id {
    let id = id.unwrap_or_else(|| house.kernel.edges().new_id());
    let known = house.storage.with_log(|log| log.saved_prompt(id)).flatten();
    let rev = known.map_or(0, |known| known.rev + 1);
    let prompt = SavedPrompt {
        rev,
        ..SavedPrompt::new(id, name, text)
    };
    assert!(house.storage.write(|log| log.save_prompt(&prompt)));
    id
}

/// Deletes a prompt.
pub fn delete_prompt(house: House, id: Id) {
    let known = house.storage.with_log(|log| log.saved_prompt(id)).flatten();
    let known = known.expect("a prompt");
    let deleted = SavedPrompt {
        deleted: Some(house.kernel.edges().now()),
        rev: known.rev + 1,
        ..known
    };
    assert!(house.storage.write(|log| log.save_prompt(&deleted)));
}
