//! Reading what may be wrong in one place: the place is lost and the record is not. Most of it is `serde_with`'s
//! [`DefaultOnError`](serde_with::DefaultOnError) and [`VecSkipError`](serde_with::VecSkipError); here is what is left.

use serde::{Deserialize, Deserializer};
use serde_json::Value;

/// A JSON array; anything else is none.
///
/// # Errors
/// The source's own.
pub fn array<'de, D: Deserializer<'de>>(source: D) -> Result<Option<Value>, D::Error> {
    Ok(Some(Value::deserialize(source)?).filter(Value::is_array))
}

/// A JSON object; anything else is none.
///
/// # Errors
/// The source's own.
pub fn object<'de, D: Deserializer<'de>>(source: D) -> Result<Option<Value>, D::Error> {
    Ok(Some(Value::deserialize(source)?).filter(Value::is_object))
}
