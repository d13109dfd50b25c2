//! How the page looks.

use super::language_field::LanguageField;
use crate::browser::appearance::Appearance;
use crate::browser::text_size::TextSize;
use crate::browser::theme::Theme;
use leptos::prelude::*;
use sash_stores::hooks::Command;
use sash_view::settings::ChoiceField;
use sash_words::t;

/// Goes to the next theme.
pub fn theme_command() -> Command {
    let theme = Appearance::<Theme>::expect();
    let run = move || theme.set(untrack(|| theme.get()).next());
    Command::new("theme", || t!(palette.next_theme), run)
}

/// How the page looks: language, theme and text size.
#[component]
pub fn AppearanceSection() -> impl IntoView {
    let theme = Appearance::<Theme>::expect();
    let themes = [
        (Theme::System, t!(settings.as_the_system)),
        (Theme::Light, t!(settings.light)),
        (Theme::Dark, t!(settings.dark)),
    ];
    let themes = themes.map(|(theme, words)| (theme.to_string(), words.to_owned()));
    let size = Appearance::<TextSize>::expect();
    let sizes = [
        (TextSize::Small, t!(settings.small)),
        (TextSize::Normal, t!(settings.normal)),
        (TextSize::Large, t!(settings.large)),
        (TextSize::Larger, t!(settings.larger)),
    ];
    let sizes = sizes.map(|(size, words)| (size.to_string(), words.to_owned()));

    view! {
        <section aria-labelledby="settings-appearance">
            <h3 id="settings-appearance">{t!(settings.appearance)}</h3>
            <LanguageField />
            <ChoiceField
                id="setting-theme"
                label=t!(settings.theme)
                choices=themes.to_vec()
                value=Signal::derive(move || theme.name())
                on_choose=move |name: String| theme.set_named(&name)
            />
            <ChoiceField
                id="setting-text-size"
                label=t!(settings.text_size)
                choices=sizes.to_vec()
                value=Signal::derive(move || size.name())
                on_choose=move |name: String| size.set_named(&name)
            />
        </section>
    }
}
