//! The table of commands.

use sash_words::t;

/// Makes the commands of one table: the enum, all of them, and for each its stored name, its words and its first keys.
macro_rules! commands {
    ($($(#[$doc:meta])* $command:ident: $name:literal, $words:expr, $keys:literal;)*) => {
        /// Something that a person can have done by the list of commands or by keys.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub enum Command {
            $($(#[$doc])* $command,)*
        }

        impl Command {
            /// All of them, in the order in which they are listed.
            pub const ALL: &[Self] = &[$(Self::$command),*];

            /// The name under which it is stored.
            #[must_use]
            pub fn name(self) -> &'static str {
                match self {
                    $(Self::$command => $name,)*
                }
            }

            /// Its words.
            #[must_use]
            pub fn words(self) -> &'static str {
                match self {
                    $(Self::$command => $words,)*
                }
            }

            /// The keys that it has unless the person chose others; empty for none.
            pub(super) fn default_keys(self) -> &'static str {
                match self {
                    $(Self::$command => $keys,)*
                }
            }
        }
    };
}

commands! {
    /// Begins a chat.
    NewChat: "new-chat", t!(common.new_chat), "alt+n";
    /// Begins a chat that is stored nowhere.
    NewTemporaryChat: "new-temporary-chat", t!(common.new_temporary_chat), "alt+shift+n";
    /// Stores a temporary chat.
    KeepChat: "keep-chat", t!(common.keep_this_chat), "";
    /// Opens the list of commands.
    Palette: "commands", t!(palette.commands), "alt+k";
    /// Searches all chats.
    Search: "search", t!(common.search_all_chats), "ctrl+k";
    /// Shows or hides what the model sees.
    Panel: "panel", t!(panel.what_the_model_sees), "alt+w";
    /// Recalls the message that is suggested.
    IncludeSuggestion: "include-suggestion", t!(palette.include_the_suggested_message), "alt+i";
    /// Ends the answer.
    Stop: "stop", t!(palette.stop_the_answer), "escape";
    /// Undoes the last step.
    Undo: "undo", t!(palette.undo_the_last_step), "ctrl+z";
    /// Goes to the prompt field.
    Write: "write", t!(palette.go_to_the_prompt_field), "";
    /// Keeps what is written as a prompt.
    KeepPrompt: "keep-prompt", t!(palette.keep_as_a_prompt), "";
    /// Opens the rules for what goes with each question.
    Rules: "rules", t!(composer.what_goes_with_each_question), "";
    /// Leaves out everything above.
    StartAfresh: "start-afresh", t!(common.start_afresh_here), "";
    /// Opens the system prompt.
    SystemPrompt: "system-prompt", t!(common.system_prompt), "";
    /// Opens the parameters of the model.
    Parameters: "parameters", t!(common.parameters), "";
    /// Asks the draft of several models.
    AskSeveral: "ask-several", t!(header.ask_several_models), "";
    /// Opens the tools of the chat.
    Tools: "tools", t!(common.tools), "";
    /// Changes the title of the chat.
    Rename: "rename", t!(palette.rename_this_chat), "";
    /// Has the model write a title.
    TitleByModel: "title-by-model", t!(header.title_by_the_model_entry), "";
    /// Prints the chat.
    Print: "print", t!(palette.print_this_chat), "";
    /// Saves the chat as a page.
    Share: "share", t!(palette.share_this_chat_as_a_file), "";
    /// Deletes the chat, which can be undone.
    DeleteChat: "delete-chat", t!(palette.delete_this_chat), "";
    /// Opens the models.
    Models: "models", t!(common.models), "";
    /// Opens the settings.
    Settings: "settings", t!(common.settings), "ctrl+,";
    /// Goes to the next theme.
    Theme: "theme", t!(palette.next_theme), "";
    /// Opens tokens and speed.
    Numbers: "numbers", t!(common.numbers), "";
    /// Opens the trash.
    Trash: "trash", t!(common.trash), "";
    /// Opens what is stored.
    Storage: "storage", t!(common.storage), "";
    /// Opens export and import.
    Transfer: "transfer", t!(palette.export_and_import), "";
    /// Shows how the page is used from a phone.
    Phone: "phone", t!(phone.this_page_on_my_phone_entry), "";
    /// Opens the list of keys.
    Keys: "keys", t!(keys.keyboard), "ctrl+/";
}

impl Command {
    /// Whether its keys are always the same: they depend on where the focus is, or close what is open.
    #[must_use]
    pub fn has_fixed_keys(self) -> bool {
        matches!(self, Self::Stop | Self::Undo)
    }

    /// Whether it does something to or for the open chat, so that the list of the composer has it. What deletes is in the
    /// list of commands alone.
    #[must_use]
    pub fn is_of_chat(self) -> bool {
        matches!(
            self,
            Self::NewChat
                | Self::NewTemporaryChat
                | Self::KeepChat
                | Self::KeepPrompt
                | Self::StartAfresh
                | Self::Rules
                | Self::SystemPrompt
                | Self::Parameters
                | Self::Tools
                | Self::Panel
                | Self::Search
                | Self::Rename
                | Self::Print
                | Self::Share
        )
    }

    /// The command of that name.
    #[must_use]
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL
            .iter()
            .copied()
            .find(|command| command.name() == name)
    }
}
