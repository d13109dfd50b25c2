//! Settings of the list of commands, and of their keys.

use reactive_stores::{Patch, Store};
use sash_stores::SettingsPart;
use serde::{Deserialize, Serialize};
use serde_with::{DefaultOnError, VecSkipError, serde_as};

/// The settings of the list of commands.
#[serde_as]
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, Store, Patch)]
#[serde(default)]
pub struct PaletteSettings {
    /// The keys that the person chose for commands, by the command's name.
    #[serde_as(deserialize_as = "DefaultOnError<VecSkipError<_>>")]
    #[patch(|now, new| *now = new)]
    pub shortcuts: Vec<ShortcutChoice>,
    /// The names of the commands that were last used from their list, the last one first.
    #[serde_as(deserialize_as = "DefaultOnError<VecSkipError<_>>")]
    #[patch(|now, new| *now = new)]
    pub recent_commands: Vec<String>,
    /// Whether the key `?` alone does not open the list of keyboard shortcuts.
    #[serde_as(deserialize_as = "DefaultOnError")]
    #[patch(|now, new| *now = new)]
    pub no_help_key: bool,
}

impl SettingsPart for PaletteSettings {}

/// The keys that the person chose for a command.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ShortcutChoice {
    /// The name of the command.
    pub command: String,
    /// The keys; `None`: none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub keys: Option<String>,
}
