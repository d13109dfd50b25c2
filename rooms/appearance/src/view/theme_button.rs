//! The theme, in the header.

use crate::appearance::Appearance;
use crate::choices::Theme;
use leptos::prelude::*;
use sash_ui_kit::{IconButton, IconName};
use sash_words::t;

/// A button that cycles through the three themes.
#[component]
pub fn ThemeButton() -> impl IntoView {
    let Appearance { chosen, choose } = Appearance::<Theme>::expect();
    let icon = move || match chosen.get() {
        Theme::System => IconName::Half,
        Theme::Light => IconName::Sun,
        Theme::Dark => IconName::Moon,
    };

    view! {
        <IconButton
            label=move || t!(appearance.theme_is, name = theme_words(chosen.get()))
            icon=icon
            class="theme-button"
            on:click=move |_| choose.set(chosen.get_untracked().next())
        />
    }
}

/// The name of a theme within a sentence.
fn theme_words(theme: Theme) -> &'static str {
    match theme {
        Theme::System => t!(appearance.theme_system),
        Theme::Light => t!(appearance.theme_light),
        Theme::Dark => t!(appearance.theme_dark),
    }
}
