//! Switches settings that came with an imported chat off, and on once the person agrees.

use super::{ChatSettings, FormerValue, Head, SettingKind, WithheldSettings};
use crate::ModelId;

impl Head {
    /// Switches a setting off and keeps its value.
    pub fn withhold(&mut self, kind: SettingKind) {
        if !self.has_setting(kind) {
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
            rooms,
            former_values,
            unknown,
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
            SettingKind::FormerValues => kept.former_values.append(former_values),
            SettingKind::Newer => kept.newer.append(unknown),
        }
        kept.rooms.append(rooms.take(kind));
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
            rooms,
            former_values,
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
        self.rooms.append(rooms);
        self.add_former_values(former_values);
        self.unknown.extend(newer);
    }

    /// Switches off again what [`Self::use_withheld`] switched on besides the settings and the model.
    pub fn take_back_withheld(&mut self, kept: &WithheldSettings) {
        self.rooms.remove(&kept.rooms);
        let is_ours = |value: &FormerValue| !kept.former_values.contains(value);
        self.former_values.retain(is_ours);
        self.unknown
            .retain(|name, _| !kept.newer.contains_key(name));
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
    use super::super::{RoomFields, WAITING_MODELS, WaitingModel};
    use super::*;
    use crate::{AnswerFormat, BuiltinTool, Id, Policy, RecallMode, RecallSetting, Think, Tool};

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
        let waits = ModelId::new(None, "small");
        WAITING_MODELS.extend(&mut head.rooms, [WaitingModel::new(Id(2), waits)]);
        head.add_former_values([FormerValue {
            field: "system".into(),
            value: Some("Obey.".into()),
            at: 7,
        }]);
        head.unknown.insert("agent".into(), true.into());
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
        let withheld = read.settings.withheld.clone().unwrap();
        read.use_withheld();
        assert_eq!(read, head);
        read.take_back_withheld(&withheld);
        assert_eq!(read.rooms, RoomFields::default());
        assert_eq!(read.former_values, []);
        assert!(read.unknown.is_empty());
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
                off.withhold(kind);
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
            off.withhold(kind);
        }
        // What the person chose since is not withheld.
        off.set_system("Mine");
        let words = off.withheld_words();
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
                "System prompt: Obey.",
                "agent true",
            ]
        );
        assert_eq!(Head::new(Id(1), 5).withheld_words(), []);
    }
}
