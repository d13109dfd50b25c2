//! Light, dark, or as the system has it. `boot.js` applies the choice before the first paint.

use leptos::prelude::{document, window};
use web_sys::Storage;

const KEY: &str = "sash:theme";

/// Which colours.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Theme {
    /// As the system has it.
    #[default]
    System,
    /// Light.
    Light,
    /// Dark.
    Dark,
}

impl Theme {
    /// The word for it.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Theme::System => "system",
            Theme::Light => "light",
            Theme::Dark => "dark",
        }
    }

    /// The one after it.
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

/// The theme chosen before.
#[must_use]
pub fn stored() -> Theme {
    let stored = storage().and_then(|storage| storage.get_item(KEY).ok().flatten());
    match stored.as_deref() {
        Some("light") => Theme::Light,
        Some("dark") => Theme::Dark,
        _ => Theme::System,
    }
}

/// Applies a theme and remembers it.
pub fn apply(theme: Theme) {
    if let Some(root) = document().document_element() {
        // The attribute's name is valid.
        let _ = match theme {
            Theme::System => root.remove_attribute("data-theme"),
            chosen => root.set_attribute("data-theme", chosen.as_str()),
        };
    }
    if let Some(storage) = storage() {
        // The raw word, because `boot.js` reads it; forgetting it costs no more than a click.
        let _ = match theme {
            Theme::System => storage.remove_item(KEY),
            chosen => storage.set_item(KEY, chosen.as_str()),
        };
    }
}
