//! A value that gave way, in words.

use super::FormerValue;
use sash_chat::{ChatSettings, policy_name, shown};
use sash_words::t;
use serde_json::Value;

impl FormerValue {
    /// The name of the field, as a label.
    #[must_use]
    pub fn label(&self) -> String {
        let label = match self.field.as_str() {
            "title" => t!(chat.field_title),
            "model" => t!(chat.field_model),
            "folder" => t!(chat.field_folder),
            field => {
                let row = ChatSettings::ROWS.iter().find(|row| row.name == field);
                match row.and_then(|row| row.label) {
                    Some(label) => label(),
                    None => field.strip_prefix("parameters/").unwrap_or(field),
                }
            }
        };
        label.to_owned()
    }

    /// The value in a few words.
    #[must_use]
    pub fn words(&self) -> String {
        match (self.field.as_str(), &self.value) {
            (_, None) => t!(chat.value_not_set).to_owned(),
            (_, Some(Value::String(text))) => shown(text),
            ("model", Some(Value::Array(model))) => {
                shown(model.last().and_then(Value::as_str).unwrap_or_default())
            }
            ("policy", Some(policy)) => {
                policy_name(serde_json::from_value(policy.clone()).unwrap_or_default())
            }
            (_, Some(value)) => shown(&value.to_string()),
        }
    }
}
