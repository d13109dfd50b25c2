//! Tolerant deserializers: a wrong field is dropped and the rest of the record is kept. Most of this is
//! `serde_with`'s [`DefaultOnError`](serde_with::DefaultOnError) and
//! [`VecSkipError`](serde_with::VecSkipError); the cases they do not cover are here.

use serde::{Deserialize, Deserializer};
use serde_json::Value;

/// Reads a JSON array; any other value is `None`.
///
/// # Errors
/// The errors of `source`.
pub fn array<'de, D: Deserializer<'de>>(source: D) -> Result<Option<Value>, D::Error> {
    Ok(Some(Value::deserialize(source)?).filter(Value::is_array))
}

/// Reads a JSON object; any other value is `None`.
///
/// # Errors
/// The errors of `source`.
pub fn object<'de, D: Deserializer<'de>>(source: D) -> Result<Option<Value>, D::Error> {
    Ok(Some(Value::deserialize(source)?).filter(Value::is_object))
}

/// Whether a number need not be written.
#[expect(
    clippy::trivially_copy_pass_by_ref,
    reason = "serde passes a reference"
)]
pub fn is_zero(number: &u32) -> bool {
    *number == 0
}
