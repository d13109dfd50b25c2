//! The attributes of the root element, by which styles know what is chosen.

use crate::appearance::Appearance;
use crate::choices::{TextSize, Theme};
use leptos::prelude::*;
use leptos_meta::Html;

/// Keeps the attributes of the root element. Shows nothing itself.
#[component]
pub fn RootAttributes() -> impl IntoView {
    let theme = Appearance::<Theme>::expect();
    let text_size = Appearance::<TextSize>::expect();

    view! {
        <Html
            {..}
            data-theme=move || theme.attribute()
            data-text-size=move || text_size.attribute()
        />
    }
}
