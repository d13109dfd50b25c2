//! The prompts that a person keeps under names: the list, changing it, and putting one into the composer, once its
//! placeholders are filled in.

use reactive_graph::owner::expect_context;
use reactive_graph::prelude::*;
use reactive_graph::signal::RwSignal;
use sash_chat::{Id, split_files, with_files};
use sash_log::Key;
use sash_records::prompts::{PROMPT, PromptLog, SavedPrompt, fill_placeholders, placeholders};
use sash_stores::hooks::{UndoEntry, UndoId};
use sash_stores::{Kernel, LogEvent, uses};
use sash_words::t;
use std::collections::BTreeMap;
use std::rc::Rc;

/// The longest text that filling in placeholders makes, in bytes: as long as that of a file.
const MAX_FILLED_BYTES: usize = sash_chat::MAX_TEXT_BYTES;
/// How many deleted prompts can come back.
const MAX_DELETED: usize = 20;

/// A prompt that is being put into the composer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ChosenPrompt {
    /// The prompt.
    pub prompt: SavedPrompt,
    /// The chat whose composer it is put into.
    chat: Id,
    /// What it takes the place of; behind anything else that is written it is appended.
    query: String,
}

impl ChosenPrompt {
    /// The names of its placeholders.
    #[must_use]
    pub fn placeholders(&self) -> Vec<&str> {
        placeholders(&self.prompt.text)
    }
}

/// The prompts that a person keeps.
#[derive(Clone, Copy)]
pub struct SavedPrompts {
    kernel: Kernel,
    /// The prompts, by name.
    pub list: RwSignal<Vec<SavedPrompt>>,
    /// The prompt in the dialog that edits one, as it was when the dialog opened.
    pub editing: RwSignal<Option<SavedPrompt>>,
    /// The prompt whose placeholders are being filled in.
    pub chosen: RwSignal<Option<ChosenPrompt>>,
}

uses!(SavedPrompts.kernel: notices storage chats drafts);

impl SavedPrompts {
    /// Creates the store with the prompts of the log.
    #[must_use]
    pub fn new(kernel: Kernel) -> Self {
        let prompts = Self {
            kernel,
            list: RwSignal::new(Vec::new()),
            editing: RwSignal::new(None),
            chosen: RwSignal::new(None),
        };
        prompts.refresh();
        kernel.storage().events().on(move |event| match event {
            LogEvent::OtherTab(Key::Record(PROMPT, _))
            | LogEvent::ManyWritten
            | LogEvent::Cleared => prompts.refresh(),
            _ => {}
        });
        prompts
    }

    /// The store, from the context.
    #[must_use]
    pub fn expect() -> Self {
        expect_context()
    }

    /// Reads the prompts from the log again.
    fn refresh(self) {
        let list = self.storage().with_log(|log| log.list_prompts());
        self.list.set(list.unwrap_or_default());
    }

    /// The names of the prompts, in their order.
    #[must_use]
    pub fn named(self) -> Vec<(Id, String)> {
        let named = |prompt: &SavedPrompt| (prompt.id, prompt.name.clone());
        self.list.with(|all| all.iter().map(named).collect())
    }

    /// A prompt of the list.
    fn listed(self, id: Id) -> Option<SavedPrompt> {
        self.list
            .with_untracked(|all| all.iter().find(|prompt| prompt.id == id).cloned())
    }

    /// Opens the dialog with a prompt of the list.
    pub fn edit(self, id: Id) {
        self.editing.set(self.listed(id));
    }

    /// Opens the dialog with a new prompt of this text.
    pub fn begin(self, text: &str) {
        let id = self.kernel.edges().new_id();
        self.editing.set(Some(SavedPrompt::new(id, "", text)));
    }

    /// Opens the dialog with a new prompt: what is written in the composer.
    pub fn keep_written(self) {
        self.begin(&self.drafts().written.get_untracked());
    }

    /// Saves what the dialog holds, and closes it.
    ///
    /// # Errors
    /// The reason, in words; then nothing is saved and the dialog stays open.
    pub fn save(self, edit: &SavedPrompt) -> Result<(), String> {
        // Read the prompts from the log: another tab may have changed them.
        self.refresh();
        // Another tab may have deleted it for good meanwhile, or all that there was.
        let is_known = self.read(edit.id).is_some();
        let id = match is_known {
            true => edit.id,
            false => self.kernel.edges().new_id(),
        };
        let draft = SavedPrompt::new(id, &edit.name, &edit.text);
        if let Some(why) = self.list.with_untracked(|all| draft.refusal_among(all)) {
            return Err(why);
        }
        let name = draft.name.clone();
        if is_known {
            self.change(id, |prompt| {
                (prompt.name, prompt.text) = (draft.name, draft.text);
                prompt.deleted = None;
            });
        } else {
            self.storage().write(|log| log.save_prompt(&draft));
            self.storage()
                .with_log(|log| log.purge_prompts(MAX_DELETED));
            self.refresh();
        }
        self.notices()
            .announce(t!(prompts.kept_the_prompt, name = &name));
        self.editing.set(None);
        Ok(())
    }

    /// Deletes a prompt. Returns the step, by which it is undone.
    pub fn delete(self, id: Id) -> Option<UndoId> {
        let SavedPrompt { name, .. } = self.listed(id)?;
        let now = self.kernel.edges().now();
        let step = self.change(id, |prompt| prompt.deleted = Some(now))?;
        self.notices()
            .show_undo(t!(prompts.deleted_the_prompt, name = &name), step);
        Some(step)
    }

    /// Undoes a step.
    pub fn undo(self, step: UndoId) {
        self.kernel.history().undo(step, false);
    }

    /// Changes a prompt as a step that can be undone; `None` where nothing changed.
    fn change(self, id: Id, change: impl FnOnce(&mut SavedPrompt)) -> Option<UndoId> {
        let before = self.write(id, change)?;
        let entry = UndoEntry {
            chat: None,
            holds: Rc::new(|| true),
            undo: Box::new(move |_| {
                // The number of rewrites goes on counting.
                let undo = |now: &mut SavedPrompt| {
                    *now = SavedPrompt {
                        rev: now.rev,
                        ..before
                    }
                };
                self.write(id, undo).is_some()
            }),
        };
        Some(self.kernel.history().push(entry))
    }

    /// A prompt, unless it was deleted for good.
    fn read(self, id: Id) -> Option<SavedPrompt> {
        let prompt = self.storage().with_log(|log| log.saved_prompt(id));
        prompt.flatten().filter(|prompt| !prompt.is_purged())
    }

    /// Writes a prompt if it differs. Returns it as it was.
    fn write(self, id: Id, change: impl FnOnce(&mut SavedPrompt)) -> Option<SavedPrompt> {
        let before = self.read(id)?;
        let mut prompt = before.clone();
        change(&mut prompt);
        if prompt == before {
            return None;
        }
        prompt.rev = before.rev.wrapping_add(1);
        self.storage().write(|log| log.save_prompt(&prompt));
        self.refresh();
        Some(before)
    }

    /// Puts a prompt into the composer of the open chat, in the place of `query` if that is all that is written, and else
    /// behind what is. One with placeholders is put there once they are filled in.
    pub fn choose(self, prompt: SavedPrompt, query: &str) {
        let chosen = ChosenPrompt {
            prompt,
            chat: self.chats().open_id_untracked(),
            query: query.to_owned(),
        };
        match chosen.placeholders().is_empty() {
            true => self.put(&chosen, &chosen.prompt.text),
            false => self.chosen.set(Some(chosen)),
        }
    }

    /// Puts a prompt of the list into the composer of the open chat, as [`Self::choose`] does.
    pub fn choose_listed(self, id: Id) {
        if let Some(prompt) = self.listed(id) {
            self.choose(prompt, "");
        }
    }

    /// Puts the chosen prompt into the composer with these values of its placeholders. Those without one stay as they
    /// are. Returns whether it fits.
    pub fn fill(self, values: &BTreeMap<String, String>) -> bool {
        let Some(chosen) = self.chosen.get_untracked() else {
            return true;
        };
        let value = |name: &str| values.get(name).map(String::as_str);
        let Some(text) = fill_placeholders(&chosen.prompt.text, value, MAX_FILLED_BYTES) else {
            return false;
        };
        self.put(&chosen, &text);
        self.chosen.set(None);
        true
    }

    fn put(self, chosen: &ChosenPrompt, text: &str) {
        self.drafts().change(chosen.chat, |draft| {
            let (files, written) = split_files(&draft.text);
            let written = match written {
                written if written.trim().is_empty() || written == chosen.query => text.to_owned(),
                written => format!("{}\n\n{text}", written.trim_end()),
            };
            draft.text = with_files(&files, &written);
        });
    }
}
