//! Settings that came with an imported chat. Whoever wrote the file chose them, so they are off until the person who
//! imported it agrees.

use super::{AnswerFormat, Head, ModelId, RecallSetting, Tool};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use serde_with::{DefaultOnError, VecSkipError, apply};

/// The most characters of a setting that are shown beside its name.
const MAX_SHOWN: usize = 120;

/// A setting by which a chat does more than show its messages.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum SettingKind {
    /// Which model gets the prompts.
    Model,
    /// Messages of other chats go with prompts.
    RecallFromAllChats,
    /// A text that stands before the messages.
    SystemPrompt,
    /// A summary that stands before the messages, or that the model writes by itself.
    Summary,
    /// What the model may call.
    Tools,
    /// The form that answers must have.
    Format,
    /// Ollama's parameters.
    Parameters,
}

impl SettingKind {
    /// All kinds, in the order in which they are shown.
    pub const ALL: [Self; 7] = [
        Self::Model,
        Self::RecallFromAllChats,
        Self::SystemPrompt,
        Self::Summary,
        Self::Tools,
        Self::Format,
        Self::Parameters,
    ];

    /// What the setting does, as a label.
    #[must_use]
    pub fn label(self) -> &'static str {
        match self {
            Self::Model => "Use its model",
            Self::RecallFromAllChats => "Send messages of all your chats along",
            Self::SystemPrompt => "Use its system prompt",
            Self::Summary => "Use its summary",
            Self::Tools => "Switch on its tools",
            Self::Format => "Ask for its answer format",
            Self::Parameters => "Use its parameters",
        }
    }
}

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
    /// Whether a setting is on.
    #[must_use]
    pub fn has_setting(&self, kind: SettingKind) -> bool {
        match kind {
            SettingKind::Model => self.model.is_some(),
            SettingKind::RecallFromAllChats => self.recall.is_some_and(|recall| recall.all_chats),
            SettingKind::SystemPrompt => self.system.is_some(),
            SettingKind::Summary => self.summary.is_some() || self.summarizes,
            SettingKind::Tools => !self.tools.is_empty(),
            SettingKind::Format => self.format.is_some(),
            SettingKind::Parameters => !self.parameters.is_empty(),
        }
    }

    /// Switches a setting off and keeps its value.
    pub fn withhold(&mut self, kind: SettingKind) {
        if !self.has_setting(kind) {
            return;
        }
        let kept = self.withheld.get_or_insert_default();
        match kind {
            SettingKind::Model => {
                (kept.model, kept.engine) = (self.model.take(), self.engine.take());
            }
            SettingKind::RecallFromAllChats => {
                kept.recall = self.recall;
                // Recall within the chat sends nothing that the file did not bring.
                if let Some(recall) = &mut self.recall {
                    recall.all_chats = false;
                }
            }
            SettingKind::SystemPrompt => kept.system = self.system.take(),
            SettingKind::Summary => {
                kept.summary = self.summary.take();
                kept.summarizes = std::mem::take(&mut self.summarizes);
            }
            SettingKind::Tools => kept.tools = std::mem::take(&mut self.tools),
            SettingKind::Format => kept.format = self.format.take(),
            SettingKind::Parameters => kept.parameters = std::mem::take(&mut self.parameters),
        }
    }

    /// Switches on all settings that are withheld. A setting that the person chose meanwhile gives way.
    pub fn use_withheld(&mut self) {
        let Some(kept) = self.withheld.take() else {
            return;
        };
        if let Some(model) = kept.model {
            self.set_model(Some(ModelId::new(kept.engine.as_deref(), &model)));
        }
        self.recall = kept.recall.or(self.recall);
        self.system = kept.system.or(self.system);
        self.summary = kept.summary.or(self.summary);
        self.summarizes |= kept.summarizes;
        self.format = kept.format.or(self.format.take());
        if !kept.tools.is_empty() {
            self.tools = kept.tools;
        }
        if !kept.parameters.is_empty() {
            self.parameters = kept.parameters;
        }
    }

    /// The withheld settings in words: each kind, and its value.
    #[must_use]
    pub fn withheld_words(&self) -> Vec<(SettingKind, String)> {
        let Some(withheld) = &self.withheld else {
            return Vec::new();
        };
        // Nothing that is on, only what is withheld and the texts that it refers to.
        let mut used = Self {
            systems: self.systems.clone(),
            summaries: self.summaries.clone(),
            withheld: Some(withheld.clone()),
            ..Self::new(self.id, self.created)
        };
        used.use_withheld();
        let kinds = SettingKind::ALL.into_iter();
        let kinds = kinds.filter(|kind| used.has_setting(*kind));
        kinds.map(|kind| (kind, used.setting_words(kind))).collect()
    }

    /// The value of a setting in a few words.
    #[must_use]
    pub fn setting_words(&self, kind: SettingKind) -> String {
        match kind {
            SettingKind::Model => {
                let name = shown(self.model.as_deref().unwrap_or_default());
                match &self.engine {
                    Some(engine) => format!("{name} on {}", shown(engine)),
                    None => name,
                }
            }
            SettingKind::RecallFromAllChats => {
                let tokens = self.recall.map_or(0, |recall| recall.tokens);
                format!("up to {tokens} tokens a prompt")
            }
            SettingKind::SystemPrompt => shown(self.system_at(self.system).unwrap_or_default()),
            SettingKind::Summary => {
                let text = self.summary_numbered(self.summary);
                let text = text.map(|summary| shown(&summary.text));
                let by_itself = self
                    .summarizes
                    .then(|| "the model writes new ones by itself".to_owned());
                let parts: Vec<String> = text.into_iter().chain(by_itself).collect();
                parts.join("; ")
            }
            SettingKind::Tools => {
                let names: Vec<&str> = self.tools.iter().map(Tool::name).collect();
                shown(&names.join(", "))
            }
            SettingKind::Format => match &self.format {
                Some(AnswerFormat::Schema(schema)) => {
                    // Serializing an object of JSON cannot fail.
                    let schema = serde_json::to_string(schema).unwrap_or_default();
                    format!("JSON that fits {}", shown(&schema))
                }
                format => format.as_ref().map_or("", AnswerFormat::name).to_owned(),
            },
            SettingKind::Parameters => {
                let parameters = self.parameters.iter();
                let words: Vec<String> = parameters
                    .map(|(name, value)| format!("{name} {value}"))
                    .collect();
                shown(&words.join(", "))
            }
        }
    }
}

/// The beginning of a text in one line.
fn shown(text: &str) -> String {
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
    use crate::{BuiltinTool, Id, RecallMode};

    /// A head with every setting.
    fn whole() -> Head {
        let mut head = Head::new(Id(1), 5);
        head.set_model(Some(ModelId::new(Some("box"), "big-cloud")));
        head.recall = Some(RecallSetting {
            mode: RecallMode::ByItself,
            all_chats: true,
            ..RecallSetting::default()
        });
        head.set_system("Be\nbrief.");
        head.summarizes = true;
        head.tools = vec![Tool::Builtin(BuiltinTool::Calculate)];
        head.format = Some(AnswerFormat::Json);
        head.parameters.insert("top_k".into(), 3.into());
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
            off.recall.map(|recall| recall.mode),
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

    #[test]
    fn a_long_value_is_cut() {
        let mut head = Head::new(Id(1), 5);
        head.set_system(&"é".repeat(500));
        let words = head.setting_words(SettingKind::SystemPrompt);
        assert_eq!(words.chars().count(), MAX_SHOWN + 1);
        assert!(words.ends_with('…'));
    }
}
