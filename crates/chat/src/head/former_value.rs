//! The value of a field that gave way to one from another browser.

use super::Head;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use serde_with::{DefaultOnError, serde_as};

/// The most values that a chat keeps; the oldest goes first. The head is written as a whole, so it must stay small.
pub const MAX_FORMER_VALUES: usize = 30;

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

impl Head {
    /// Keeps values that gave way.
    pub fn add_former_values(&mut self, values: impl IntoIterator<Item = FormerValue>) {
        for value in values {
            let is_same =
                |kept: &FormerValue| (&kept.field, &kept.value) == (&value.field, &value.value);
            if !self.former_values.iter().any(is_same) {
                self.former_values.push(value);
            }
        }
        let excess = self.former_values.len().saturating_sub(MAX_FORMER_VALUES);
        self.former_values.drain(..excess);
    }

    /// Gives a field the value that it had, and keeps the one that it has now in its place. Does nothing for a value that
    /// is not kept.
    pub fn bring_back_value(&mut self, former: &FormerValue, now: u64) {
        let Some(place) = self.former_values.iter().position(|kept| kept == former) else {
            return;
        };
        self.former_values.remove(place);
        let mut fields = self.fields();
        let present = match &former.value {
            Some(value) => fields.insert(former.field.clone(), value.clone()),
            None => fields.remove(&former.field),
        };
        self.set_fields(&fields);
        self.add_former_values([FormerValue {
            field: former.field.clone(),
            value: present,
            at: now,
        }]);
    }
}
