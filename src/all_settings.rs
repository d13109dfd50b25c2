//! All settings, of the chat and of its features.

use sash_view::settings::{ENGINES, OFFERS, SEND_KEY, Setting};
use sash_words::t;

/// All settings, in the order of their page.
pub const SETTINGS: &[Setting] = &[
    appearance::LANGUAGE,
    appearance::THEME,
    appearance::TEXT_SIZE,
    SEND_KEY,
    attachments::LONG_PASTE,
    OFFERS,
    palette::HELP_KEY,
    prompts::SAVED_PROMPTS,
    alerts::NOTIFY,
    alerts::SOUND,
    alerts::WAKE_LOCK,
    speech::SPEECH_RATE,
    recall::EMBEDDING_MODEL,
    setting("setting-default-model", || t!(settings.new_chats_model)),
    setting("setting-system", || t!(settings.new_chats_system_prompt)),
    setting("settings-rule", || t!(settings.rule_hint)),
    setting(ENGINES, || t!(settings.engines)),
    parameters::PARAMETERS,
    about::ABOUT,
];

const fn setting(id: &'static str, words: fn() -> &'static str) -> Setting {
    Setting { id, words }
}
