//! A folder of the list of chats, and what its chats have from it.

use super::ModelId;
use crate::Id;
use sash_words::t;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use serde_with::{DefaultOnError, apply};
use std::sync::Arc;

/// A folder. Chats name it ([`Head::folder`](super::Head::folder)); it does not know them, so that moving a chat and
/// renaming its folder in two tabs cannot undo each other.
#[apply(
    Option => #[serde(default, skip_serializing_if = "Option::is_none")],
    Option => #[serde_as(deserialize_as = "DefaultOnError")],
)]
#[serde_with::serde_as]
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Folder {
    /// Its id.
    pub id: Id,
    /// Its name.
    pub name: String,
    /// Its place among the folders; the lowest comes first.
    #[serde(default)]
    #[serde_as(deserialize_as = "DefaultOnError")]
    pub order: i64,
    /// Whether its chats are hidden in the list.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    #[serde_as(deserialize_as = "DefaultOnError")]
    pub closed: bool,
    /// The system prompt of its chats that have none of their own.
    pub system: Option<String>,
    /// The model of its chats that have none of their own.
    pub model: Option<String>,
    /// The engine that has the model; `None` is the first engine.
    pub engine: Option<String>,
    /// The parameters of its chats; those of a chat override them one by one.
    #[serde(default, skip_serializing_if = "Map::is_empty")]
    #[serde_as(deserialize_as = "DefaultOnError")]
    pub parameters: Map<String, Value>,
    /// When it was deleted, in milliseconds since 1970. The record stays so that deleting it can be undone, and its chats
    /// are in no folder meanwhile.
    pub deleted: Option<u64>,
    /// Number of rewrites; of two versions of a folder the one with the higher number is kept.
    #[serde(default)]
    #[serde_as(deserialize_as = "DefaultOnError")]
    pub rev: u32,
    /// The fields that a later version of Sash wrote.
    #[serde(flatten)]
    pub unknown: Map<String, Value>,
}

impl Folder {
    /// A folder without settings.
    #[must_use]
    pub fn new(id: Id, name: &str, order: i64) -> Self {
        Self {
            id,
            name: name.trim().to_owned(),
            order,
            closed: false,
            system: None,
            model: None,
            engine: None,
            parameters: Map::new(),
            deleted: None,
            rev: 0,
            unknown: Map::new(),
        }
    }

    /// What is left of it once it is deleted for good: its id, and that it was deleted.
    #[must_use]
    pub fn purged(&self) -> Self {
        Self {
            deleted: self.deleted,
            rev: self.rev,
            ..Self::new(self.id, "", 0)
        }
    }

    /// Whether it was deleted for good.
    #[must_use]
    pub fn is_purged(&self) -> bool {
        self.deleted.is_some() && self.name.is_empty()
    }

    /// The model of its chats that have none of their own.
    #[must_use]
    pub fn model_id(&self) -> Option<ModelId> {
        ModelId::from_fields(self.engine.as_deref(), self.model.as_deref())
    }

    /// Chooses the model of its chats that have none of their own.
    pub fn set_model(&mut self, model: Option<ModelId>) {
        (self.engine, self.model) = ModelId::into_fields(model);
    }

    /// The system prompt, unless it is empty.
    #[must_use]
    pub fn system(&self) -> Option<&str> {
        self.system
            .as_deref()
            .filter(|text| !text.trim().is_empty())
    }

    /// Whether it has a system prompt, a model or parameters for its chats.
    #[must_use]
    pub fn has_settings(&self) -> bool {
        self.system().is_some() || self.model.is_some() || !self.parameters.is_empty()
    }

    /// Whether a name is that of this folder: case and white space at the ends make no other one.
    #[must_use]
    pub fn is_named(&self, name: &str) -> bool {
        self.name.trim().to_lowercase() == name.trim().to_lowercase()
    }
}

/// The folder of a chat as it is now. It is no part of the chat's record: the log looks it up when it reads the head.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Inherited(Option<Arc<Folder>>);

impl Inherited {
    /// The folder; `None` for a chat in no folder.
    #[must_use]
    pub fn folder(&self) -> Option<&Folder> {
        self.0.as_deref()
    }
}

impl From<Option<Folder>> for Inherited {
    fn from(folder: Option<Folder>) -> Self {
        let there = folder.filter(|folder| folder.deleted.is_none());
        Self(there.map(Arc::new))
    }
}

/// What of a request comes from the folder of its chat.
#[apply(
    _ => #[serde_as(deserialize_as = "DefaultOnError")],
)]
#[serde_with::serde_as]
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct FromFolder {
    /// The name of the folder.
    pub folder: String,
    /// Whether the system prompt is the folder's.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub system: bool,
    /// Whether the model is the folder's.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub model: bool,
    /// The names of the parameters that are the folder's.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub parameters: Vec<String>,
}

impl FromFolder {
    /// The parts in words: `system prompt, model, temperature`.
    #[must_use]
    pub fn parts(&self) -> String {
        let system = self.system.then(|| t!(chat.folder_gives_system_prompt));
        let model = self.model.then(|| t!(chat.folder_gives_model));
        let parameters = self.parameters.iter().map(String::as_str);
        let parts: Vec<&str> = system.into_iter().chain(model).chain(parameters).collect();
        parts.join(", ")
    }

    /// The same in a sentence.
    #[must_use]
    pub fn sentence(&self) -> String {
        t!(
            chat.from_the_folder,
            folder = &self.folder,
            parts = self.parts()
        )
    }
}

/// A system prompt that goes with requests, and whose it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SystemPrompt<'a> {
    /// The text.
    pub text: &'a str,
    /// The name of the folder that has it; `None` for a prompt of the chat's own.
    pub folder: Option<&'a str>,
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Head;
    use serde_json::json;

    fn folder() -> Folder {
        let mut folder = Folder::new(Id(7), " Work ", 2);
        folder.system = Some("Be formal.".into());
        folder.set_model(Some(ModelId::new(Some("box"), "big")));
        folder.parameters = json!({"temperature": 0.2, "top_k": 5})
            .as_object()
            .unwrap()
            .clone();
        folder
    }

    #[test]
    fn a_folder_is_read_as_it_was_written_and_keeps_what_it_does_not_know() {
        let text = r#"{"id":"0000000000000007","name":"Work","order":2,"system":"s","rev":3,"colour":"red"}"#;
        let read: Folder = serde_json::from_str(text).unwrap();
        assert_eq!((read.system(), read.rev), (Some("s"), 3));
        assert_eq!(serde_json::to_string(&read).unwrap(), text);
        let written = serde_json::to_string(&folder()).unwrap();
        assert_eq!(serde_json::from_str::<Folder>(&written).unwrap(), folder());
    }

    #[test]
    fn a_wrong_field_costs_itself_and_not_the_folder() {
        let text = r#"{"id":"0000000000000007","name":"Work","order":"x","closed":3,"system":{},"model":1,"parameters":[],"deleted":"no","rev":-1}"#;
        let read: Folder = serde_json::from_str(text).unwrap();
        assert_eq!(read, Folder::new(Id(7), "Work", 0));
    }

    #[test]
    fn a_chat_has_of_its_folder_what_it_has_not_itself() {
        let mut head = Head::new(Id(1), 5);
        head.folder = Some(Id(7));
        head.inherited = Some(folder()).into();
        let from_folder = SystemPrompt {
            text: "Be formal.",
            folder: Some("Work"),
        };
        assert_eq!(head.system_prompt(), Some(from_folder));
        assert_eq!(head.effective_model(), folder().model_id());
        assert_eq!(head.effective_parameters(), folder().parameters);
        let from = head.from_folder().unwrap();
        assert_eq!(
            from.sentence(),
            "From the folder Work: system prompt, model, temperature, top_k."
        );
        let kept = serde_json::to_string(&from).unwrap();
        assert_eq!(serde_json::from_str::<FromFolder>(&kept).unwrap(), from);

        head.set_system("Be brief.");
        head.set_model(Some(ModelId::new(None, "small")));
        head.settings.parameters.insert("top_k".into(), 9.into());
        let own = SystemPrompt {
            text: "Be brief.",
            folder: None,
        };
        assert_eq!(head.system_prompt(), Some(own));
        assert_eq!(head.effective_model(), Some(ModelId::new(None, "small")));
        let both = json!({"temperature": 0.2, "top_k": 9});
        assert_eq!(Value::from(head.effective_parameters()), both);
        let from = head.from_folder().unwrap();
        assert_eq!(from.parts(), "temperature");
        head.settings
            .parameters
            .insert("temperature".into(), 1.into());
        assert_eq!(head.from_folder(), None);
        assert!(!serde_json::to_string(&head).unwrap().contains("formal"));
    }

    #[test]
    fn a_deleted_folder_gives_its_chats_nothing() {
        let mut gone = folder();
        gone.deleted = Some(9);
        let mut head = Head::new(Id(1), 5);
        head.inherited = Some(gone).into();
        assert_eq!(head.system_prompt(), None);
        assert_eq!(head.effective_model(), None);
        assert!(head.effective_parameters().is_empty());
    }

    /// A receipt names the text by its index, and the folder's text may be another one tomorrow.
    #[test]
    fn the_prompt_of_a_folder_is_kept_with_the_chat_once_it_is_sent() {
        let mut head = Head::new(Id(1), 5);
        head.set_system("Be brief.");
        head.set_system("");
        head.inherited = Some(folder()).into();
        assert_eq!(head.sent_system(), None);
        assert_eq!(head.unkept_system(), Some("Be formal."));
        head.keep_system("Be formal.");
        let place = head.sent_system();
        assert_eq!((place, head.unkept_system()), (Some(1), None));
        let mut other = folder();
        other.system = Some("Be rude.".into());
        head.inherited = Some(other).into();
        assert_eq!(head.system_at(place), Some("Be formal."));
        assert_eq!(head.settings.system, None, "it is not the chat's own");
    }
}
