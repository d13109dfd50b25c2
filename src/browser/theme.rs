//! The theme: light, dark, or the system's. `boot.js` applies the choice before the first paint.

use super::appearance;
use leptos::prelude::*;

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
    /// All themes, in the order of the cycle.
    pub const ALL: [Self; 3] = [Self::System, Self::Light, Self::Dark];

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
fn stored() -> Theme {
    let stored = appearance::stored(KEY);
    match stored.as_deref() {
        Some("light") => Theme::Light,
        Some("dark") => Theme::Dark,
        _ => Theme::System,
    }
}

/// Applies a theme and stores it.
fn apply(theme: Theme) {
    let chosen = Some(theme.as_str()).filter(|_| theme != Theme::System);
    appearance::apply("data-theme", KEY, chosen);
}

/// The theme of the page, which several components show and change.
#[derive(Clone, Copy)]
pub struct ChosenTheme(RwSignal<Theme>);

impl ChosenTheme {
    /// Provides the stored theme as a context.
    pub fn provide() {
        provide_context(Self(RwSignal::new(stored())));
    }

    /// The chosen theme.
    #[must_use]
    pub fn get(self) -> Theme {
        self.0.get()
    }

    /// Chooses, applies and stores a theme.
    pub fn set(self, theme: Theme) {
        self.0.set(theme);
        apply(theme);
    }
}
