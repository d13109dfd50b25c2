//! The settings by which a chat does more than show its messages, and their values in words.

use super::field_rule::ImportRule;
use super::{FieldRules, Head, SettingKind};
use crate::{AnswerFormat, ModelId, Tool};
use sash_words::t;
use serde_json::Value;
use std::collections::BTreeSet;

/// The most characters of a setting that are shown beside its name.
const MAX_SHOWN: usize = 120;

impl Head {
    /// Whether a setting is on.
    #[must_use]
    pub fn has_setting(&self, kind: SettingKind, rules: FieldRules) -> bool {
        let is_on = match kind {
            SettingKind::Model => self.model.is_some(),
            SettingKind::RecallFromAllChats => {
                self.settings.recall.is_some_and(|recall| recall.all_chats)
            }
            SettingKind::Newer => self.newer(rules).next().is_some(),
            kind => self.settings.has_setting(kind),
        };
        let mut of_features = rules.withheld_as(kind);
        is_on || of_features.any(|rule| !rule.entries(&self.others).is_empty())
    }

    /// The value of a setting in a few words.
    #[must_use]
    pub fn setting_words(&self, kind: SettingKind, rules: FieldRules) -> String {
        match kind {
            SettingKind::Model => {
                let names: Vec<String> = self.models(rules).iter().map(model_words).collect();
                names.join(", ")
            }
            SettingKind::RecallFromAllChats => {
                let tokens = self.settings.recall.map_or(0, |recall| recall.tokens);
                t!(chat.recall_limit, tokens = &tokens)
            }
            SettingKind::SystemPrompt => {
                shown(self.system_at(self.settings.system).unwrap_or_default())
            }
            SettingKind::Summary => {
                let text = self.summary_numbered(self.settings.summary);
                let text = text.map(|summary| shown(&summary.text));
                let by_itself = self
                    .settings
                    .summarizes
                    .then(|| t!(chat.summary_automatic).to_owned());
                let parts: Vec<String> = text.into_iter().chain(by_itself).collect();
                parts.join("; ")
            }
            SettingKind::Tools => {
                let names: Vec<&str> = self.settings.tools.iter().map(Tool::name).collect();
                shown(&names.join(", "))
            }
            SettingKind::Format => match &self.settings.format {
                Some(AnswerFormat::Schema(schema)) => {
                    // Serializing an object of JSON cannot fail.
                    let schema = serde_json::to_string(schema).unwrap_or_default();
                    t!(chat.json_that_fits, schema = shown(&schema))
                }
                format => format.as_ref().map_or("", AnswerFormat::name).to_owned(),
            },
            SettingKind::Parameters => named_values(&self.settings.parameters),
            SettingKind::Offers => {
                let words: Vec<String> = self
                    .of_entries(rules, |import, entry| (import.words)(entry))
                    .collect();
                words.join("; ")
            }
            SettingKind::Newer => named_values(self.newer(rules)),
        }
    }

    /// The fields that a later version of Sash wrote.
    fn newer(&self, rules: FieldRules) -> impl Iterator<Item = (&String, &Value)> {
        let others = self.others.iter();
        others.filter(move |(name, _)| rules.of(name).is_none())
    }

    /// What the entries of features that a file may bring say.
    fn of_entries<T>(
        &self,
        rules: FieldRules,
        says: impl Fn(&ImportRule, &Value) -> Option<T> + Copy,
    ) -> impl Iterator<Item = T> {
        let imported = rules
            .0
            .iter()
            .filter_map(|rule| Some((rule, rule.imported.as_ref()?)));
        imported.flat_map(move |(rule, import)| {
            let entries = rule.entries(&self.others).iter();
            entries.filter_map(move |entry| says(import, entry))
        })
    }

    /// The models that the chat names: the one chosen in it, and those that features have the page ask.
    #[must_use]
    pub fn models(&self, rules: FieldRules) -> Vec<ModelId> {
        let others = self.of_entries(rules, |import, entry| (import.model)(entry));
        let mut models: Vec<ModelId> = self.model_id().into_iter().chain(others).collect();
        let mut seen = BTreeSet::new();
        models.retain(|model| seen.insert(model.clone()));
        models
    }
}

fn model_words(model: &ModelId) -> String {
    let name = shown(&model.name);
    match &model.engine {
        Some(engine) => t!(chat.name_on_engine, name = &name, engine = shown(engine)),
        None => name,
    }
}

fn named_values<'a>(values: impl IntoIterator<Item = (&'a String, &'a Value)>) -> String {
    let words: Vec<String> = values
        .into_iter()
        .map(|(name, value)| format!("{name} {value}"))
        .collect();
    shown(&words.join(", "))
}

/// The beginning of a text in one line.
#[must_use]
pub fn shown(text: &str) -> String {
    let line = text.chars().map(|c| if c.is_control() { ' ' } else { c });
    let mut line: String = line.take(MAX_SHOWN + 1).collect();
    if line.chars().count() > MAX_SHOWN {
        line.pop();
        line.push('…');
    }
    line.trim().to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Id;

    #[test]
    fn a_long_value_is_cut() {
        let mut head = Head::new(Id(1), 5);
        head.set_system(&"é".repeat(500));
        let words = head.setting_words(SettingKind::SystemPrompt, FieldRules(&[]));
        assert_eq!(words.chars().count(), MAX_SHOWN + 1);
        assert!(words.ends_with('…'));
    }
}
