//! Reads a request. A field that cannot be used is noted and left out, so that the others are read.
//!
//! The limits on a body that is nested or has many values are not here: they hold while it comes in,
//! in `crates/door`, before any of it is parsed.

use super::check::check_field;
use super::options::write_whole_numbers;
use super::{ChatRequest, ContextMessage};
use sash_chat::Role;
use serde::de::{Deserialize, Deserializer, Error};
use serde::ser::{Serialize, Serializer};
use serde_json::{Map, Value};

impl Serialize for ChatRequest {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        Self::serialize(self, serializer)
    }
}

impl<'de> Deserialize<'de> for ChatRequest {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        // Of a field that is given twice the last value counts.
        let mut fields = Map::deserialize(deserializer)?;
        let mut wrong = None;
        fields.retain(|field, value| {
            if value.is_null() {
                return false;
            }
            let invalid = check_field(field, value);
            // Without its wrong images the context still tells whether a prompt is missing.
            let is_kept = invalid.is_none() || field == "context";
            if wrong.is_none() {
                wrong = invalid;
            }
            is_kept
        });
        let mut request = Self::deserialize(Value::Object(fields)).map_err(D::Error::custom)?;
        request.wrong = wrong;
        request.drop_idle_thinking();
        Ok(request)
    }
}

impl ChatRequest {
    /// Removes the thinking that is not sent again: only a model that goes on after a tool's result reads it.
    fn drop_idle_thinking(&mut self) {
        let since = self.context.iter().rposition(|m| m.role == Role::User);
        let kept = match self.continues() {
            true => since.map_or(0, |at| at + 1),
            false => self.context.len(),
        };
        for message in self.context.iter_mut().take(kept) {
            message.thinking = None;
        }
    }
}

/// Reads a value; one of another type is the default. The source must be a [`Value`], of which the others are read
/// after an error.
pub fn or_default<'de, D, T>(source: D) -> Result<T, D::Error>
where
    D: Deserializer<'de>,
    T: Deserialize<'de> + Default,
{
    Ok(T::deserialize(source).unwrap_or_default())
}

/// Reads Ollama's options, and writes whole numbers as such.
pub fn options<'de, D: Deserializer<'de>>(
    source: D,
) -> Result<Option<Map<String, Value>>, D::Error> {
    let mut options = Map::deserialize(source)?;
    write_whole_numbers(&mut options);
    Ok(Some(options))
}

/// Reads the objects of a list as messages; what is no list has none.
pub fn messages<'de, D: Deserializer<'de>>(source: D) -> Result<Vec<ContextMessage>, D::Error> {
    let items: Vec<Value> = or_default(source)?;
    let objects = items.into_iter().filter(Value::is_object);
    let messages = objects.map(|item| ContextMessage::deserialize(item).map_err(D::Error::custom));
    messages.collect()
}

/// Reads a role; what is none of the four is [`Role::User`].
pub fn role<'de, D: Deserializer<'de>>(source: D) -> Result<Role, D::Error> {
    let name: String = or_default(source)?;
    Ok(Role::parse(&name))
}

/// Reads a text; an empty one, and what is no text, is absent.
pub fn non_empty<'de, D: Deserializer<'de>>(source: D) -> Result<Option<String>, D::Error> {
    let text: Option<String> = or_default(source)?;
    Ok(text.filter(|text| !text.is_empty()))
}

/// Reads a list as it is; what is no list is absent.
pub fn array<'de, D: Deserializer<'de>>(source: D) -> Result<Option<Value>, D::Error> {
    Ok(Some(Value::deserialize(source)?).filter(Value::is_array))
}
