//! Setting of long texts that are pasted.

use reactive_stores::{Patch, Store};
use sash_stores::SettingsPart;
use serde::{Deserialize, Serialize};
use serde_with::{DefaultOnError, serde_as};

/// The settings of pastes.
#[serde_as]
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, Store, Patch)]
#[serde(default)]
pub struct PasteSettings {
    /// What becomes of a long text that is pasted into the composer.
    #[serde_as(deserialize_as = "DefaultOnError")]
    #[patch(|now, new| *now = new)]
    pub long_paste: LongPaste,
}

impl SettingsPart for PasteSettings {}

/// What becomes of a long text that is pasted into the composer.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum LongPaste {
    /// It is text, and can be made a block.
    #[default]
    Ask,
    /// It becomes a block.
    Always,
    /// It stays text.
    Never,
}

impl LongPaste {
    /// All of them.
    pub const ALL: [Self; 3] = [Self::Ask, Self::Always, Self::Never];
}
