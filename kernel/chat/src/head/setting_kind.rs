//! The kinds of settings by which a chat does more than show its messages.

use sash_words::t;

/// A setting by which a chat does more than show its messages.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum SettingKind {
    /// Which model gets the prompts.
    Model,
    /// Messages of other chats go with prompts.
    RecallFromAllChats,
    /// A text that stands before the messages.
    SystemPrompt,
    /// A summary that stands before the messages, or that the model writes by itself.
    Summary,
    /// What the model may call.
    Tools,
    /// The form that answers must have.
    Format,
    /// Ollama's parameters.
    Parameters,
    /// Values that a feature of the page offers for fields of the chat, of which one press uses one.
    Offers,
    /// Fields that a later version of Sash wrote, which that version acts on.
    Newer,
}

impl SettingKind {
    /// All kinds, in the order in which they are shown.
    pub const ALL: [Self; 9] = [
        Self::Model,
        Self::RecallFromAllChats,
        Self::SystemPrompt,
        Self::Summary,
        Self::Tools,
        Self::Format,
        Self::Parameters,
        Self::Offers,
        Self::Newer,
    ];

    /// What the setting does, as a label.
    #[must_use]
    pub fn label(self) -> &'static str {
        match self {
            Self::Model => t!(chat.use_its_model),
            Self::RecallFromAllChats => t!(chat.use_its_recall),
            Self::SystemPrompt => t!(chat.use_its_system_prompt),
            Self::Summary => t!(chat.use_its_summary),
            Self::Tools => t!(chat.use_its_tools),
            Self::Format => t!(chat.use_its_format),
            Self::Parameters => t!(chat.use_its_parameters),
            Self::Offers => t!(chat.offer_its_former_values),
            Self::Newer => t!(chat.use_its_newer_settings),
        }
    }
}
