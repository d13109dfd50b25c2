//! Setting of reading aloud.

use reactive_stores::{Patch, Store};
use sash_stores::SettingsPart;
use serde::{Deserialize, Serialize};
use serde_with::{DefaultOnError, serde_as};

/// The settings of reading aloud.
#[serde_as]
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, Store, Patch)]
#[serde(default)]
pub struct SpeechSettings {
    /// How fast answers are read aloud.
    #[serde_as(deserialize_as = "DefaultOnError")]
    #[patch(|now, new| *now = new)]
    pub speech_rate: SpeechRate,
}

impl SettingsPart for SpeechSettings {}

/// How fast answers are read aloud.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum SpeechRate {
    /// Slower than the voice's own speed.
    Slow,
    /// The voice's own speed.
    #[default]
    Normal,
    /// Faster.
    Fast,
    /// Twice as fast.
    Double,
}

impl SpeechRate {
    /// All of them.
    pub const ALL: [Self; 4] = [Self::Slow, Self::Normal, Self::Fast, Self::Double];

    /// As a factor of the voice's own speed.
    #[must_use]
    pub fn factor(self) -> f32 {
        match self {
            Self::Slow => 0.75,
            Self::Normal => 1.0,
            Self::Fast => 1.35,
            Self::Double => 2.0,
        }
    }
}
