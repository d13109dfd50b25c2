//! The undo history of Ctrl+Z, newest first.

use crate::list_step::ListStep;
use reactive_graph::owner::StoredValue;
use reactive_graph::traits::{UpdateValue, WithValue};
use sash_chat::{ChatSettings, FormerValue, Head, Id, ModelId, SavedPrompt};
use sash_log::{DraftField, QueuedPrompt};

/// How many actions can be undone.
const MAX_STEPS: usize = 50;

/// What the toast can undo.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Undo {
    /// The deletion of a chat.
    Deleted(Id),
    /// The deletion of a message of a chat.
    Removed(Id, Id),
    /// A chat that was forked from another one.
    Forked(Id),
    /// An answer of a chat, as the person changed it.
    Edited(Id, Id),
    /// The last step of steering the window.
    Step,
    /// A prompt that was taken out of the queue of a chat.
    Unqueued(Id, Id),
    /// The end of a temporary chat that was left: it can be kept.
    Left(Id),
    /// The last change of the list of chats: chats moved, archived or deleted together, or a folder changed.
    Listed,
    /// The last change of a prompt that the person keeps.
    Prompt,
    /// A text of a field of a chat that was thrown away.
    Discarded(Id, DraftField),
}

impl Undo {
    /// Whether the toast is the only way back: neither Ctrl+Z nor the trash has what it offers.
    #[must_use]
    pub fn is_last_way_back(self) -> bool {
        match self {
            Self::Left(_) => true,
            Self::Deleted(_)
            | Self::Removed(..)
            | Self::Forked(_)
            | Self::Edited(..)
            | Self::Step
            | Self::Unqueued(..)
            | Self::Listed
            | Self::Prompt
            | Self::Discarded(..) => false,
        }
    }
}

/// An action that can be undone.
#[derive(Clone, Debug, PartialEq)]
pub enum Done {
    /// A chat's window was steered.
    Steered(Box<UndoStep>),
    /// A chat was deleted.
    Deleted(Id),
    /// A message of a chat was deleted.
    Removed(Id, Id),
    /// A chat was forked from another one.
    Forked(Id),
    /// An answer of a chat was changed by the person: the new version.
    Edited(Id, Id),
    /// A prompt was taken out of the queue of a chat.
    Unqueued(Box<Unqueued>),
    /// The list of chats was changed.
    Listed(Box<ListStep>),
    /// A prompt that the person keeps was changed or deleted: as it was before.
    Prompt(Box<SavedPrompt>),
    /// A text of a field was thrown away.
    Discarded(Box<Discarded>),
}

impl Done {
    /// Whether Ctrl+Z undoes this action while the chat `open` is open.
    #[must_use]
    pub fn applies_to(&self, open: Id) -> bool {
        match self {
            Self::Steered(step) => step.chat == open,
            Self::Unqueued(unqueued) => unqueued.chat == open,
            Self::Discarded(discarded) => discarded.chat == open,
            Self::Removed(chat, _) | Self::Edited(chat, _) => *chat == open,
            Self::Deleted(_) | Self::Forked(_) | Self::Listed(_) | Self::Prompt(_) => true,
        }
    }
}

/// A prompt that was taken out of a queue.
#[derive(Clone, Debug, PartialEq)]
pub struct Unqueued {
    /// The chat.
    pub chat: Id,
    /// Its place in the queue.
    pub at: usize,
    /// The prompt.
    pub prompt: QueuedPrompt,
}

/// A text that was thrown away.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Discarded {
    /// The chat.
    pub chat: Id,
    /// The field.
    pub field: DraftField,
    /// The text.
    pub text: String,
}

/// How a chat's window was steered before a change.
#[derive(Clone, Debug, PartialEq)]
pub struct UndoStep {
    /// The chat.
    pub chat: Id,
    settings: ChatSettings,
    model: Option<ModelId>,
    title: Option<String>,
    folder: Option<Id>,
    former_values: Vec<FormerValue>,
}

impl UndoStep {
    /// The present steering of a chat.
    #[must_use]
    pub fn of(head: &Head) -> Self {
        Self {
            chat: head.id,
            settings: head.settings.clone(),
            model: head.model_id(),
            title: head.title.clone(),
            folder: head.folder,
            former_values: head.former_values.clone(),
        }
    }

    /// The places of the system prompts that this steering has, in the chat's list.
    fn systems(&self) -> impl Iterator<Item = u32> {
        let withheld = self.settings.withheld.as_ref();
        let withheld = withheld.and_then(|withheld| withheld.system);
        self.settings.system.into_iter().chain(withheld)
    }

    /// Restores this steering in a chat's head.
    pub fn restore(self, head: &mut Head) {
        let is_switched = head.settings.withheld != self.settings.withheld;
        let is_back = |field: &str| {
            let mut former = self.former_values.iter();
            former.any(|value| value.field == field && !head.former_values.contains(value))
        };
        let (title, model, folder) = (is_back("title"), is_back("model"), is_back("folder"));
        // Only what switched on withheld settings, or brought back a former value, changed more than the settings.
        if is_switched && let Some(kept) = &self.settings.withheld {
            head.take_back_withheld(kept);
        }
        if is_switched || model {
            head.set_model(self.model);
        }
        if title {
            head.title = self.title;
        }
        if folder {
            head.folder = self.folder;
        }
        head.settings = self.settings;
        // Those that came since stay, but for the values that the fields have again.
        let now = std::mem::replace(&mut head.former_values, self.former_values);
        let fields = head.fields();
        let is_former = |value: &FormerValue| fields.get(&value.field) != value.value.as_ref();
        head.add_former_values(now.into_iter().filter(is_former));
    }
}

/// The actions, oldest first.
#[derive(Clone, Copy)]
pub struct History(StoredValue<Vec<Done>>);

impl Default for History {
    fn default() -> Self {
        Self(StoredValue::new(Vec::new()))
    }
}

impl History {
    /// Adds an action that can be undone.
    pub fn push(self, done: Done) {
        self.0.update_value(|all| {
            if all.len() == MAX_STEPS {
                all.remove(0);
            }
            all.push(done);
        });
    }

    /// Removes and returns the newest action that matches.
    pub fn take_last(self, of: impl Fn(&Done) -> bool) -> Option<Done> {
        let last = self.0.try_update_value(|all| {
            let at = all.iter().rposition(of)?;
            Some(all.remove(at))
        });
        last.flatten()
    }

    /// The newest action.
    #[must_use]
    pub fn last(self) -> Option<Done> {
        self.0.with_value(|all| all.last().cloned())
    }

    /// What was taken out of a queue and can be put back.
    #[must_use]
    pub fn last_unqueued(self, chat: Id, prompt: Id) -> Option<Done> {
        let of = |done: &&Done| match done {
            Done::Unqueued(unqueued) => unqueued.chat == chat && unqueued.prompt.id == prompt,
            _ => false,
        };
        self.0.with_value(|all| all.iter().rev().find(of).cloned())
    }

    /// What was thrown away of a field and can be brought back.
    #[must_use]
    pub fn last_discarded(self, chat: Id, field: DraftField) -> Option<Done> {
        let of = |done: &&Done| match done {
            Done::Discarded(discarded) => discarded.chat == chat && discarded.field == field,
            _ => false,
        };
        self.0.with_value(|all| all.iter().rev().find(of).cloned())
    }

    /// Whether a chat has steering steps that can be undone.
    #[must_use]
    pub fn is_steered(self, chat: Id) -> bool {
        let of = |done: &Done| matches!(done, Done::Steered(step) if step.chat == chat);
        self.0.with_value(|all| all.iter().any(of))
    }

    /// How many of a chat's system prompts must stay in its list: those up to the last one that an undo brings back.
    #[must_use]
    pub fn systems_needed(self, chat: Id) -> usize {
        self.0.with_value(|all| {
            let steps = all.iter().filter_map(|done| match done {
                Done::Steered(step) if step.chat == chat => Some(step),
                _ => None,
            });
            let last = steps.flat_map(|step| step.systems()).max();
            last.map_or(0, |last| last as usize + 1)
        })
    }
}
