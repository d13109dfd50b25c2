//! The choice whether and how much a model thinks before it answers.

use sash_words::t;
use serde::de::Error;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use serde_json::Value;

/// A value of Ollama's field `think`, in Ollama's notation: `true`, `false`, or the name of a level.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Think {
    /// The model thinks.
    On,
    /// The model does not think.
    Off,
    /// It thinks little.
    Low,
    /// It thinks at length.
    Medium,
    /// It thinks a lot.
    High,
    /// It thinks as much as it can.
    Max,
}

impl Think {
    /// All values, in the order in which they are offered.
    pub const ALL: [Self; 6] = [
        Self::On,
        Self::Off,
        Self::Low,
        Self::Medium,
        Self::High,
        Self::Max,
    ];

    /// Its name; the name of a level is Ollama's.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::On => "on",
            Self::Off => "off",
            Self::Low => "low",
            Self::Medium => "medium",
            Self::High => "high",
            Self::Max => "max",
        }
    }

    /// Its words, as a receipt and a summary have them.
    #[must_use]
    pub fn words(self) -> &'static str {
        match self {
            Self::On => t!(chat.thinking_on),
            Self::Off => t!(chat.thinking_off),
            Self::Low => t!(chat.thinking_low),
            Self::Medium => t!(chat.thinking_medium),
            Self::High => t!(chat.thinking_high),
            Self::Max => t!(chat.thinking_max),
        }
    }

    /// The value with this name.
    #[must_use]
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|think| think.name() == name)
    }

    /// Its JSON in a request.
    #[must_use]
    pub fn json(self) -> Value {
        match self {
            Self::On => Value::Bool(true),
            Self::Off => Value::Bool(false),
            level => Value::from(level.name()),
        }
    }
}

impl Serialize for Think {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        self.json().serialize(to)
    }
}

impl<'de> Deserialize<'de> for Think {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        let value = Value::deserialize(from)?;
        let found = Self::ALL.into_iter().find(|think| think.json() == value);
        found.ok_or_else(|| Error::custom("neither true, false nor a level"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_value_is_written_as_ollama_reads_it() {
        for (think, text) in [
            (Think::On, "true"),
            (Think::Off, "false"),
            (Think::Low, r#""low""#),
            (Think::Medium, r#""medium""#),
            (Think::High, r#""high""#),
            (Think::Max, r#""max""#),
        ] {
            assert_eq!(serde_json::to_string(&think).unwrap(), text);
            assert_eq!(serde_json::from_str::<Think>(text).unwrap(), think);
            assert_eq!(Think::named(think.name()), Some(think));
        }
    }

    #[test]
    fn what_is_no_value_is_refused() {
        for text in [r#""on""#, r#""ultra""#, "3", "null", "{}"] {
            assert!(serde_json::from_str::<Think>(text).is_err(), "{text}");
        }
        assert_eq!(Think::named("true"), None);
    }
}
