//! JSON, read by hand: from a [`Value`] to a type of ours, field by field.
//!
//! What serde derives for reading is a machine for each type and each source of it: a third of the
//! page's program was that. Writing is derived as usual. A type implements [`FromJson`] and is named in
//! [`read_by_hand!`], which makes it a `Deserialize` like any other; what the page reads comes through
//! [`parse`] and not through that.

mod text;

pub use text::{NoJson, parse};

use serde::de::{Deserialize, Deserializer, Error};
use serde_json::Value;

/// A type that can be read from JSON. Unknown fields are ignored.
pub trait FromJson: Sized {
    /// The value as this type; `None` if it is not one.
    fn from_json(value: &Value) -> Option<Self>;
}

/// The fields of an object. Absent, `null` and of another type are one: `None`.
pub trait Fields {
    /// A text.
    fn text(&self, key: &str) -> Option<String>;
    /// A whole number that is not negative, in the range of `T`.
    fn number<T: TryFrom<u64>>(&self, key: &str) -> Option<T>;
    /// Any number.
    fn float(&self, key: &str) -> Option<f64>;
    /// True, or anything else.
    fn flag(&self, key: &str) -> bool;
    /// A value of ours.
    fn item<T: FromJson>(&self, key: &str) -> Option<T>;
    /// A list of values of ours; what is none of them is left out.
    fn items<T: FromJson>(&self, key: &str) -> Vec<T>;
}

impl Fields for Value {
    fn text(&self, key: &str) -> Option<String> {
        self.get(key)?.as_str().map(str::to_owned)
    }

    fn number<T: TryFrom<u64>>(&self, key: &str) -> Option<T> {
        T::try_from(self.get(key)?.as_u64()?).ok()
    }

    fn float(&self, key: &str) -> Option<f64> {
        self.get(key)?.as_f64()
    }

    fn flag(&self, key: &str) -> bool {
        self.get(key).and_then(Value::as_bool).unwrap_or_default()
    }

    fn item<T: FromJson>(&self, key: &str) -> Option<T> {
        T::from_json(self.get(key)?)
    }

    fn items<T: FromJson>(&self, key: &str) -> Vec<T> {
        let items = self.get(key).and_then(Value::as_array);
        items
            .into_iter()
            .flatten()
            .filter_map(T::from_json)
            .collect()
    }
}

impl FromJson for Value {
    fn from_json(value: &Value) -> Option<Self> {
        Some(value.clone())
    }
}

impl FromJson for String {
    fn from_json(value: &Value) -> Option<Self> {
        value.as_str().map(str::to_owned)
    }
}

/// Reads a [`FromJson`] from any source; for [`read_by_hand!`].
///
/// # Errors
/// The source's own, and one that names no detail when the value is not of this type.
pub fn read<'de, D: Deserializer<'de>, T: FromJson>(source: D) -> Result<T, D::Error> {
    let value = Value::deserialize(source)?;
    T::from_json(&value).ok_or_else(|| D::Error::custom("not of the expected form"))
}

/// Makes `Deserialize` of [`FromJson`].
#[macro_export]
macro_rules! read_by_hand {
    ($($type:ty),+ $(,)?) => {$(
        impl<'de> serde::Deserialize<'de> for $type {
            fn deserialize<D: serde::Deserializer<'de>>(source: D) -> Result<Self, D::Error> {
                $crate::json::read(source)
            }
        }
    )+};
}
pub use read_by_hand;

/// Makes [`FromJson`] of `Deserialize`, for who still reads by hand what holds these.
macro_rules! from_json_by_serde {
    ($($type:ty),+ $(,)?) => {$(
        impl FromJson for $type {
            fn from_json(value: &Value) -> Option<Self> {
                Self::deserialize(value).ok()
            }
        }
    )+};
}

from_json_by_serde!(
    crate::Id,
    crate::Role,
    crate::Outcome,
    crate::Policy,
    crate::Message,
    crate::Head,
    crate::Receipt,
    crate::window::Calibration,
);
