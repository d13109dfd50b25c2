//! How the page looks.

use super::choice_field::ChoiceField;
use crate::browser::text_size::{ChosenTextSize, TextSize};
use crate::browser::theme::ChosenTheme;
use leptos::prelude::*;

/// How the page looks: theme and text size.
#[component]
pub fn AppearanceSection() -> impl IntoView {
    let theme = expect_context::<ChosenTheme>();
    let themes = [
        ("system", "As the system"),
        ("light", "Light"),
        ("dark", "Dark"),
    ];
    let themes = themes.map(|(theme, words)| (theme.to_owned(), words.to_owned()));
    let ChosenTextSize { size, choose } = expect_context::<ChosenTextSize>();
    let sizes = [
        (TextSize::Small, "Small"),
        (TextSize::Normal, "Normal"),
        (TextSize::Large, "Large"),
        (TextSize::Larger, "Larger"),
    ];
    let sizes = sizes.map(|(size, words)| (size.as_str().to_owned(), words.to_owned()));

    view! {
        <section aria-labelledby="settings-appearance">
            <h3 id="settings-appearance">"Appearance"</h3>
            <ChoiceField
                id="setting-theme"
                label="Theme"
                choices=themes.to_vec()
                value=Signal::derive(move || theme.name().to_owned())
                on_choose=move |name: String| theme.choose(&name)
            />
            <ChoiceField
                id="setting-text-size"
                label="Text size"
                choices=sizes.to_vec()
                value=Signal::derive(move || size.get().to_string())
                on_choose=move |name: String| choose.set(name.parse().unwrap_or_default())
            />
        </section>
    }
}
