//! The theme, in the header.

use crate::browser::appearance::Appearance;
use crate::browser::theme::Theme;
use leptos::prelude::*;
use sash_ui_kit::{IconButton, IconName};
use sash_words::t;

/// A button that cycles through the three themes.
#[component]
pub fn ThemeButton() -> impl IntoView {
    let chosen = Appearance::<Theme>::expect();
    let icon = move || match chosen.get() {
        Theme::System => IconName::Half,
        Theme::Light => IconName::Sun,
        Theme::Dark => IconName::Moon,
    };

    view! {
        <IconButton
            label=move || t!(header.theme, name = theme_words(chosen.get()))
            icon=icon
            class="theme-button"
            on:click=move |_| chosen.set(untrack(|| chosen.get()).next())
        />
    }
}

/// The name of a theme within a sentence.
fn theme_words(theme: Theme) -> &'static str {
    match theme {
        Theme::System => t!(header.theme_system),
        Theme::Light => t!(header.theme_light),
        Theme::Dark => t!(header.theme_dark),
    }
}
