//! What the person chose for all chats.

use super::Session;
use crate::json::{Fields, FromJson, read_by_hand};
use crate::wire::Upstream;
use leptos::prelude::*;
use serde::Serialize;
use serde_json::Value;

/// The settings, kept under `sash:set`.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
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

impl FromJson for Settings {
    fn from_json(value: &Value) -> Option<Self> {
        Some(Self {
            model: value.text("model"),
            upstream: value.item("upstream").unwrap_or_default(),
        })
    }
}

read_by_hand!(Settings);
