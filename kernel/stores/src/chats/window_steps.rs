//! The steps by which chats were steered and that can be undone.

use super::Chats;
use reactive_graph::prelude::*;
use sash_chat::{ChatSettings, Head, Id, ModelId};
use serde_json::{Map, Value};
use std::rc::{Rc, Weak};

/// How a chat's window was steered before a change and after it.
#[derive(Clone, Debug)]
pub(crate) struct WindowStep {
    /// The chat.
    pub(crate) chat: Id,
    before: Steered,
    after: Steered,
}

/// What a step of steering may change.
#[derive(Clone, Debug, PartialEq)]
struct Steered {
    settings: ChatSettings,
    model: Option<ModelId>,
    title: Option<String>,
    folder: Option<Id>,
    others: Map<String, Value>,
}

impl Steered {
    fn of(head: &Head) -> Self {
        Self {
            settings: head.settings.clone(),
            model: head.model_id(),
            title: head.title.clone(),
            folder: head.folder,
            others: head.others.clone(),
        }
    }
}

impl WindowStep {
    /// Changes a head. `None` where nothing changes.
    pub(crate) fn take(head: &mut Head, change: impl FnOnce(&mut Head)) -> Option<Self> {
        let before = Steered::of(head);
        change(head);
        let after = Steered::of(head);
        (before != after).then_some(Self {
            chat: head.id,
            before,
            after,
        })
    }

    /// The places of the system prompts that the steering before it has, in the chat's list.
    fn systems(&self) -> impl Iterator<Item = u32> {
        let settings = &self.before.settings;
        let withheld = settings.withheld.as_ref();
        let withheld = withheld.and_then(|withheld| withheld.system);
        settings.system.into_iter().chain(withheld)
    }

    /// Restores the steering before it in a chat's head. What it did not change besides the settings is as it is now.
    pub(crate) fn restore(self, head: &mut Head) {
        let Self { before, after, .. } = self;
        if before.model != after.model {
            head.set_model(before.model);
        }
        if before.title != after.title {
            head.title = before.title;
        }
        if before.folder != after.folder {
            head.folder = before.folder;
        }
        head.settings = before.settings;
        let names = before.others.keys().chain(after.others.keys());
        for name in names {
            let (was, became) = (before.others.get(name), after.others.get(name));
            if was != became {
                match undone(was, became, head.others.get(name)) {
                    Some(value) => _ = head.others.insert(name.clone(), value),
                    None => _ = head.others.shift_remove(name),
                }
            }
        }
    }
}

/// A field as it was before a step, with the entries that came since.
fn undone(was: Option<&Value>, became: Option<&Value>, now: Option<&Value>) -> Option<Value> {
    fn entries(value: Option<&Value>) -> &[Value] {
        let entries = value.and_then(Value::as_array);
        entries.map(Vec::as_slice).unwrap_or_default()
    }
    let since = entries(now).iter();
    let since = since.filter(|entry| !entries(became).contains(entry));
    let all: Vec<Value> = entries(was).iter().chain(since).cloned().collect();
    match all.is_empty() {
        true => was.cloned(),
        false => Some(all.into()),
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
