//! Light, dark, or as the system has it.

use crate::browser::theme::{self, Theme};
use crate::ui::parts::{Icon, icon};
use leptos::prelude::*;

/// One button through the three.
#[component]
pub fn ThemeButton() -> impl IntoView {
    let chosen = RwSignal::new(theme::stored());
    let next = move |_| {
        chosen.update(|theme| *theme = theme.next());
        theme::apply(chosen.get_untracked());
    };
    let face = move || match chosen.get() {
        Theme::System => icon(Icon::Half),
        Theme::Light => icon(Icon::Sun),
        Theme::Dark => icon(Icon::Moon),
    };
    let name = move || format!("Theme: {}", chosen.get().as_str());
    view! {
        <button class="icon-button" aria-label=name title=name on:click=next>
            {face}
        </button>
    }
}
