//! Settings of alerts for answers that are ready.

use reactive_stores::{Patch, Store};
use sash_stores::SettingsPart;
use serde::{Deserialize, Serialize};
use serde_with::{DefaultOnError, serde_as};

/// The settings of alerts.
#[serde_as]
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, Store, Patch)]
#[serde(default)]
pub struct AlertSettings {
    /// Whether a notification says that an answer is ready while the page is not in view.
    #[serde_as(deserialize_as = "DefaultOnError")]
    #[patch(|now, new| *now = new)]
    pub notify: bool,
    /// Whether a sound says it.
    #[serde_as(deserialize_as = "DefaultOnError")]
    #[patch(|now, new| *now = new)]
    pub sound: bool,
    /// Whether the screen stays on while an answer is written.
    #[serde_as(deserialize_as = "DefaultOnError")]
    #[patch(|now, new| *now = new)]
    pub wake_lock: bool,
}

impl SettingsPart for AlertSettings {}
