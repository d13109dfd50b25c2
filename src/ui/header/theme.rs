//! Light, dark, or as the system has it.

use crate::browser::theme::{self, Theme};
use crate::ui::dom::{El, button};
use crate::ui::parts::{Icon, icon};
use leptos::prelude::*;

/// One button through the three.
pub fn theme_button() -> El {
    let chosen = RwSignal::new(theme::stored());
    let name = move || format!("Theme: {}", chosen.get().as_str());
    let face = |theme: &Theme| {
        Some(icon(match theme {
            Theme::System => Icon::Half,
            Theme::Light => Icon::Sun,
            Theme::Dark => Icon::Moon,
        }))
    };
    button("icon-button")
        .live_attr("aria-label", name)
        .live_attr("title", name)
        .choose(move || chosen.get(), face)
        .click(move || {
            chosen.update(|theme| *theme = theme.next());
            theme::apply(chosen.get_untracked());
        })
}
