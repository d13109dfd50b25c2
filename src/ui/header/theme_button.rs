//! The theme: light, dark, or the system's.

use crate::browser::theme::{ChosenTheme, Theme};
use crate::ui::parts::{IconButton, IconName};
use leptos::prelude::*;

/// A button that cycles through the three themes.
#[component]
pub fn ThemeButton() -> impl IntoView {
    let chosen = expect_context::<ChosenTheme>();
    let icon = move || match chosen.get() {
        Theme::System => IconName::Half,
        Theme::Light => IconName::Sun,
        Theme::Dark => IconName::Moon,
    };
    let on_click = move |_| chosen.set(untrack(|| chosen.get()).next());

    view! {
        <IconButton
            label=move || format!("Theme: {}", chosen.get().as_str())
            icon=icon
            on:click=on_click
        />
    }
}
