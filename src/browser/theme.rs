//! Light, dark, or as the system has it. `boot.js` applies the choice before the first paint.

use gloo_storage::{LocalStorage, Storage};

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

fn usable() -> bool {
    web_sys::window().is_some_and(|w| matches!(w.local_storage(), Ok(Some(_))))
}

/// The theme chosen before.
#[must_use]
pub fn stored() -> Theme {
    let stored = usable()
        .then(|| LocalStorage::raw().get_item(KEY).ok().flatten())
        .flatten();
    match stored.as_deref() {
        Some("light") => Theme::Light,
        Some("dark") => Theme::Dark,
        _ => Theme::System,
    }
}

/// Applies a theme and remembers it.
pub fn apply(theme: Theme) {
    let root = web_sys::window()
        .and_then(|w| w.document())
        .and_then(|d| d.document_element());
    if let Some(root) = root {
        let _ = match theme {
            Theme::System => root.remove_attribute("data-theme"),
            chosen => root.set_attribute("data-theme", chosen.as_str()),
        };
    }
    if usable() {
        // The raw word, because `boot.js` reads it; forgetting it costs no more than a click.
        let _ = match theme {
            Theme::System => LocalStorage::raw().remove_item(KEY),
            chosen => LocalStorage::raw().set_item(KEY, chosen.as_str()),
        };
    }
}
