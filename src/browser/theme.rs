//! The theme: light, dark, or the system's. `boot.js` applies the choice before the first paint.

use leptos::prelude::{document, window};
use web_sys::Storage;

const KEY: &str = "sash:theme";

/// A theme.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Theme {
    /// The system's theme.
    #[default]
    System,
    /// Light.
    Light,
    /// Dark.
    Dark,
}

impl Theme {
    /// The name of the theme.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Theme::System => "system",
            Theme::Light => "light",
            Theme::Dark => "dark",
        }
    }

    /// The next theme in the cycle.
    #[must_use]
    pub fn next(self) -> Self {
        match self {
            Theme::System => Theme::Light,
            Theme::Light => Theme::Dark,
            Theme::Dark => Theme::System,
        }
    }
}

fn storage() -> Option<Storage> {
    window().local_storage().ok().flatten()
}

/// The stored theme.
#[must_use]
pub fn stored() -> Theme {
    let stored = storage().and_then(|storage| storage.get_item(KEY).ok().flatten());
    match stored.as_deref() {
        Some("light") => Theme::Light,
        Some("dark") => Theme::Dark,
        _ => Theme::System,
    }
}

/// Applies a theme and stores it.
pub fn apply(theme: Theme) {
    if let Some(root) = document().document_element() {
        // The attribute's name is valid.
        let _ = match theme {
            Theme::System => root.remove_attribute("data-theme"),
            chosen => root.set_attribute("data-theme", chosen.as_str()),
        };
    }
    if let Some(storage) = storage() {
        // The raw name, because `boot.js` reads it; if it cannot be stored, the person has to choose again.
        let _ = match theme {
            Theme::System => storage.remove_item(KEY),
            chosen => storage.set_item(KEY, chosen.as_str()),
        };
    }
}
