//! How the page looks.

use super::choice_field::ChoiceField;
use crate::browser::text_size::{self, TextSize};
use crate::browser::theme::{ChosenTheme, Theme};
use leptos::prelude::*;
use sash_words::t;

/// How the page looks: theme and text size.
#[component]
pub fn AppearanceSection() -> impl IntoView {
    let theme = expect_context::<ChosenTheme>();
    let themes = [
        (Theme::System, t!(settings.as_the_system)),
        (Theme::Light, t!(settings.light)),
        (Theme::Dark, t!(settings.dark)),
    ];
    let themes = themes.map(|(theme, words)| (theme.as_str().to_owned(), words.to_owned()));
    let choose_theme = move |name: String| {
        let mut all = Theme::ALL.into_iter();
        theme.set(all.find(|theme| theme.as_str() == name).unwrap_or_default());
    };
    let size = RwSignal::new(text_size::stored());
    let sizes = [
        (TextSize::Small, t!(settings.small)),
        (TextSize::Normal, t!(settings.normal)),
        (TextSize::Large, t!(settings.large)),
        (TextSize::Larger, t!(settings.larger)),
    ];
    let sizes = sizes.map(|(size, words)| (size.as_str().to_owned(), words.to_owned()));
    let choose_size = move |name: String| {
        let mut all = TextSize::ALL.into_iter();
        let chosen = all.find(|size| size.as_str() == name).unwrap_or_default();
        size.set(chosen);
        text_size::apply(chosen);
    };

    view! {
        <section aria-labelledby="settings-appearance">
            <h3 id="settings-appearance">{t!(settings.appearance)}</h3>
            <ChoiceField
                id="setting-theme"
                label=t!(settings.theme)
                choices=themes.to_vec()
                value=Signal::derive(move || theme.get().as_str().to_owned())
                on_choose=choose_theme
            />
            <ChoiceField
                id="setting-text-size"
                label=t!(settings.text_size)
                choices=sizes.to_vec()
                value=Signal::derive(move || size.get().as_str().to_owned())
                on_choose=choose_size
            />
        </section>
    }
}
