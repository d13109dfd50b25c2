//! What the person chose for all chats.

use super::Session;
use crate::wire::Upstream;
use leptos::prelude::*;
use serde::{Deserialize, Serialize};

/// The settings, kept under `sash:set`.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Settings {
    /// The model chosen last; a new chat begins with it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub model: Option<String>,
    /// Which server answers.
    pub upstream: Upstream,
}

impl Session {
    /// Changes the settings.
    pub fn change_settings(self, change: impl FnOnce(&mut Settings)) {
        self.settings.update(change);
        let settings = self.settings.get_untracked();
        self.write(|log| log.save_settings(&settings));
    }
}
