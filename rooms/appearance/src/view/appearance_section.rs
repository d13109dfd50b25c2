//! The settings of appearance, and the command that changes the theme.

use super::language_field::LanguageField;
use crate::appearance::Appearance;
use crate::text_size::TextSize;
use crate::theme::Theme;
use leptos::prelude::*;
use sash_stores::hooks::Command;
use sash_view::settings::{ChoiceField, Setting};
use sash_words::t;

/// The theme.
pub const THEME: Setting = Setting {
    id: "setting-theme",
    words: || t!(appearance.theme),
};

/// The size of text.
pub const TEXT_SIZE: Setting = Setting {
    id: "setting-text-size",
    words: || t!(appearance.text_size),
};

/// Goes to the next theme.
pub fn theme_command() -> Command {
    let theme = Appearance::<Theme>::expect();
    let run = move || theme.set(untrack(|| theme.get()).next());
    Command::new("theme", || t!(appearance.next_theme), run)
}

/// How the page looks: language, theme and text size.
#[component]
pub fn AppearanceSection() -> impl IntoView {
    let theme = Appearance::<Theme>::expect();
    let themes = [
        (Theme::System, t!(appearance.as_the_system)),
        (Theme::Light, t!(appearance.light)),
        (Theme::Dark, t!(appearance.dark)),
    ];
    let themes = themes.map(|(theme, words)| (theme.to_string(), words.to_owned()));
    let size = Appearance::<TextSize>::expect();
    let sizes = [
        (TextSize::Small, t!(appearance.small)),
        (TextSize::Normal, t!(settings.normal)),
        (TextSize::Large, t!(appearance.large)),
        (TextSize::Larger, t!(appearance.larger)),
    ];
    let sizes = sizes.map(|(size, words)| (size.to_string(), words.to_owned()));

    view! {
        <section aria-labelledby="settings-appearance">
            <h3 id="settings-appearance">{t!(appearance.appearance)}</h3>
            <LanguageField />
            <ChoiceField
                id=THEME.id
                label=(THEME.words)()
                choices=themes.to_vec()
                value=Signal::derive(move || theme.name())
                on_choose=move |name: String| theme.set_named(&name)
            />
            <ChoiceField
                id=TEXT_SIZE.id
                label=(TEXT_SIZE.words)()
                choices=sizes.to_vec()
                value=Signal::derive(move || size.name())
                on_choose=move |name: String| size.set_named(&name)
            />
        </section>
    }
}
