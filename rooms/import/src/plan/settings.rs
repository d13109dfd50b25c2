//! Settings that the chats of a file would switch on, and those that the person agreed to. Everything else comes in switched
//! off and is kept with its chat.

use super::Incoming;
use sash_chat::{FoundMessage, Head, Id, ModelId, PromptChoice, SettingKind};
use sash_records::FIELDS;
use sash_records::queue::{Queue, QueuedPrompt};
use serde_json::{Map, Value};
use std::collections::{BTreeMap, BTreeSet};

/// How many different values of a setting are shown.
const MAX_VALUES: usize = 5;

/// What the person agreed to switch on.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Agreement {
    /// The settings that chats keep as the file has them.
    pub kinds: BTreeSet<SettingKind>,
    /// The models that need no agreement, because they run on this machine.
    pub models: BTreeSet<ModelId>,
}

impl Agreement {
    /// Agrees to everything, for a file of one's own.
    #[must_use]
    pub fn to_all() -> Self {
        Self {
            kinds: SettingKind::ALL.into(),
            models: BTreeSet::new(),
        }
    }

    /// Switches off what was not agreed to.
    pub(super) fn apply(&self, incoming: &mut Incoming) {
        let Incoming { head, queue, .. } = incoming;
        for kind in SettingKind::ALL {
            let is_here = |model: &ModelId| self.models.contains(model);
            let needs_none = kind == SettingKind::Model && head.models(FIELDS).iter().all(is_here);
            if !needs_none && !self.kinds.contains(&kind) {
                head.withhold(kind, FIELDS);
            }
        }
        self.apply_to_queue(&mut queue.content, head.id);
    }

    /// Takes out of a queue what was not agreed to. The prompts themselves are shown, and none goes before the person has the
    /// queue go on.
    fn apply_to_queue(&self, queue: &mut Queue, chat: Id) {
        let Queue {
            prompts,
            unknown: of_queue,
        } = queue;
        let knows_newer = self.kinds.contains(&SettingKind::Newer);
        if !knows_newer {
            of_queue.clear();
        }
        for prompt in prompts {
            let QueuedPrompt {
                id: _,
                text: _,
                images: _,
                choice,
                unknown,
            } = prompt;
            let PromptChoice {
                included,
                found,
                left_out: _,
            } = choice;
            if !self.kinds.contains(&SettingKind::RecallFromAllChats) {
                included.retain(|found| !is_of_another(found, chat));
                found
                    .iter_mut()
                    .for_each(|all| all.retain(|found| !is_of_another(found, chat)));
            }
            if !knows_newer {
                unknown.clear();
            }
        }
    }
}

/// Whether a queued prompt takes a message of another chat along.
fn is_of_another(found: &FoundMessage, chat: Id) -> bool {
    found.piece.chat.is_some_and(|of| of != chat)
}

/// What the chat would do, for the list of what has to be agreed to: its head, with what its queue would do in the place of
/// the setting that does the same.
pub(super) fn acting_head(head: &Head, queue: &Queue) -> Head {
    let mut acting = head.clone();
    let mut known = queue
        .prompts
        .iter()
        .flat_map(|prompt| prompt.choice.known());
    if known.any(|found| is_of_another(found, head.id)) {
        let recall = acting.settings.recall.get_or_insert_default();
        recall.all_chats = true;
    }
    let of_prompts = queue.prompts.iter().map(|prompt| &prompt.unknown);
    for unknown in of_prompts.chain([&queue.unknown]) {
        add_newer(&mut acting, unknown);
    }
    acting
}

/// Adds to a head what a later version wrote into another record. It takes the place of no field of a feature.
pub(super) fn add_newer(head: &mut Head, unknown: &Map<String, Value>) {
    let newer = unknown.iter().filter(|(name, _)| FIELDS.of(name).is_none());
    let newer = newer.map(|(name, value)| (name.clone(), value.clone()));
    head.others.extend(newer);
}

/// What the new chats of a file would switch on.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ImportedSettings {
    /// The models that a chat names, and how many chats name just these.
    models: BTreeMap<BTreeSet<ModelId>, usize>,
    /// The other settings.
    others: BTreeMap<SettingKind, Values>,
}

/// The values of one setting in all chats.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct Values {
    chats: usize,
    /// The first different ones, one more than are shown.
    words: BTreeSet<String>,
}

/// A setting that the file would switch on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SettingToConfirm {
    /// Which one.
    pub kind: SettingKind,
    /// In how many chats.
    pub chats: usize,
    /// Its values in words, some of them if there are many.
    pub values: Vec<String>,
    /// Whether there are more values.
    pub has_more: bool,
}

impl ImportedSettings {
    /// Adds the settings of a chat.
    pub(super) fn note(&mut self, head: &Head) {
        let models: BTreeSet<ModelId> = head.models(FIELDS).into_iter().collect();
        if !models.is_empty() {
            *self.models.entry(models).or_default() += 1;
        }
        let others = SettingKind::ALL.into_iter();
        let others =
            others.filter(|kind| *kind != SettingKind::Model && head.has_setting(*kind, FIELDS));
        for kind in others {
            let values = self.others.entry(kind).or_default();
            values.chats += 1;
            if values.words.len() <= MAX_VALUES {
                values.words.insert(head.setting_words(kind, FIELDS));
            }
        }
    }

    /// The models that the chats name.
    pub fn models(&self) -> impl Iterator<Item = &ModelId> {
        self.models.keys().flatten()
    }

    /// What has to be agreed to, if these models run on this machine.
    #[must_use]
    pub fn asked(&self, models_here: &BTreeSet<ModelId>) -> Vec<SettingToConfirm> {
        let mut models = Values::default();
        for (of_chat, chats) in &self.models {
            let mut others = of_chat.difference(models_here).peekable();
            if others.peek().is_some() {
                models.chats += chats;
            }
            for model in others {
                if models.words.len() <= MAX_VALUES {
                    let mut head = Head::new(Id(0), 0);
                    head.set_model(Some(model.clone()));
                    models
                        .words
                        .insert(head.setting_words(SettingKind::Model, FIELDS));
                }
            }
        }
        let models = (models.chats > 0).then_some((&SettingKind::Model, &models));
        let all = models.into_iter().chain(&self.others);
        let asked = all.map(|(kind, values)| SettingToConfirm {
            kind: *kind,
            chats: values.chats,
            values: values.words.iter().take(MAX_VALUES).cloned().collect(),
            has_more: values.words.len() > MAX_VALUES,
        });
        asked.collect()
    }
}
