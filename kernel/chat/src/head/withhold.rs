//! Switches settings that came with an imported chat off, and on once the person agrees.

use super::{ChatSettings, FieldRules, Head, SettingKind, WithheldSettings};
use crate::ModelId;
use serde_json::{Map, Value};

impl Head {
    /// Switches a setting off and keeps its value.
    pub fn withhold(&mut self, kind: SettingKind, rules: FieldRules) {
        if !self.has_setting(kind, rules) {
            return;
        }
        // Every field is named, so that the compiler asks of a new one: does it only show, or is it withheld below?
        let Self {
            // They tell chats apart, and where one stands in the list.
            id: _,
            title: _,
            distinct: _,
            created: _,
            pinned: _,
            archived: _,
            at: _,
            forked_from: _,
            packed: _,
            rev: _,
            // Texts that go with no request unless a setting below says so.
            systems: _,
            summaries: _,
            // What a folder has for its chats is asked for where the folder comes in.
            folder: _,
            inherited: _,
            model,
            engine,
            others,
            settings,
        } = self;
        // Its rows say which of its fields are withheld as what.
        let ChatSettings {
            recall,
            summary,
            summarizes,
            system,
            format,
            tools,
            parameters,
            withheld,
            ..
        } = settings;
        let kept = withheld.get_or_insert_default();
        match kind {
            SettingKind::Model => {
                (kept.model, kept.engine) = (model.take(), engine.take());
            }
            SettingKind::RecallFromAllChats => {
                kept.recall = *recall;
                // Recall within the chat sends nothing that the file did not bring.
                if let Some(recall) = recall {
                    recall.all_chats = false;
                }
            }
            SettingKind::SystemPrompt => kept.system = system.take(),
            SettingKind::Summary => {
                kept.summary = summary.take();
                kept.summarizes = std::mem::take(summarizes);
            }
            SettingKind::Tools => kept.tools = std::mem::take(tools),
            SettingKind::Format => kept.format = format.take(),
            SettingKind::Parameters => kept.parameters = std::mem::take(parameters),
            SettingKind::Offers => {}
            SettingKind::Newer => {
                let (known, newer) = std::mem::take(others)
                    .into_iter()
                    .partition(|(name, _)| rules.of(name).is_some());
                *others = known;
                append(&mut kept.newer, newer);
            }
        }
        for rule in rules.withheld_as(kind) {
            append(
                &mut kept.others,
                others.shift_remove_entry(rule.name()).into_iter().collect(),
            );
        }
    }

    /// Switches on all settings that are withheld. A setting that the person chose meanwhile gives way.
    pub fn use_withheld(&mut self) {
        let Some(kept) = self.settings.withheld.take() else {
            return;
        };
        let WithheldSettings {
            model,
            engine,
            recall,
            summary,
            summarizes,
            system,
            format,
            tools,
            parameters,
            others,
            newer,
        } = *kept;
        if let Some(model) = model {
            self.set_model(Some(ModelId::new(engine.as_deref(), &model)));
        }
        let settings = &mut self.settings;
        settings.recall = recall.or(settings.recall);
        settings.system = system.or(settings.system);
        settings.summary = summary.or(settings.summary);
        settings.summarizes |= summarizes;
        settings.format = format.or(settings.format.take());
        if !tools.is_empty() {
            settings.tools = tools;
        }
        if !parameters.is_empty() {
            settings.parameters = parameters;
        }
        append(&mut self.others, others);
        self.others.extend(newer);
    }

    /// The withheld settings in words: each kind, and its value.
    #[must_use]
    pub fn withheld_words(&self, rules: FieldRules) -> Vec<(SettingKind, String)> {
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
        let kinds = kinds.filter(|kind| used.has_setting(*kind, rules));
        let words = |kind| (kind, used.setting_words(kind, rules));
        kinds.map(words).collect()
    }
}

/// Adds fields to others; where both have one, the entries of both stay.
fn append(fields: &mut Map<String, Value>, added: Map<String, Value>) {
    for (name, value) in added {
        match (fields.get_mut(&name), value) {
            (Some(Value::Array(entries)), Value::Array(more)) => entries.extend(more),
            (_, value) => _ = fields.insert(name, value),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::{FieldRule, IdsThere, ImportedEntry};
    use super::*;
    use crate::{AnswerFormat, BuiltinTool, Id, Policy, RecallMode, RecallSetting, Think, Tool};
    use serde::{Deserialize, Serialize};
    use serde_json::json;

    /// An entry of a feature that asks a model, or else says something.
    #[derive(Serialize, Deserialize)]
    struct Entry {
        model: Option<String>,
        says: Option<String>,
    }

    impl ImportedEntry for Entry {
        const MOST: usize = 9;

        fn for_chat(self, _: &IdsThere<'_>) -> Option<Self> {
            Some(self)
        }

        fn model(&self) -> Option<ModelId> {
            self.model.as_ref().map(|name| ModelId::new(None, name))
        }

        fn words(&self) -> Option<String> {
            self.says.clone()
        }
    }

    static ASKS: FieldRule = FieldRule::new("asks").imported::<Entry>(SettingKind::Model);
    static SAYS: FieldRule = FieldRule::new("says").imported::<Entry>(SettingKind::Offers);
    const RULES: FieldRules = FieldRules(&[&ASKS, &SAYS]);

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
        for (name, value) in [
            ("asks", json!([{"model": "small"}])),
            ("says", json!([{"says": "Obey."}, {"says": "Now."}])),
            ("agent", json!(true)),
        ] {
            head.others.insert(name.into(), value);
        }
        head
    }

    #[test]
    fn what_is_withheld_is_off_kept_and_comes_back_as_it_was() {
        let head = whole();
        let mut off = head.clone();
        for kind in SettingKind::ALL {
            off.withhold(kind, RULES);
        }
        let mut kinds = SettingKind::ALL.iter();
        assert!(kinds.all(|kind| !off.has_setting(*kind, RULES)));
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

    /// Holds [`ChatSettings::ROWS`] against what is done.
    #[test]
    fn each_field_is_withheld_as_its_row_says() {
        let head = Head {
            settings: every_setting(),
            ..Head::new(Id(1), 5)
        };
        for row in ChatSettings::ROWS {
            assert!((row.is_set)(&head.settings), "{} is not set here", row.name);
            for kind in SettingKind::ALL {
                let mut off = head.clone();
                off.settings.withheld = None;
                off.withhold(kind, RULES);
                let value = |head: &Head| serde_json::to_value(head).unwrap()[row.name].clone();
                let is_off = value(&off) != value(&head) && row.name != "withheld";
                assert_eq!(is_off, row.withheld == Some(kind), "{} {kind:?}", row.name);
            }
        }
    }

    #[test]
    fn a_request_beside_the_conversation_has_its_parameters_and_no_thinking() {
        let settings = every_setting();
        let expected = ChatSettings {
            parameters: settings.parameters.clone(),
            think: Some(Think::Off),
            ..ChatSettings::default()
        };
        assert_eq!(settings.beside_conversation(), expected);
    }

    /// No `..`: a field that is added does not compile without a value.
    fn every_setting() -> ChatSettings {
        ChatSettings {
            policy: Policy::Everything,
            pins: vec![Id(2)],
            mutes: vec![Id(3)],
            cleared: vec![Id(4)],
            recall: Some(RecallSetting {
                all_chats: true,
                ..RecallSetting::default()
            }),
            unrecalled: vec![Id(5)],
            summary: Some(0),
            summarizes: true,
            system: Some(0),
            think: Some(Think::High),
            format: Some(AnswerFormat::Json),
            tools: vec![Tool::Builtin(BuiltinTool::Calculate)],
            parameters: [("top_k".into(), 3.into())].into_iter().collect(),
            withheld: Some(Box::default()),
        }
    }

    #[test]
    fn each_withheld_setting_is_said_with_its_value() {
        let mut off = whole();
        for kind in SettingKind::ALL {
            off.withhold(kind, RULES);
        }
        // What the person chose since is not withheld.
        off.set_system("Mine");
        let words = off.withheld_words(RULES);
        let words: Vec<&str> = words.iter().map(|(_, words)| words.as_str()).collect();
        assert_eq!(
            words,
            [
                "big-cloud on box, small",
                "up to 512 tokens a prompt",
                "Be brief.",
                "the model writes new ones automatically",
                "calculate",
                "JSON",
                "top_k 3",
                "Obey.; Now.",
                "agent true",
            ]
        );
        assert_eq!(Head::new(Id(1), 5).withheld_words(RULES), []);
    }
}
