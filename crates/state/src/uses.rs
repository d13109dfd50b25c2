//! How a store has the stores that it uses: as handles of eight bytes. By value they would hold each other in kilobytes.

/// Methods that copy out the stores which a store names: `self.chats()` is `self.chats.get_value()`.
macro_rules! uses {
    ($store:ident: $($name:ident)+) => {
        impl $store {
            $(pub(crate) fn $name(self) -> used!($name) {
                reactive_graph::traits::GetValue::get_value(&self.$name)
            })+
        }
    };
}

/// The type of a store, by the name under which others have it.
macro_rules! used {
    (all_chats) => {
        crate::AllChats
    };
    (answers) => {
        crate::Answers
    };
    (attachments) => {
        crate::Attachments
    };
    (backup) => {
        crate::Backup
    };
    (chats) => {
        crate::Chats
    };
    (drafts) => {
        crate::Drafts
    };
    (embeddings) => {
        crate::Embeddings
    };
    (engine) => {
        crate::EngineStore
    };
    (imports) => {
        crate::Imports
    };
    (library) => {
        crate::Library
    };
    (notices) => {
        crate::Notices
    };
    (prompts) => {
        crate::SavedPrompts
    };
    (queue) => {
        crate::Queue
    };
    (recalls) => {
        crate::Recalls
    };
    (remote) => {
        crate::RemoteAnswers
    };
    (settings) => {
        crate::SettingsStore
    };
    (steering) => {
        crate::Steering
    };
    (storage) => {
        crate::Storage
    };
    (view) => {
        crate::View
    };
}
