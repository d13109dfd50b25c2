//! What the chats of a file would switch on, and what of it the person agreed to. Everything else comes in switched
//! off and is kept with its chat.

use sash_chat::{Head, ModelId, SettingKind};
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
    #[cfg(test)]
    pub(crate) fn to_all() -> Self {
        Self {
            kinds: SettingKind::ALL.into(),
            models: BTreeSet::new(),
        }
    }

    /// Switches off what was not agreed to.
    pub(super) fn apply(&self, head: &mut Head) {
        for kind in SettingKind::ALL {
            let model = head.model_id().filter(|_| kind == SettingKind::Model);
            let is_here = model.is_some_and(|model| self.models.contains(&model));
            if !is_here && !self.kinds.contains(&kind) {
                head.withhold(kind);
            }
        }
    }
}

/// What the new chats of a file would switch on.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ImportedSettings {
    /// The models that they name, and how many chats name each.
    models: BTreeMap<ModelId, usize>,
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
        if let Some(model) = head.model_id() {
            *self.models.entry(model).or_default() += 1;
        }
        let others = SettingKind::ALL.into_iter();
        let others = others.filter(|kind| *kind != SettingKind::Model && head.has_setting(*kind));
        for kind in others {
            let values = self.others.entry(kind).or_default();
            values.chats += 1;
            if values.words.len() <= MAX_VALUES {
                values.words.insert(head.setting_words(kind));
            }
        }
    }

    /// The models that the chats name.
    pub fn models(&self) -> impl Iterator<Item = &ModelId> {
        self.models.keys()
    }

    /// What has to be agreed to, if these models run on this machine.
    #[must_use]
    pub fn asked(&self, models_here: &BTreeSet<ModelId>) -> Vec<SettingToConfirm> {
        let others = self.models.iter();
        let others = others.filter(|(model, _)| !models_here.contains(*model));
        let mut models = Values::default();
        for (model, chats) in others {
            models.chats += chats;
            if models.words.len() <= MAX_VALUES {
                let mut head = Head::new(sash_chat::Id(0), 0);
                head.set_model(Some(model.clone()));
                models.words.insert(head.setting_words(SettingKind::Model));
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
