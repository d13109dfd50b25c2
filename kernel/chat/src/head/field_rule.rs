//! Rules for fields of a head that belong to a feature of the page.

use super::SettingKind;
use crate::{Id, ModelId};
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::{Map, Value};

/// What becomes of a field of a feature. It stays with its chat in this browser: no fork, shared page or other browser gets
/// it, and no file brings it, unless its rule says so.
#[derive(Debug)]
pub struct FieldRule {
    name: &'static str,
    is_forked: bool,
    pub(super) imported: Option<ImportRule>,
}

/// What an import does with a field.
#[derive(Debug)]
pub(super) struct ImportRule {
    /// As what it is off until the person agrees.
    pub(super) withheld: SettingKind,
    most: usize,
    for_chat: fn(&Value, &IdsThere<'_>) -> Option<Value>,
    pub(super) model: fn(&Value) -> Option<ModelId>,
    pub(super) words: fn(&Value) -> Option<String>,
}

/// The ids that messages have in another chat; `None` for one that is not there.
pub type IdsThere<'a> = dyn Fn(Id) -> Option<Id> + 'a;

/// An entry that a file may bring.
pub trait ImportedEntry: DeserializeOwned + Serialize {
    /// The most entries that a file brings.
    const MOST: usize;

    /// The entry in a chat where messages have these ids; `None` where it names a message that is not there, or is too long.
    fn for_chat(self, name: &IdsThere<'_>) -> Option<Self>;

    /// The model that it has the page ask.
    fn model(&self) -> Option<ModelId> {
        None
    }

    /// What it says, where it asks no model.
    fn words(&self) -> Option<String> {
        None
    }
}

impl FieldRule {
    /// A field that no file brings.
    #[must_use]
    pub const fn new(name: &'static str) -> Self {
        Self {
            name,
            is_forked: false,
            imported: None,
        }
    }

    /// The field with entries that a fork has, too.
    #[must_use]
    pub const fn forked(self) -> Self {
        Self {
            is_forked: true,
            ..self
        }
    }

    /// The field with entries that a file may bring, which are off with this setting until the person agrees.
    #[must_use]
    pub const fn imported<T: ImportedEntry>(self, withheld: SettingKind) -> Self {
        let imported = Some(ImportRule {
            withheld,
            most: T::MOST,
            for_chat: |entry, name| {
                let entry = T::deserialize(entry).ok()?.for_chat(name)?;
                serde_json::to_value(entry).ok()
            },
            model: |entry| T::deserialize(entry).ok()?.model(),
            words: |entry| T::deserialize(entry).ok()?.words(),
        });
        Self { imported, ..self }
    }

    /// Its name in the record.
    #[must_use]
    pub const fn name(&self) -> &'static str {
        self.name
    }

    /// Its entries among fields.
    pub(super) fn entries<'a>(&self, fields: &'a Map<String, Value>) -> &'a [Value] {
        let entries = fields.get(self.name).and_then(Value::as_array);
        entries.map(Vec::as_slice).unwrap_or_default()
    }
}

/// The rules of all fields of features, which the program gives that has them.
#[derive(Clone, Copy, Debug)]
pub struct FieldRules(pub &'static [&'static FieldRule]);

impl FieldRules {
    /// The rule of a field; `None` for one that a later version of Sash wrote.
    #[must_use]
    pub fn of(self, name: &str) -> Option<&'static FieldRule> {
        self.0.iter().copied().find(|rule| rule.name == name)
    }

    /// The fields that are off with a setting.
    pub(super) fn withheld_as(self, kind: SettingKind) -> impl Iterator<Item = &'static FieldRule> {
        let is_it = move |rule: &&FieldRule| {
            let imported = rule.imported.as_ref();
            imported.is_some_and(|import| import.withheld == kind)
        };
        self.0.iter().copied().filter(is_it)
    }

    /// Takes out what a fork does not have.
    pub fn fork(self, fields: &mut Map<String, Value>) {
        fields.retain(|name, _| self.of(name).is_none_or(|rule| rule.is_forked));
    }

    /// Leaves of the fields of features what a file brings to a chat where messages have these ids. Fields without a rule
    /// stay.
    pub fn import(self, fields: &mut Map<String, Value>, name: &IdsThere<'_>) {
        for rule in self.0 {
            let import = rule.imported.as_ref();
            let brought = import.map_or_else(Vec::new, |import| {
                let entries = rule.entries(fields).iter();
                let entries = entries.filter_map(|entry| (import.for_chat)(entry, name));
                entries.take(import.most).collect()
            });
            set_entries(fields, rule.name, brought);
        }
    }
}

/// Gives a field these entries; one without entries is not written.
pub(super) fn set_entries(fields: &mut Map<String, Value>, name: &str, entries: Vec<Value>) {
    if entries.is_empty() {
        fields.shift_remove(name);
    } else {
        fields.insert(name.to_owned(), Value::Array(entries));
    }
}
