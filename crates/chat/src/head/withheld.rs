//! Settings that came with an imported chat. Whoever wrote the file chose them, so they are off until the person who
//! imported it agrees.

use super::{Head, SettingKind};
use crate::{AnswerFormat, ModelId, RecallSetting, Tool};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use serde_with::{DefaultOnError, VecSkipError, apply};

/// The settings of a chat that are off until the person agrees. They are kept with the chat, so that agreeing is
/// possible at any time.
#[apply(
    Option => #[serde(default, skip_serializing_if = "Option::is_none")],
    Option => #[serde_as(deserialize_as = "DefaultOnError")],
)]
#[serde_with::serde_as]
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct WithheldSettings {
    /// The model's name.
    pub model: Option<String>,
    /// The engine that has it.
    pub engine: Option<String>,
    /// Recall from all chats.
    pub recall: Option<RecallSetting>,
    /// The number of the summary.
    pub summary: Option<u32>,
    /// Whether the model writes summaries by itself.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    #[serde_as(deserialize_as = "DefaultOnError")]
    pub summarizes: bool,
    /// The place of the system prompt in the chat's list.
    pub system: Option<u32>,
    /// The form of answers.
    pub format: Option<AnswerFormat>,
    /// The tools.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[serde_as(deserialize_as = "DefaultOnError<VecSkipError<_>>")]
    pub tools: Vec<Tool>,
    /// Ollama's parameters.
    #[serde(default, skip_serializing_if = "Map::is_empty")]
    #[serde_as(deserialize_as = "DefaultOnError")]
    pub parameters: Map<String, Value>,
}

impl Head {
    /// Switches a setting off and keeps its value.
    pub fn withhold(&mut self, kind: SettingKind) {
        if !self.has_setting(kind) {
            return;
        }
        let kept = self.settings.withheld.get_or_insert_default();
        match kind {
            SettingKind::Model => {
                (kept.model, kept.engine) = (self.model.take(), self.engine.take());
            }
            SettingKind::RecallFromAllChats => {
                kept.recall = self.settings.recall;
                // Recall within the chat sends nothing that the file did not bring.
                if let Some(recall) = &mut self.settings.recall {
                    recall.all_chats = false;
                }
            }
            SettingKind::SystemPrompt => kept.system = self.settings.system.take(),
            SettingKind::Summary => {
                kept.summary = self.settings.summary.take();
                kept.summarizes = std::mem::take(&mut self.settings.summarizes);
            }
            SettingKind::Tools => kept.tools = std::mem::take(&mut self.settings.tools),
            SettingKind::Format => kept.format = self.settings.format.take(),
            SettingKind::Parameters => {
                kept.parameters = std::mem::take(&mut self.settings.parameters)
            }
        }
    }

    /// Switches on all settings that are withheld. A setting that the person chose meanwhile gives way.
    pub fn use_withheld(&mut self) {
        let Some(kept) = self.settings.withheld.take() else {
            return;
        };
        if let Some(model) = kept.model {
            self.set_model(Some(ModelId::new(kept.engine.as_deref(), &model)));
        }
        self.settings.recall = kept.recall.or(self.settings.recall);
        self.settings.system = kept.system.or(self.settings.system);
        self.settings.summary = kept.summary.or(self.settings.summary);
        self.settings.summarizes |= kept.summarizes;
        self.settings.format = kept.format.or(self.settings.format.take());
        if !kept.tools.is_empty() {
            self.settings.tools = kept.tools;
        }
        if !kept.parameters.is_empty() {
            self.settings.parameters = kept.parameters;
        }
    }

    /// The withheld settings in words: each kind, and its value.
    #[must_use]
    pub fn withheld_words(&self) -> Vec<(SettingKind, String)> {
        let Some(withheld) = &self.settings.withheld else {
            return Vec::new();
        };
        // Nothing that is on, only what is withheld and the texts that it refers to.
        let mut used = Self {
            systems: self.systems.clone(),
            summaries: self.summaries.clone(),
            ..Self::new(self.id, self.created)
        };
        used.settings.withheld = Some(withheld.clone());
        used.use_withheld();
        let kinds = SettingKind::ALL.into_iter();
        let kinds = kinds.filter(|kind| used.has_setting(*kind));
        kinds.map(|kind| (kind, used.setting_words(kind))).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{BuiltinTool, Id, RecallMode};

    /// A head with every setting.
    fn whole() -> Head {
        let mut head = Head::new(Id(1), 5);
        head.set_model(Some(ModelId::new(Some("box"), "big-cloud")));
        head.settings.recall = Some(RecallSetting {
            mode: RecallMode::ByItself,
            all_chats: true,
            ..RecallSetting::default()
        });
        head.set_system("Be\nbrief.");
        head.settings.summarizes = true;
        head.settings.tools = vec![Tool::Builtin(BuiltinTool::Calculate)];
        head.settings.format = Some(AnswerFormat::Json);
        head.settings.parameters.insert("top_k".into(), 3.into());
        head
    }

    #[test]
    fn what_is_withheld_is_off_kept_and_comes_back_as_it_was() {
        let head = whole();
        let mut off = head.clone();
        for kind in SettingKind::ALL {
            off.withhold(kind);
        }
        assert!(SettingKind::ALL.iter().all(|kind| !off.has_setting(*kind)));
        assert_eq!(
            off.settings.recall.map(|recall| recall.mode),
            Some(RecallMode::ByItself)
        );
        let kept = serde_json::to_string(&off).unwrap();
        let mut read: Head = serde_json::from_str(&kept).unwrap();
        assert_eq!(read, off);
        read.use_withheld();
        assert_eq!(read, head);
    }

    #[test]
    fn each_withheld_setting_is_said_with_its_value() {
        let mut off = whole();
        for kind in SettingKind::ALL {
            off.withhold(kind);
        }
        // What the person chose since is not withheld.
        off.set_system("Mine");
        let words = off.withheld_words();
        let words: Vec<&str> = words.iter().map(|(_, words)| words.as_str()).collect();
        assert_eq!(
            words,
            [
                "big-cloud on box",
                "up to 512 tokens a prompt",
                "Be brief.",
                "the model writes new ones by itself",
                "calculate",
                "JSON",
                "top_k 3",
            ]
        );
        assert_eq!(Head::new(Id(1), 5).withheld_words(), []);
    }
}
