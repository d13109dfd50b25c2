//! Tolerant deserializers: a wrong field is dropped and the rest of the record is kept. Most of this is
//! `serde_with`'s [`DefaultOnError`](serde_with::DefaultOnError) and
//! [`VecSkipError`](serde_with::VecSkipError); the cases they do not cover are here.

use crate::Outcome;
use serde::{Deserialize, Deserializer};
use serde_json::Value;

/// Reads a JSON array; any other value is `None`.
///
/// # Errors
/// The errors of `source`.
pub fn array<'de, D: Deserializer<'de>>(source: D) -> Result<Option<Value>, D::Error> {
    Ok(Some(Value::deserialize(source)?).filter(Value::is_array))
}

/// Reads how a message ended. What is not known is not complete; `null` is as if nothing were written.
///
/// # Errors
/// The errors of `source`.
pub fn outcome<'de, D: Deserializer<'de>>(source: D) -> Result<Outcome, D::Error> {
    Ok(match Value::deserialize(source)? {
        Value::Null => Outcome::default(),
        written => serde_json::from_value(written).unwrap_or_else(|_| Outcome::unknown()),
    })
}

/// Reads a JSON object; any other value is `None`.
///
/// # Errors
/// The errors of `source`.
pub fn object<'de, D: Deserializer<'de>>(source: D) -> Result<Option<Value>, D::Error> {
    Ok(Some(Value::deserialize(source)?).filter(Value::is_object))
}
