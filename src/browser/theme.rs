//! The theme: light, dark, or the system's. `boot.js` applies the choice before the first paint.

use super::console::LogError;
use super::storage::{keep_if_room, local};
use leptos::prelude::document;

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

/// The stored theme.
#[must_use]
pub fn stored() -> Theme {
    let stored = local().and_then(|storage| storage.get_item(KEY).ok().flatten());
    match stored.as_deref() {
        Some("light") => Theme::Light,
        Some("dark") => Theme::Dark,
        _ => Theme::System,
    }
}

/// Applies a theme and stores it.
pub fn apply(theme: Theme) {
    let chosen = Some(theme.as_str()).filter(|_| theme != Theme::System);
    if let Some(root) = document().document_element() {
        let done = match chosen {
            None => root.remove_attribute("data-theme"),
            Some(name) => root.set_attribute("data-theme", name),
        };
        done.log_error();
    }
    // The raw name, because `boot.js` reads it; if it cannot be stored, the person has to choose again.
    keep_if_room(local(), KEY, chosen);
}
