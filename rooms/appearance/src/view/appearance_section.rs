//! The settings of appearance, and the command that changes the theme.

use crate::appearance::{Appearance, StoredChoice};
use crate::choices::{TextSize, Theme};
use crate::language::{OF_BROWSER, choose, chosen};
use leptos::prelude::*;
use sash_stores::hooks::Command;
use sash_view::settings::{EnumField, Setting};
use sash_words::{LANGUAGES, t};
use web_sys::Event;

/// The language.
pub const LANGUAGE: Setting = Setting {
    id: "setting-language",
    words: || t!(appearance.language),
};

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
    let run = move || theme.choose.set(theme.chosen.get_untracked().next());
    Command::new("theme", || t!(appearance.next_theme), run)
}

/// How the page looks: language, theme and text size.
#[component]
pub fn AppearanceSection() -> impl IntoView {
    let theme = Appearance::<Theme>::expect();
    let size = Appearance::<TextSize>::expect();

    view! {
        <section aria-labelledby="settings-appearance">
            <h3 id="settings-appearance">{t!(appearance.appearance)}</h3>
            <LanguageField />
            <EnumField
                id=THEME.id
                label=(THEME.words)()
                all=Theme::ALL
                words=theme_words
                value=theme.chosen
                on_choose=move |chosen| theme.choose.set(chosen)
            />
            <EnumField
                id=TEXT_SIZE.id
                label=(TEXT_SIZE.words)()
                all=TextSize::ALL
                words=size_words
                value=size.chosen
                on_choose=move |chosen| size.choose.set(chosen)
            />
        </section>
    }
}

/// The language of the page, each named in itself. Another one loads the page anew.
#[component]
fn LanguageField() -> impl IntoView {
    let now = chosen();
    let options = LANGUAGES.map(|language| {
        view! {
            <option value=language.code lang=language.code selected=now == language.code>
                {language.name}
            </option>
        }
    });

    view! {
        <div class="setting">
            <label for=LANGUAGE.id>{(LANGUAGE.words)()}</label>
            <select
                id=LANGUAGE.id
                aria-describedby="language-hint"
                on:change=move |event: Event| choose(&event_target_value(&event))
            >
                <option value=OF_BROWSER selected=now == OF_BROWSER>
                    {t!(appearance.as_the_browser)}
                </option>
                {options.collect_view()}
            </select>
        </div>
        // Arrow keys choose in the closed list, so what a choice does is said before it.
        <p id="language-hint" class="hint-line">
            {t!(appearance.language_reloads_page)}
        </p>
    }
}

fn theme_words(theme: Theme) -> (&'static str, &'static str) {
    let words = match theme {
        Theme::System => t!(appearance.as_the_system),
        Theme::Light => t!(appearance.light),
        Theme::Dark => t!(appearance.dark),
    };
    (theme.name(), words)
}

fn size_words(size: TextSize) -> (&'static str, &'static str) {
    let words = match size {
        TextSize::Small => t!(appearance.small),
        TextSize::Normal => t!(settings.normal),
        TextSize::Large => t!(appearance.large),
        TextSize::Larger => t!(appearance.larger),
    };
    (size.name(), words)
}
