//! The head of a chat: everything stored about a chat except its messages, including the settings of its
//! window.

mod field_rule;
mod head_field;
mod rows;
mod setting;
mod setting_kind;
mod settings;
mod withheld;
mod withhold;

pub use field_rule::{FieldRule, FieldRules, IdsThere, ImportedEntry};
pub use head_field::HeadField;
pub use rows::SettingRow;
pub use setting::shown;
pub use setting_kind::SettingKind;
pub use settings::{ChatSettings, ChatSettingsStoreFields};
pub use withheld::WithheldSettings;

use super::{FromFolder, Id, Inherited, Message, ModelId, Summary, SystemPrompt};
use reactive_stores::{Patch, Store};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use serde_with::{DefaultOnError, VecSkipError, apply};

/// The most versions of summaries that a chat keeps; the oldest goes first. The head is written as a whole, so it
/// must stay small.
pub const MAX_SUMMARIES: usize = 30;

/// Everything stored about a chat except its messages. It is small and rarely rewritten.
#[apply(
    Option => #[serde(default, skip_serializing_if = "Option::is_none")],
    Option => #[serde_as(deserialize_as = "DefaultOnError")],
    Vec => #[serde(default, skip_serializing_if = "Vec::is_empty")],
    Vec => #[serde_as(deserialize_as = "DefaultOnError<VecSkipError<_>>")],
    Id => #[patch(|now, new| *now = new)],
    Option => #[patch(|now, new| *now = new)],
    Vec => #[patch(|now, new| *now = new)],
    Map => #[patch(|now, new| *now = new)],
)]
#[serde_with::serde_as]
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Store, Patch)]
pub struct Head {
    /// The chat's id.
    pub id: Id,
    /// Title given by the person; without one the first question is the title.
    pub title: Option<String>,
    /// What its first question is called where another chat has the same title: [`distinct_title`](super::distinct_title).
    pub distinct: Option<String>,
    /// When the chat was created, in milliseconds since 1970.
    pub created: u64,
    /// The model last chosen in this chat.
    pub model: Option<String>,
    /// The engine that has the model, by its name in the server's configuration; `None` is the first engine.
    pub engine: Option<String>,
    /// When the chat was pinned in the list of chats, in milliseconds since 1970; `None` for one that is not.
    pub pinned: Option<u64>,
    /// When the chat was archived, in milliseconds since 1970; `None` for one that is not.
    pub archived: Option<u64>,
    /// The folder that the chat is in.
    pub folder: Option<Id>,
    /// That folder as it is now, which the log looks up; not part of the record.
    #[serde(skip)]
    #[patch(|now, new| *now = new)]
    pub inherited: Inherited,
    /// How the next request is steered. In the record its fields stand beside the others.
    #[serde(flatten)]
    pub settings: ChatSettings,
    /// The summaries that the chat has had, up to a number of them. Receipts refer to them by their own numbers.
    pub summaries: Vec<Summary>,
    /// All system prompts the chat has had. Entries are never removed, because receipts refer to them by
    /// index.
    pub systems: Vec<String>,
    /// The branch the person chose, and the newest message at that time. A message written later overrides
    /// the choice.
    pub at: Option<Position>,
    /// The fields of features of the page, which [`HeadField`] reads, and those that a later version of Sash wrote.
    #[serde(flatten)]
    pub others: Map<String, Value>,
    /// The chat that this one was forked from. Receipts may name messages of it that were not copied.
    pub forked_from: Option<Id>,
    /// Summary of the packed messages, for the list of chats.
    pub packed: Option<Packed>,
    /// Number of rewrites; of two versions of a head the one with the higher number is kept.
    #[serde(default)]
    #[serde_as(deserialize_as = "DefaultOnError")]
    pub rev: u32,
}

impl Head {
    /// The head of a new chat.
    #[must_use]
    pub fn new(id: Id, created: u64) -> Self {
        Self {
            id,
            title: None,
            distinct: None,
            created,
            model: None,
            engine: None,
            pinned: None,
            archived: None,
            folder: None,
            inherited: Inherited::default(),
            settings: ChatSettings::default(),
            summaries: Vec::new(),
            systems: Vec::new(),
            at: None,
            others: Map::new(),
            forked_from: None,
            packed: None,
            rev: 0,
        }
    }

    /// The title given by the person, or else the one that tells its first question from that of another chat.
    #[must_use]
    pub fn title(&self) -> Option<&str> {
        self.title.as_deref().or(self.distinct.as_deref())
    }

    /// The model of the next request: the one chosen in this chat, or else that of its folder.
    #[must_use]
    pub fn effective_model(&self) -> Option<ModelId> {
        let of_folder = || self.inherited.folder()?.model_id();
        self.model_id().or_else(of_folder)
    }

    /// The parameters of the next request: those of the folder, overridden by the chat's own.
    #[must_use]
    pub fn effective_parameters(&self) -> Map<String, Value> {
        let folder = self.inherited.folder();
        let mut parameters = folder.map_or_else(Map::new, |folder| folder.parameters.clone());
        for (name, value) in &self.settings.parameters {
            parameters.insert(name.clone(), value.clone());
        }
        parameters
    }

    /// The system prompt of the next request: the chat's own, or else that of its folder.
    #[must_use]
    pub fn system_prompt(&self) -> Option<SystemPrompt<'_>> {
        if let Some(text) = self.system_at(self.settings.system) {
            return Some(SystemPrompt { text, folder: None });
        }
        let folder = self.inherited.folder()?;
        Some(SystemPrompt {
            text: folder.system()?,
            folder: Some(&folder.name),
        })
    }

    /// What of the next request comes from the folder; `None` where nothing does.
    #[must_use]
    pub fn from_folder(&self) -> Option<FromFolder> {
        let folder = self.inherited.folder()?;
        let own = &self.settings.parameters;
        let names = folder.parameters.keys();
        let from = FromFolder {
            folder: folder.name.clone(),
            system: self
                .system_prompt()
                .is_some_and(|system| system.folder.is_some()),
            model: self.model.is_none() && folder.model.is_some(),
            parameters: names
                .filter(|name| !own.contains_key(*name))
                .cloned()
                .collect(),
        };
        let is_any = from.system || from.model || !from.parameters.is_empty();
        is_any.then_some(from)
    }

    /// The place in the list of the system prompt that goes with the next request. That of a folder is there once
    /// [`Self::keep_system`] has put it there.
    #[must_use]
    pub fn sent_system(&self) -> Option<u32> {
        if self.system_at(self.settings.system).is_some() {
            return self.settings.system;
        }
        let text = self.system_prompt()?.text;
        let place = self.systems.iter().position(|known| known == text)?;
        u32::try_from(place).ok()
    }

    /// The system prompt of the folder, if it goes with the next request and is not in the list yet. The receipt of a
    /// request refers to it there.
    #[must_use]
    pub fn unkept_system(&self) -> Option<&str> {
        let system = self.system_prompt()?;
        self.sent_system().is_none().then_some(system.text)
    }

    /// Puts a system prompt into the list, without using it.
    pub fn keep_system(&mut self, text: &str) {
        if self.systems.iter().all(|known| known != text) {
            self.systems.push(text.to_owned());
        }
    }

    /// The model last chosen in this chat, with its engine.
    #[must_use]
    pub fn model_id(&self) -> Option<ModelId> {
        ModelId::from_fields(self.engine.as_deref(), self.model.as_deref())
    }

    /// Chooses a model.
    pub fn set_model(&mut self, model: Option<ModelId>) {
        (self.engine, self.model) = ModelId::into_fields(model);
    }

    /// The system prompt at an index of the list.
    #[must_use]
    pub fn system_at(&self, place: Option<u32>) -> Option<&str> {
        let place = usize::try_from(place?).ok()?;
        self.systems.get(place).map(String::as_str)
    }

    /// Sets the system prompt; a text of white space alone removes it.
    pub fn set_system(&mut self, text: &str) {
        if text.trim().is_empty() {
            self.settings.system = None;
            return;
        }
        let known = self.systems.iter().position(|known| known == text);
        let place = known.unwrap_or_else(|| {
            self.systems.push(text.to_owned());
            self.systems.len() - 1
        });
        self.settings.system = u32::try_from(place).ok();
    }

    /// Pins a message or removes its pin. Pinning a message also unmutes it.
    pub fn pin(&mut self, id: Id, on: bool) {
        mark(&mut self.settings.pins, id, on);
        mark(&mut self.settings.mutes, id, false);
    }

    /// The summary with a number, if it is kept.
    #[must_use]
    pub fn summary_numbered(&self, number: Option<u32>) -> Option<&Summary> {
        let number = number?;
        self.summaries.iter().find(|s| s.number == number)
    }

    /// Keeps a summary under the next number and puts it in use, unless it was cut off: the former one stays in use then.
    /// At most 30 are kept.
    pub fn add_summary(&mut self, summary: Summary) {
        let last = self.summaries.iter().map(|s| s.number).max();
        let number = last.map_or(0, |last| last.saturating_add(1));
        let is_whole = !summary.cut_off;
        self.summaries.push(Summary { number, ..summary });
        if self.summaries.len() > MAX_SUMMARIES {
            let used = self.settings.summary;
            let oldest = self.summaries.iter().position(|s| Some(s.number) != used);
            self.summaries.remove(oldest.unwrap_or_default());
        }
        if is_whole {
            self.settings.summary = Some(number);
        }
    }

    /// The system prompt as it is sent: with the summary, which stands right after it.
    #[must_use]
    pub fn system_with(&self, summary: Option<u32>) -> Option<String> {
        let system = self.system_prompt().map(|system| system.text);
        let Some(summary) = self.summary_numbered(summary) else {
            return system.map(str::to_owned);
        };
        let summary = format!(
            "Summary of the earlier part of this conversation:\n\n{}",
            summary.text.trim()
        );
        Some(match system {
            Some(system) => format!("{system}\n\n{summary}"),
            None => summary,
        })
    }

    /// Takes the recalled messages of a question out of requests, or puts them back.
    pub fn unrecall(&mut self, question: Id, on: bool) {
        mark(&mut self.settings.unrecalled, question, on);
    }

    /// Whether a message is sent with the messages that were recalled for it.
    #[must_use]
    pub fn sends_recalled(&self, message: &Message) -> bool {
        message.recalled.is_some() && !self.settings.unrecalled.contains(&message.id)
    }

    /// Mutes a message or unmutes it. Muting a message also removes its pin.
    pub fn mute(&mut self, id: Id, on: bool) {
        mark(&mut self.settings.mutes, id, on);
        mark(&mut self.settings.pins, id, false);
    }
}

fn mark(list: &mut Vec<Id>, id: Id, on: bool) {
    list.retain(|known| *known != id);
    if on {
        list.push(id);
    }
}

/// A branch of the tree that the person chose.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Position {
    /// The last message of the branch.
    pub leaf: Id,
    /// The highest `seq` in the chat when the branch was chosen.
    pub seq: u32,
}

/// Summary of a chat's packed messages, so that the list of chats does not unpack them.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Packed {
    /// Number of packed messages.
    pub count: u32,
    /// The highest `seq` among them.
    pub seq: u32,
    /// When the newest of them was written, in milliseconds since 1970.
    pub touched: u64,
    /// The title derived from the chat's first question.
    pub title: String,
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Policy, Think};

    #[test]
    fn a_message_is_pinned_or_mute_never_both() {
        let mut head = Head::new(Id(1), 0);
        head.pin(Id(2), true);
        head.mute(Id(2), true);
        assert_eq!(
            (head.settings.pins.len(), &head.settings.mutes[..]),
            (0, &[Id(2)][..])
        );
        head.pin(Id(2), true);
        head.pin(Id(2), true);
        assert_eq!(
            (&head.settings.pins[..], head.settings.mutes.len()),
            (&[Id(2)][..], 0)
        );
        head.pin(Id(2), false);
        assert!(head.settings.pins.is_empty());
    }

    #[test]
    fn a_system_prompt_keeps_its_place_in_the_list() {
        let mut head = Head::new(Id(1), 0);
        head.set_system("Be brief.");
        head.set_system(" Be kind.\n");
        head.set_system("Be brief.");
        assert_eq!(head.systems, ["Be brief.", " Be kind.\n"]);
        assert_eq!(head.system_at(head.settings.system), Some("Be brief."));
        head.set_system("  ");
        assert_eq!((head.settings.system, head.systems.len()), (None, 2));
    }

    #[test]
    fn a_head_is_read_as_it_was_written() {
        let mut head = Head::new(Id(1), 5);
        head.settings.policy = Policy::Everything;
        head.pin(Id(2), true);
        head.mute(Id(3), true);
        head.settings.cleared.push(Id(4));
        head.set_system("s");
        head.set_model(Some(ModelId::new(Some("box"), "llama3.2")));
        head.settings.think = Some(Think::Low);
        head.settings.parameters.insert("top_k".into(), 3.into());
        (head.pinned, head.archived, head.folder) = (Some(8), Some(9), Some(Id(10)));
        head.others.insert("feature".into(), vec![7].into());
        head.packed = Some(Packed {
            count: 40,
            seq: 42,
            touched: 7,
            title: "First question".into(),
        });
        let text = serde_json::to_string(&head).unwrap();
        assert_eq!(serde_json::from_str::<Head>(&text).unwrap(), head);
    }

    #[test]
    fn a_head_without_an_engine_has_the_first_one() {
        let text = r#"{"id":"0000000000000001","created":5,"model":"llama3.2"}"#;
        let head: Head = serde_json::from_str(text).unwrap();
        assert_eq!(head.model_id(), Some(ModelId::new(None, "llama3.2")));
        let written = serde_json::to_string(&head).unwrap();
        assert!(!written.contains("engine"), "{written}");
    }

    #[test]
    fn a_head_keeps_the_fields_that_it_does_not_know() {
        let text =
            r#"{"id":"0000000000000001","created":5,"mood":{"is":"good"},"policy":"everything"}"#;
        let mut head: Head = serde_json::from_str(text).unwrap();
        head.title = Some("New".into());
        let written = serde_json::to_value(&head).unwrap();
        assert_eq!(written["mood"], serde_json::json!({"is": "good"}));
        assert_eq!(head.settings.policy, Policy::Everything);
        assert_eq!(head.others.len(), 1, "{:?}", head.others);
    }

    #[test]
    fn a_wrong_field_costs_itself_and_not_the_head() {
        let text = r#"{"id":"0000000000000001","title":3,"created":5,"policy":"psychic","pins":["0000000000000002",7],"mutes":null,"cleared":{},"pinned":"x","archived":[],"folder":{},"systems":["a",1,"b"],"system":-1,"think":"ultra","at":{"leaf":1},"feature":[4],"packed":"no","rev":"x"}"#;
        let mut expected = Head::new(Id(1), 5);
        expected.settings.pins = vec![Id(2)];
        expected.systems = vec!["a".into(), "b".into()];
        expected.others.insert("feature".into(), vec![4].into());
        assert_eq!(serde_json::from_str::<Head>(text).unwrap(), expected);
    }
}
