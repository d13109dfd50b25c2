//! The theme: light, dark, or the system's.

use crate::browser::theme::{self, Theme};
use crate::ui::parts::{IconButton, IconName};
use leptos::prelude::*;

/// A button that cycles through the three themes.
#[component]
pub fn ThemeButton() -> impl IntoView {
    let chosen = RwSignal::new(theme::stored());
    let icon = move || match chosen.get() {
        Theme::System => IconName::Half,
        Theme::Light => IconName::Sun,
        Theme::Dark => IconName::Moon,
    };
    let on_click = move |_| {
        chosen.update(|theme| *theme = theme.next());
        theme::apply(chosen.get_untracked());
    };

    view! {
        <IconButton
            label=move || format!("Theme: {}", chosen.get().as_str())
            icon=icon
            on:click=on_click
        />
    }
}
