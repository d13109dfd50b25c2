//! The stores of the rooms, above those of the chat itself (`sash_stores`), until each room has a crate of its own. Each holds
//! the `Kernel`, or what it uses of it; like its stores they have signals inside and methods outside, and use the browser only
//! through the edges of their room ([`RoomEdges`]).
//!
//! A store may use those above it in this list, never those below:
//!
//! | store | what it is for |
//! | --- | --- |
//! | [`ChatList`] | the list of chats as it is shown: its rows, and which are selected |
//! | [`Models`] | the installed models: loading, unloading, deletion, details |
//! | [`Pulls`] | pulling models |
//! | [`AllChats`] | the index of all chats, for the search and for recall from all of them |
//! | [`Embeddings`] | vectors of messages and of the prompt, where the person chose a model for them |
//! | [`Recalls`] | messages outside the window that go with a draft |
//! | [`Mentions`] | what a draft refers to and the window leaves out |
//! | [`WhatIf`] | the same question asked with another window |
//! | [`SideBySide`] | one question asked of several models, one after another |
//! | [`Library`] | all chats at once: its tabs, packing of idle chats, and the trash |
//! | [`Backup`] | hands each change of the log to the folder of the backup |
//! | [`BringBack`] | the choice of what comes back from that folder |
//!
//! [`Stores`] creates them under the owner of the page: they are gone with it.

mod all_chats;
mod backup;
mod backup_age;
mod bring_back;
mod chat_list;
mod embeddings;
pub mod library;
mod mentions;
pub mod models;
mod pulls;
mod recalls;
mod room_edges;
mod shown_branch;
mod side_by_side;
mod stores;
mod what_if;

pub use all_chats::{AllChats, IndexProgress};
pub use backup::{
    Backup, BackupCalls, BackupEdges, BackupEvent, BackupPhase, BackupSettings,
    BackupSettingsStoreFields, BackupState, ChosenFolder, Folders, forget_former_values,
    parse_backup_key, use_former_value,
};
pub use backup_age::{BackupAge, OldBackup};
pub use bring_back::{BringBack, FolderContents, can_come_back};
pub use chat_list::{
    ChatList, ListRow, ListSettings, ListSettingsStoreFields, Section, SectionKind, Today, sections,
};
pub use embeddings::{
    EmbeddingEdges, EmbeddingSettings, EmbeddingSettingsStoreFields, EmbeddingStart,
    EmbeddingState, Embeddings, Vectors, WaitingEmbeddings,
};
pub use library::{Deleted, Library};
pub use mentions::Mentions;
pub use models::{ModelCalls, Models};
pub use pulls::{PullPhase, PullRate, PullState, Pulls, PullsProgress, RememberedPull};
pub use recalls::Recalls;
pub use room_edges::RoomEdges;
pub use side_by_side::{MAX_SIDES, SideBySide, SidesState};
pub use stores::{AllStores, Stores};
pub use what_if::{WhatIf, WhatIfState};
