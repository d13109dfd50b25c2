//! All settings, of the chat and of its features.

use sash_view::settings::{ENGINES, Setting};
use sash_words::t;

/// All settings, in the order of their page.
pub const SETTINGS: &[Setting] = &[
    appearance::LANGUAGE,
    appearance::THEME,
    appearance::TEXT_SIZE,
    attachments::SEND_KEY,
    attachments::LONG_PASTE,
    attachments::OFFERS,
    attachments::HELP_KEY,
    prompts::SETTING,
    alerts::NOTIFY,
    alerts::SOUND,
    alerts::WAKE_LOCK,
    speech::SETTING,
    recall::SETTING,
    setting("setting-default-model", || t!(settings.model_of_new_chats)),
    setting("setting-system", || t!(settings.system_prompt_of_new_chats)),
    setting("settings-rule", || t!(settings.how_much_of_the_chat_goes)),
    setting(ENGINES, || t!(settings.engines)),
    parameters::SETTING,
];

const fn setting(id: &'static str, words: fn() -> &'static str) -> Setting {
    Setting { id, words }
}
