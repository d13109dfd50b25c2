//! The value of a field that gave way to one from another browser.

use super::{head_fields, set_head_fields};
use sash_chat::{FieldRule, FieldRules, Head, HeadField, IdsThere, ImportedEntry, SettingKind};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use serde_with::{DefaultOnError, serde_as};

/// The most values that a chat keeps; the oldest goes first. The head is written as a whole, so it must stay small.
const MAX_FORMER_VALUES: usize = 30;

/// The longest name of a field, and the longest value, that a file brings, in bytes.
const MAX_IMPORTED: (usize, usize) = (200, 64 * 1024);

/// What becomes of the values that gave way.
pub const RULE: &FieldRule = &FieldRule::new("former_values")
    .forked()
    .imported::<FormerValue>(SettingKind::Offers);

const FORMER_VALUES: HeadField<FormerValue> = HeadField::new(RULE);

/// A value that a field had where two browsers changed it at the same time.
#[serde_as]
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct FormerValue {
    /// The field, by its name in [`HeadFields`](super::HeadFields).
    pub field: String,
    /// The value; `None`: it was not set.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub value: Option<Value>,
    /// When it gave way, in milliseconds since 1970.
    #[serde(default)]
    #[serde_as(deserialize_as = "DefaultOnError")]
    pub at: u64,
}

impl ImportedEntry for FormerValue {
    const MOST: usize = MAX_FORMER_VALUES;

    fn for_chat(self, _: &IdsThere<'_>) -> Option<Self> {
        let value = serde_json::to_string(&self.value).map_or(usize::MAX, |text| text.len());
        (self.field.len() <= MAX_IMPORTED.0 && value <= MAX_IMPORTED.1).then_some(self)
    }

    fn words(&self) -> Option<String> {
        Some(format!(
            "{}: {}",
            sash_chat::shown(&self.label()),
            self.words()
        ))
    }
}

/// The values that gave way, among the fields of a head: each once, and the newest of too many.
#[must_use]
pub fn former_values(others: &Map<String, Value>) -> Vec<FormerValue> {
    let mut kept: Vec<FormerValue> = Vec::new();
    for value in FORMER_VALUES.read(others) {
        let is_same =
            |kept: &FormerValue| (&kept.field, &kept.value) == (&value.field, &value.value);
        if !kept.iter().any(is_same) {
            kept.push(value);
        }
    }
    let excess = kept.len().saturating_sub(MAX_FORMER_VALUES);
    kept.drain(..excess);
    kept
}

/// Keeps values that gave way.
pub fn add_former_values(head: &mut Head, values: impl IntoIterator<Item = FormerValue>) {
    FORMER_VALUES.extend(&mut head.others, values);
    let kept = former_values(&head.others);
    clear_former_values(head);
    FORMER_VALUES.extend(&mut head.others, kept);
}

/// Forgets all values that gave way.
pub fn clear_former_values(head: &mut Head) {
    FORMER_VALUES.retain(&mut head.others, |_| false);
}

/// Gives a field the value that it had, and keeps the one that it has now in its place. Does nothing for a value that
/// is not kept.
pub fn restore_value(head: &mut Head, rules: FieldRules, former: &FormerValue, now: u64) {
    if !former_values(&head.others).contains(former) {
        return;
    }
    FORMER_VALUES.retain(&mut head.others, |kept| kept != former);
    let mut fields = head_fields(head, rules);
    let present = match &former.value {
        Some(value) => fields.insert(former.field.clone(), value.clone()),
        None => fields.remove(&former.field),
    };
    set_head_fields(head, rules, &fields);
    let value = FormerValue {
        field: former.field.clone(),
        value: present,
        at: now,
    };
    add_former_values(head, [value]);
}
