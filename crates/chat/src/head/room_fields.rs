//! Fields of a head that belong to features of the page. A feature has the name of its field and the type of its entries; the
//! head keeps the entries as they are written.

use super::{FieldRule, IdsThere, SettingKind, WaitingModel, waiting_model};
use crate::ModelId;
use serde::de::{DeserializeOwned, Deserializer, MapAccess, Visitor};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::collections::BTreeMap;
use std::fmt;
use std::marker::PhantomData;

/// The models that questions have still to be asked of, in their order.
pub const WAITING_MODELS: HeadField<WaitingModel> = HeadField::new(waiting_model::RULE);

/// The most entries of a field that a file brings.
const MAX_IMPORTED: usize = 16;

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
    /// The rules of all fields.
    pub const RULES: [&FieldRule; 1] = [WAITING_MODELS.0];

    const NAMES: [&str; Self::RULES.len()] = [WAITING_MODELS.0.name];

    /// Whether a name is that of a field.
    pub(super) fn has_name(name: &str) -> bool {
        Self::NAMES.contains(&name)
    }

    /// Whether there is something that a setting switches on.
    pub(super) fn has_setting(&self, kind: SettingKind) -> bool {
        withheld_as(kind).any(|rule| self.0.contains_key(rule.name))
    }

    /// The models that entries have the page ask.
    pub(super) fn models(&self) -> impl Iterator<Item = ModelId> {
        let imported = Self::RULES
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
        self.for_chat_by(&Self::RULES, name)
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
    let all = RoomFields::RULES.into_iter();
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
                    let known = RoomFields::NAMES.into_iter().find(|known| *known == name);
                    if let (Some(name), Value::Array(entries)) = (known, value) {
                        fields.add(name, entries);
                    }
                }
                Ok(fields)
            }
        }
        deserializer.deserialize_struct("RoomFields", &RoomFields::NAMES, Fields)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Id;

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
