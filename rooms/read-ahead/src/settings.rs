//! Setting of reading ahead.

use reactive_stores::{Patch, Store};
use sash_stores::SettingsPart;
use serde::{Deserialize, Serialize};
use serde_with::{DefaultOnError, serde_as};

/// The settings of reading ahead.
#[serde_as]
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, Store, Patch)]
#[serde(default)]
pub struct ReadAheadSettings {
    /// When models read the next prompt before it is sent.
    #[serde_as(deserialize_as = "DefaultOnError")]
    #[patch(|now, new| *now = new)]
    pub read_ahead: ReadAheadTime,
}

impl SettingsPart for ReadAheadSettings {}

/// When models read the next prompt before it is sent.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ReadAheadTime {
    /// While it is written.
    #[default]
    Writing,
    /// Then, and after each answer.
    AnswersToo,
    /// Never.
    Never,
}

impl ReadAheadTime {
    /// All of them.
    pub const ALL: [Self; 3] = [Self::Writing, Self::AnswersToo, Self::Never];
}
