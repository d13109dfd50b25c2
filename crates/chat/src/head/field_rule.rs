//! What becomes of a field of a head that belongs to a feature of the page.

use super::SettingKind;
use crate::{Id, ModelId};
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;

/// What becomes of a field of a feature. It stays with its chat in this browser: no fork, shared page or other browser gets
/// it, and no file brings it unless [`Self::imported`] says so.
#[derive(Debug)]
pub struct FieldRule {
    pub(super) name: &'static str,
    pub(super) imported: Option<ImportRule>,
}

/// What an import does with a field.
#[derive(Debug)]
pub(super) struct ImportRule {
    /// As what it is off until the person agrees.
    pub(super) withheld: SettingKind,
    pub(super) for_chat: fn(&Value, &IdsThere<'_>) -> Option<Value>,
    pub(super) model: fn(&Value) -> Option<ModelId>,
}

/// The ids that messages have in another chat; `None` for one that is not there.
pub type IdsThere<'a> = dyn Fn(Id) -> Option<Id> + 'a;

/// An entry that a file may bring.
pub trait ImportedEntry: DeserializeOwned + Serialize {
    /// The entry in a chat where messages have these ids; `None` where it names a message that is not there, or is too long.
    fn for_chat(self, name: &IdsThere<'_>) -> Option<Self>;

    /// The model that it has the page ask.
    fn model(&self) -> Option<ModelId>;
}

impl FieldRule {
    /// A field that no file brings.
    #[must_use]
    pub const fn new(name: &'static str) -> Self {
        let imported = None;
        Self { name, imported }
    }

    /// The field with entries that a file may bring, which are off with this setting until the person agrees.
    #[must_use]
    pub const fn imported<T: ImportedEntry>(self, withheld: SettingKind) -> Self {
        let imported = Some(ImportRule {
            withheld,
            for_chat: |entry, name| {
                let entry = T::deserialize(entry).ok()?.for_chat(name)?;
                serde_json::to_value(entry).ok()
            },
            model: |entry| T::deserialize(entry).ok()?.model(),
        });
        Self { imported, ..self }
    }

    /// Its name in the record.
    #[must_use]
    pub const fn name(&self) -> &'static str {
        self.name
    }
}
