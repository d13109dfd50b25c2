//! The settings, as other parts of the page name and open them.

use crate::ui::stores::use_kernel;
use leptos::prelude::*;
use sash_browser_kit::page;
use sash_state::Kernel;
use sash_words::t;

/// Makes the settings of one table: the enum, all of them, and for each its words and the id of its control.
macro_rules! settings {
    ($($(#[$doc:meta])* $setting:ident: $id:literal, $words:expr;)*) => {
        /// A control of the page of settings.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub enum SettingField {
            $($(#[$doc])* $setting,)*
        }

        impl SettingField {
            /// All of them, in the order of the page.
            pub const ALL: &[Self] = &[$(Self::$setting),*];

            /// The id of its control.
            pub fn id(self) -> &'static str {
                match self {
                    $(Self::$setting => $id,)*
                }
            }

            /// Its words.
            pub fn words(self) -> &'static str {
                match self {
                    $(Self::$setting => $words,)*
                }
            }
        }
    };
}

settings! {
    /// The language.
    Language: "setting-language", t!(settings.language);
    /// The theme.
    Theme: "setting-theme", t!(settings.theme);
    /// The size of text.
    TextSize: "setting-text-size", t!(settings.text_size);
    /// The key that sends.
    SendKey: "setting-send-key", t!(settings.send_with);
    /// What becomes of a long text that is pasted.
    LongPaste: "setting-long-paste", t!(settings.long_paste);
    /// Whether older messages are suggested.
    Offers: "setting-offers", t!(settings.suggest_older_messages_that_the);
    /// Whether `?` alone opens the list of keys.
    HelpKey: "setting-help-key", t!(settings.open_the_list_of_keys_with);
    /// The prompts that the person keeps.
    Prompts: "settings-prompts", t!(prompts.prompts);
    /// Whether a notification says that an answer is ready.
    Notify: "setting-notify", t!(settings.notify_me_when_an_answer_is);
    /// Whether a sound says it.
    Sound: "setting-sound", t!(settings.play_a_short_sound_then);
    /// Whether the screen stays on.
    WakeLock: "setting-wake-lock", t!(settings.keep_the_screen_on_while_an);
    /// How fast answers are read aloud.
    SpeechRate: "setting-speech-rate", t!(settings.reading_speed);
    /// The model that makes vectors.
    EmbeddingModel: "setting-embedding-model", t!(settings.embedding_model);
    /// The model of new chats.
    DefaultModel: "setting-default-model", t!(palette.model_of_new_chats);
    /// The system prompt of new chats.
    System: "setting-system", t!(palette.system_prompt_of_new_chats);
    /// The rule of new chats.
    Rule: "settings-rule", t!(settings.how_much_of_the_chat_goes);
    /// The engines.
    Engines: "settings-engine", t!(settings.engines);
    /// The parameters of models.
    Parameters: "settings-parameters", t!(settings.parameters_of_models);
}

/// Opens the settings at one of them. A heading takes no focus, but comes into view.
pub fn open_setting(kernel: Kernel, setting: SettingField) {
    kernel.view().show_page("settings");
    request_animation_frame(move || {
        page::scroll_to_id(setting.id());
        page::focus_id_soon(setting.id().to_owned());
    });
}

/// The button behind a sentence that names a setting.
#[component]
pub fn SettingsButton(
    /// The setting.
    setting: SettingField,
) -> impl IntoView {
    let kernel = use_kernel();
    view! {
        <button type="button" class="link" on:click=move |_| open_setting(kernel, setting)>
            {t!(common.settings)}
        </button>
    }
}
