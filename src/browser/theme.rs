//! The theme: light, dark, or the system's. `boot.js` applies the choice before the first paint.

use leptos::prelude::*;
pub use leptos_use_color_mode::ColorMode;
use leptos_use_color_mode::{UseColorModeOptions, UseColorModeReturn, use_color_mode_with_options};

/// The themes in the order of the cycle, each with its name.
const THEMES: [(ColorMode, &str); 3] = [
    (ColorMode::Auto, "system"),
    (ColorMode::Light, "light"),
    (ColorMode::Dark, "dark"),
];

/// The theme of the page, which several components show and change.
#[derive(Clone, Copy)]
pub struct ChosenTheme {
    mode: Signal<ColorMode>,
    set_mode: WriteSignal<ColorMode>,
}

impl ChosenTheme {
    /// Provides the stored theme as a context. The attribute `data-theme` of the root element is kept up to date.
    pub fn provide() {
        let options = UseColorModeOptions::default()
            .attribute("data-theme")
            // The raw name, because `boot.js` reads it.
            .storage_key("sash:theme")
            .emit_auto(true)
            // Without this a style element would be added, which the Content-Security-Policy forbids.
            .transition_enabled(true);
        let UseColorModeReturn { mode, set_mode, .. } = use_color_mode_with_options(options);
        provide_context(Self { mode, set_mode });
    }

    /// The chosen theme. A stored name of no theme stands for the system's.
    #[must_use]
    pub fn get(self) -> ColorMode {
        match self.mode.get() {
            ColorMode::Custom(_) => ColorMode::Auto,
            mode => mode,
        }
    }

    /// The name of the chosen theme.
    #[must_use]
    pub fn name(self) -> &'static str {
        let mode = self.get();
        let mut themes = THEMES.into_iter();
        themes
            .find(|(theme, _)| *theme == mode)
            .map_or("", |(_, name)| name)
    }

    /// Chooses the theme with that name.
    pub fn choose(self, name: &str) {
        let mut themes = THEMES.into_iter();
        let mode = themes.find(|(_, theme)| *theme == name);
        self.set_mode.set(mode.unwrap_or_default().0);
    }

    /// Chooses the next theme in the cycle.
    pub fn choose_next(self) {
        self.set_mode.set(match untrack(|| self.get()) {
            ColorMode::Auto => ColorMode::Light,
            ColorMode::Light => ColorMode::Dark,
            _ => ColorMode::Auto,
        });
    }
}
