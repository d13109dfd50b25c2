//! The steps by which chats were steered and that can be undone.

use super::Chats;
use reactive_graph::prelude::*;
use sash_chat::{ChatSettings, FormerValue, Head, Id, ModelId};
use std::rc::{Rc, Weak};

/// How a chat's window was steered before a change.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct WindowStep {
    /// The chat.
    pub(crate) chat: Id,
    settings: ChatSettings,
    model: Option<ModelId>,
    title: Option<String>,
    folder: Option<Id>,
    former_values: Vec<FormerValue>,
}

impl WindowStep {
    /// The present steering of a chat.
    pub(crate) fn of(head: &Head) -> Self {
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
    pub(crate) fn restore(self, head: &mut Head) {
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

impl Chats {
    /// Counts a step of steering for as long as someone keeps it to undo it.
    pub(crate) fn record_window_step(self, step: &Rc<WindowStep>) {
        self.window_steps.update_value(|all| {
            all.retain(|step| step.strong_count() > 0);
            all.push(Rc::downgrade(step));
        });
    }

    fn window_steps_of(self, chat: Id) -> Vec<Rc<WindowStep>> {
        self.window_steps.with_value(|all| {
            let steps = all.iter().filter_map(Weak::upgrade);
            steps.filter(|step| step.chat == chat).collect()
        })
    }

    /// Whether a chat has steering steps that can be undone.
    pub(crate) fn is_steered(self, chat: Id) -> bool {
        !self.window_steps_of(chat).is_empty()
    }

    /// How many of a chat's system prompts must stay in its list: those up to the last one that an undo brings back.
    pub(super) fn systems_needed(self, chat: Id) -> usize {
        let steps = self.window_steps_of(chat);
        let last = steps.iter().flat_map(|step| step.systems()).max();
        last.map_or(0, |last| last as usize + 1)
    }
}
