//! Fields of a head that belong to features of the page. A feature has the name of its field and the type of its entries; the
//! head keeps the entries as they are written.

use super::{SettingKind, WAITING_MODELS};
use crate::{Id, ModelId};
use serde::de::{DeserializeOwned, Deserializer, MapAccess, Visitor};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::collections::BTreeMap;
use std::fmt;
use std::marker::PhantomData;

/// The most entries of a field that a file brings.
const MAX_IMPORTED: usize = 16;

/// What becomes of a field of a feature. It stays with its chat in this browser: no fork, shared page or other browser gets
/// it, and no file brings it unless [`Self::imported`] says so.
#[derive(Debug)]
pub struct FieldRule {
    name: &'static str,
    imported: Option<ImportRule>,
}

/// What an import does with a field.
#[derive(Debug)]
struct ImportRule {
    /// As what it is off until the person agrees.
    withheld: SettingKind,
    for_chat: fn(&Value, &IdsThere<'_>) -> Option<Value>,
    model: fn(&Value) -> Option<ModelId>,
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
    /// All fields.
    pub const ALL: [&Self; 1] = [WAITING_MODELS.0];

    const NAMES: [&str; Self::ALL.len()] = [WAITING_MODELS.0.name];

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

/// A field of a feature, with the type of its entries.
#[derive(Debug)]
pub struct HeadField<T>(&'static FieldRule, PhantomData<fn() -> T>);

impl<T: DeserializeOwned + Serialize> HeadField<T> {
    /// The field of a rule.
    #[must_use]
    pub const fn new(rule: &'static FieldRule) -> Self {
        Self(rule, PhantomData)
    }

    /// The entries. One that cannot be read is left out.
    pub fn read(&self, fields: &RoomFields) -> Vec<T> {
        let entries = fields.0.get(self.0.name).into_iter().flatten();
        entries
            .filter_map(|entry| T::deserialize(entry).ok())
            .collect()
    }

    /// Adds entries.
    pub fn extend(&self, fields: &mut RoomFields, added: impl IntoIterator<Item = T>) {
        let added = added
            .into_iter()
            .filter_map(|entry| serde_json::to_value(entry).ok());
        fields.add(self.0.name, added);
    }

    /// Removes the entries that are not to stay.
    pub fn retain(&self, fields: &mut RoomFields, mut stays: impl FnMut(&T) -> bool) {
        let stays = |entry: &Value| T::deserialize(entry).is_ok_and(|entry| stays(&entry));
        fields.retain(self.0.name, stays);
    }
}

/// The fields of features: their entries, by name. One without entries is not written.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
#[serde(transparent)]
pub struct RoomFields(BTreeMap<&'static str, Vec<Value>>);

impl RoomFields {
    /// Whether a name is that of a field.
    pub(super) fn has_name(name: &str) -> bool {
        FieldRule::NAMES.contains(&name)
    }

    /// Whether there is something that a setting switches on.
    pub(super) fn has_setting(&self, kind: SettingKind) -> bool {
        withheld_as(kind).any(|rule| self.0.contains_key(rule.name))
    }

    /// The models that entries have the page ask.
    pub(super) fn models(&self) -> impl Iterator<Item = ModelId> {
        let imported = FieldRule::ALL
            .into_iter()
            .filter_map(|rule| Some((rule, rule.imported.as_ref()?)));
        imported.flat_map(|(rule, import)| {
            let entries = self.0.get(rule.name).into_iter().flatten();
            entries.filter_map(import.model)
        })
    }

    /// Takes out what a setting switches on.
    pub(super) fn take(&mut self, kind: SettingKind) -> Self {
        let fields = withheld_as(kind).filter_map(|rule| self.0.remove_entry(rule.name));
        Self(fields.collect())
    }

    /// Adds the entries of others.
    pub(super) fn append(&mut self, others: Self) {
        for (name, entries) in others.0 {
            self.add(name, entries);
        }
    }

    /// Removes the entries of others.
    pub(super) fn remove(&mut self, others: &Self) {
        for (name, entries) in &others.0 {
            self.retain(name, |entry| !entries.contains(entry));
        }
    }

    /// What of it a file brings to a chat where messages have these ids.
    #[must_use]
    pub fn for_chat(&self, name: &IdsThere<'_>) -> Self {
        self.for_chat_by(&FieldRule::ALL, name)
    }

    fn for_chat_by(&self, rules: &[&FieldRule], name: &IdsThere<'_>) -> Self {
        let mut fields = Self::default();
        for rule in rules {
            if let Some(import) = &rule.imported
                && let Some(entries) = self.0.get(rule.name)
            {
                let entries = entries.iter().take(MAX_IMPORTED);
                fields.add(
                    rule.name,
                    entries.filter_map(|entry| (import.for_chat)(entry, name)),
                );
            }
        }
        fields
    }

    fn add(&mut self, name: &'static str, entries: impl IntoIterator<Item = Value>) {
        self.0.entry(name).or_default().extend(entries);
        self.retain(name, |_| true);
    }

    fn retain(&mut self, name: &str, stays: impl FnMut(&Value) -> bool) {
        if let Some(entries) = self.0.get_mut(name) {
            entries.retain(stays);
        }
        self.0.retain(|_, entries| !entries.is_empty());
    }
}

/// The fields that are off with a setting.
fn withheld_as(kind: SettingKind) -> impl Iterator<Item = &'static FieldRule> {
    let all = FieldRule::ALL.into_iter();
    all.filter(move |rule| {
        rule.imported
            .as_ref()
            .is_some_and(|import| import.withheld == kind)
    })
}

/// Reads the fields with known names, and leaves others to whoever reads the rest of the record: a derived map would take all.
impl<'de> Deserialize<'de> for RoomFields {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Fields;
        impl<'de> Visitor<'de> for Fields {
            type Value = RoomFields;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("fields of features")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<RoomFields, A::Error> {
                let mut fields = RoomFields::default();
                while let Some((name, value)) = map.next_entry::<String, Value>()? {
                    let known = FieldRule::NAMES.into_iter().find(|known| *known == name);
                    if let (Some(name), Value::Array(entries)) = (known, value) {
                        fields.add(name, entries);
                    }
                }
                Ok(fields)
            }
        }
        deserializer.deserialize_struct("RoomFields", &FieldRule::NAMES, Fields)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::WaitingModel;

    #[test]
    fn no_file_brings_a_field_whose_rule_does_not_say_so() {
        static KEPT: FieldRule = FieldRule::new("kept");
        static BROUGHT: FieldRule =
            FieldRule::new("brought").imported::<WaitingModel>(SettingKind::Model);
        let mut fields = RoomFields::default();
        let waits = |question| WaitingModel::new(Id(question), ModelId::new(None, "m"));
        for field in [HeadField::new(&KEPT), HeadField::new(&BROUGHT)] {
            field.extend(&mut fields, [waits(1), waits(2)]);
        }
        let of_file = fields.for_chat_by(&[&KEPT, &BROUGHT], &|id| (id == Id(2)).then_some(Id(9)));
        let written = serde_json::to_value(&of_file).unwrap();
        let expected = serde_json::json!({"brought": [{"question": Id(9), "model": "m"}]});
        assert_eq!(written, expected);
    }
}
